"""Who is at the table right now: screens that look, seats that are here, and how quickly each screen wants bots to play. Screens may be at
another process, which says so again and again: see `neighbours`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tablee.core.game import Seat

POLL_TIMEOUT = 7.0  # seconds that a screen without a socket counts as here
IDLE_AFTER = 60.0  # seconds after which nobody looks any more who has only asked
DEFAULT_PACE = "normal"
PACES = {"slow": 2.5, "normal": 1.0, "quick": 0.25}  # how many times as long a bot waits, as a screen prefers


class Presence:
    def __init__(self) -> None:
        self.screens = 0
        self._screens_by_seat: Counter[Hashable] = Counter()  # screens open per seat
        self._polled_at: dict[Hashable, float] = {}  # when a seat without a socket last asked,
        self._peer_seen_at: dict[Hashable, float] = {}  # or another process last said that it is at a screen there
        self._left_at: dict[Hashable, float] = {}  # when a seat's last screen was closed
        self._started_at = time.monotonic()
        self._last_request_at = time.monotonic()
        self.visited = False  # whether anybody has come to look since the table was opened
        self._expected_until = 0.0
        self._pace_by_screen: dict[object, str] = {}  # by screen that holds a seat,
        self._pace_by_polling: dict[Hashable, tuple[str, float]] = {}  # or by the seats of one without a socket, and when it last asked
        self._pace_by_peer: dict[str, tuple[str, float]] = {}  # by process: the pace that its screens ask for, and when it last said so

    def connect(self, seats: Sequence[Hashable]) -> bool:
        """Whether that is news to the others."""
        news = not all(self.is_here(seat) for seat in seats)
        self.screens += 1
        self._screens_by_seat.update(seats)
        return news

    def disconnect(self, screen: object, seats: Sequence[Hashable]) -> bool:
        self.screens -= 1
        self._screens_by_seat.subtract(seats)
        self._pace_by_screen.pop(screen, None)
        self._last_request_at = time.monotonic()
        self._left_at |= dict.fromkeys(seats, self._last_request_at)
        return not all(self.is_here(seat) for seat in seats)

    def reset_absence(self, seat: Hashable) -> None:
        """Whoever holds the seat from now on has not been away yet."""
        self._left_at[seat] = time.monotonic()

    def expect_everyone_until(self, until: float) -> None:
        """Everybody is taken to be here until then: the house has just been opened again, and they are on their way back."""
        self._expected_until = until

    def touch(self) -> None:
        """Somebody wants to know something of the table."""
        self._last_request_at, self.visited = time.monotonic(), True

    def poll(self, seats: Sequence[Hashable], pace: str = DEFAULT_PACE) -> bool:
        """Somebody without a socket asks how the table stands, and will soon ask again; whether that is news."""
        news = not all(self.is_here(seat) for seat in seats)
        self._pace_by_polling = {who: said for who, said in self._pace_by_polling.items() if said[1] > time.monotonic() - POLL_TIMEOUT}
        self._pace_by_polling[frozenset(seats)] = (pace, time.monotonic())
        self._polled_at |= dict.fromkeys(seats, time.monotonic())
        return news

    def update_from_peer(self, process: str, seats: Sequence[Hashable], pace: str) -> bool:
        """Another process has screens at this table, and these seats at them; it will soon say so again. Whether that is news."""
        news = not all(self.is_here(seat) for seat in seats)
        self._pace_by_peer[process] = (pace, time.monotonic())
        self._peer_seen_at |= dict.fromkeys(seats, time.monotonic())
        return news

    @property
    def present(self) -> list[str]:
        """Those who are at screens of this process."""
        now = time.monotonic()
        return sorted(
            {
                str(seat)
                for seat in (*self._screens_by_seat, *self._polled_at)
                if self.has_screen(seat) or self._is_recent(self._polled_at, seat, now)
            }
        )

    def is_here(self, seat: Hashable, include_expected: bool = True) -> bool:
        """Or expected, if we are `waiting`."""
        if self.has_screen(seat):
            return True
        now = time.monotonic()
        return (
            (include_expected and now < self._expected_until)
            or self._is_recent(self._polled_at, seat, now)
            or self._is_recent(self._peer_seen_at, seat, now)
        )

    @staticmethod
    def _is_recent(seen: Mapping[Hashable, float], seat: Hashable, now: float) -> bool:
        return now - seen.get(seat, -POLL_TIMEOUT) < POLL_TIMEOUT

    def has_screen(self, seat: Hashable) -> bool:
        return self._screens_by_seat[seat] > 0

    def seconds_away(self, seat: Hashable) -> float:
        """For how many seconds the seat has not been here, as far as we have been here ourselves."""
        if self.has_screen(seat):
            return 0.0
        glimpsed = max(seen.get(seat, 0.0) for seen in (self._polled_at, self._peer_seen_at)) + POLL_TIMEOUT
        seen = max(self._started_at, self._expected_until, self._left_at.get(seat, 0.0), glimpsed)
        return max(0.0, time.monotonic() - seen)

    def was_here_since(self, seat: Hashable, moment: float) -> bool:
        """Tell whether the seat was at a screen, or asked, after that moment, as far as this process knows."""
        return self.has_screen(seat) or max(seen.get(seat, 0.0) for seen in (self._left_at, self._polled_at, self._peer_seen_at)) > moment

    def who_is_here(self, seats: int, include_expected: bool = True) -> tuple[bool, ...]:
        return tuple(self.is_here(Seat(seat), include_expected) for seat in range(seats))

    @property
    def idle_seconds(self) -> float:
        """For how many seconds nobody has looked or asked."""
        return 0.0 if self.screens else time.monotonic() - self._last_request_at

    @property
    def is_watched(self) -> bool:
        return bool(self.screens) or self.idle_seconds < IDLE_AFTER or self.is_watched_at_peer

    @property
    def is_watched_at_peer(self) -> bool:
        """Whether somebody looks through another process."""
        return bool(_recent_paces(self._pace_by_peer))

    def set_pace(self, screen: object, pace: str) -> None:
        self._pace_by_screen[screen] = pace

    @property
    def pace_factor(self) -> float:
        """The slowest that anybody asks for."""
        return max((PACES[pace] for pace in (*self._own_paces(), *_recent_paces(self._pace_by_peer))), default=PACES[DEFAULT_PACE])

    @property
    def slowest_pace(self) -> str:
        """The same by its name, of this process's own screens."""
        return max(self._own_paces(), key=PACES.__getitem__, default=DEFAULT_PACE)

    def _own_paces(self) -> list[str]:
        return [*self._pace_by_screen.values(), *_recent_paces(self._pace_by_polling)]


def _recent_paces(paces: Mapping[Any, tuple[str, float]]) -> list[str]:
    """Those that somebody asked for a moment ago."""
    now = time.monotonic()
    return [pace for pace, said in paces.values() if now - said < POLL_TIMEOUT]
