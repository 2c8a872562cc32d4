"""Who is at the table right now: screens that look, seats that are here, and how quickly each screen wants bots to play. Screens may be at
another process, which says so again and again: see `neighbours`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tablee.core.game import Seat

GLIMPSE = 7.0  # seconds that a screen without a socket counts as here
ATTENTION = 60.0  # seconds after which nobody looks any more who has only asked
USUAL = "normal"
PACES = {"slow": 2.5, "normal": 1.0, "quick": 0.25}  # how many times as long a bot waits, as a screen prefers


class Attendance:
    def __init__(self) -> None:
        self.screens = 0
        self._here: Counter[Hashable] = Counter()  # screens open per seat
        self._glimpsed: dict[Hashable, float] = {}  # when a seat without a socket last asked,
        self._told_of: dict[Hashable, float] = {}  # or another process last said that it is at a screen there
        self._left: dict[Hashable, float] = {}  # when a seat's last screen was closed
        self._began = time.monotonic()
        self._asked = time.monotonic()
        self.visited = False  # whether anybody has come to look since the table was opened
        self._expected = 0.0
        self._paces: dict[object, str] = {}  # by screen that holds a seat,
        self._polled: dict[Hashable, tuple[str, float]] = {}  # or by the seats of one without a socket, and when it last asked
        self._elsewhere: dict[str, tuple[str, float]] = {}  # by process: the pace that its screens ask for, and when it last said so

    def come(self, seats: Sequence[Hashable]) -> bool:
        """Whether that is news to the others."""
        news = not all(self.is_here(seat) for seat in seats)
        self.screens += 1
        self._here.update(seats)
        return news

    def go(self, screen: object, seats: Sequence[Hashable]) -> bool:
        self.screens -= 1
        self._here.subtract(seats)
        self._paces.pop(screen, None)
        self._asked = time.monotonic()
        self._left |= dict.fromkeys(seats, self._asked)
        return not all(self.is_here(seat) for seat in seats)

    def excuse(self, seat: Hashable) -> None:
        """Whoever holds the seat from now on has not been away yet."""
        self._left[seat] = time.monotonic()

    def expect(self, until: float) -> None:
        """Everybody is taken to be here until then: the house has just been opened again, and they are on their way back."""
        self._expected = until

    def ask(self) -> None:
        """Somebody wants to know something of the table."""
        self._asked, self.visited = time.monotonic(), True

    def glimpse(self, seats: Sequence[Hashable], pace: str = USUAL) -> bool:
        """Somebody without a socket asks how the table stands, and will soon ask again; whether that is news."""
        news = not all(self.is_here(seat) for seat in seats)
        self._polled = {who: said for who, said in self._polled.items() if said[1] > time.monotonic() - GLIMPSE}
        self._polled[frozenset(seats)] = (pace, time.monotonic())
        self._glimpsed |= dict.fromkeys(seats, time.monotonic())
        return news

    def hear_of(self, process: str, seats: Sequence[Hashable], pace: str) -> bool:
        """Another process has screens at this table, and these seats at them; it will soon say so again. Whether that is news."""
        news = not all(self.is_here(seat) for seat in seats)
        self._elsewhere[process] = (pace, time.monotonic())
        self._told_of |= dict.fromkeys(seats, time.monotonic())
        return news

    @property
    def present(self) -> list[str]:
        """Those who are at screens of this process."""
        now = time.monotonic()
        return sorted(
            {str(seat) for seat in (*self._here, *self._glimpsed) if self.has_screen(seat) or self._fresh(self._glimpsed, seat, now)}
        )

    def is_here(self, seat: Hashable, waiting: bool = True) -> bool:
        """Or expected, if we are `waiting`."""
        if self.has_screen(seat):
            return True
        now = time.monotonic()
        return (waiting and now < self._expected) or self._fresh(self._glimpsed, seat, now) or self._fresh(self._told_of, seat, now)

    @staticmethod
    def _fresh(seen: Mapping[Hashable, float], seat: Hashable, now: float) -> bool:
        return now - seen.get(seat, -GLIMPSE) < GLIMPSE

    def has_screen(self, seat: Hashable) -> bool:
        return self._here[seat] > 0

    def away(self, seat: Hashable) -> float:
        """For how many seconds the seat has not been here, as far as we have been here ourselves."""
        if self.has_screen(seat):
            return 0.0
        glimpsed = max(seen.get(seat, 0.0) for seen in (self._glimpsed, self._told_of)) + GLIMPSE
        seen = max(self._began, self._expected, self._left.get(seat, 0.0), glimpsed)
        return max(0.0, time.monotonic() - seen)

    def was_here_since(self, seat: Hashable, moment: float) -> bool:
        """Tell whether the seat was at a screen, or asked, after that moment, as far as this process knows."""
        return self.has_screen(seat) or max(seen.get(seat, 0.0) for seen in (self._left, self._glimpsed, self._told_of)) > moment

    def here(self, seats: int, waiting: bool = True) -> tuple[bool, ...]:
        return tuple(self.is_here(Seat(seat), waiting) for seat in range(seats))

    @property
    def idle(self) -> float:
        """For how many seconds nobody has looked or asked."""
        return 0.0 if self.screens else time.monotonic() - self._asked

    @property
    def looked_at(self) -> bool:
        return bool(self.screens) or self.idle < ATTENTION or self.elsewhere

    @property
    def elsewhere(self) -> bool:
        """Whether somebody looks through another process."""
        return bool(_still_asked(self._elsewhere))

    def prefer(self, screen: object, pace: str) -> None:
        self._paces[screen] = pace

    @property
    def pace(self) -> float:
        """The slowest that anybody asks for."""
        return max((PACES[pace] for pace in (*self._own_paces(), *_still_asked(self._elsewhere))), default=PACES[USUAL])

    @property
    def slowest(self) -> str:
        """The same by its name, of this process's own screens."""
        return max(self._own_paces(), key=PACES.__getitem__, default=USUAL)

    def _own_paces(self) -> list[str]:
        return [*self._paces.values(), *_still_asked(self._polled)]


def _still_asked(paces: Mapping[Any, tuple[str, float]]) -> list[str]:
    """Those that somebody asked for a moment ago."""
    now = time.monotonic()
    return [pace for pace, said in paces.values() if now - said < GLIMPSE]
