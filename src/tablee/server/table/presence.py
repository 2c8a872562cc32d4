"""Presence at a table: which seats are connected or polling, at which pace their clients want bots to play, and the signal that wakes them.

Clients of another process count while it reports them: see `cluster.py`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tablee.core.game import Seat
from tablee.server.table.config import TableConfig

DEFAULT_PACE = "normal"
PACES = {"slow": 2.5, "normal": 1.0, "quick": 0.25}  # factors of a bot's waiting time


class ChangeSignal:
    def __init__(self) -> None:
        self.generation = 0  # number of changes, including those that are not in the log
        self._listeners: set[asyncio.Event] = set()

    def notify(self) -> None:
        self.generation += 1
        for listener in self._listeners:
            listener.set()

    @contextmanager
    def subscribed(self, listener: asyncio.Event) -> Iterator[None]:
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)


class Presence:
    def __init__(self, config: TableConfig, changed: Callable[[], None]) -> None:
        """Track who is here; `changed` is called when somebody comes or goes."""
        self._changed, self._now, self._poll_timeout, self._idle_after = changed, config.monotonic, config.poll_timeout, config.idle_after
        self.screens = 0
        self._connections_by_seat: Counter[Hashable] = Counter()  # number of connections
        self._polled_at: dict[Hashable, float] = {}  # when a seat last polled
        self._peer_seen_at: dict[Hashable, float] = {}  # when a peer process last reported the seat
        self._left_at: dict[Hashable, float] = {}  # when a connection of the seat last closed
        self._started_at = self._now()
        self._last_request_at = self._now()
        self.visited = False  # whether there was a visit since the table was opened
        self._expected_until = 0.0
        self._pace_by_connection: dict[object, str] = {}  # of connections that hold a seat
        self._pace_by_polling: dict[Hashable, tuple[str, float]] = {}  # by the seats of a polling client: pace, and when it polled
        self._pace_by_peer: dict[str, tuple[str, float]] = {}  # by process: pace of its clients, and when it was reported
        self._timers: dict[Collection[Hashable], asyncio.TimerHandle] = {}  # by the seats of a polling client, or by peer process

    def connect(self, seats: Sequence[Hashable]) -> None:
        """Add a connection."""
        were_here = self._are_here(seats)
        self.screens += 1
        self._connections_by_seat.update(seats)
        if not were_here:
            self._changed()

    def disconnect(self, connection: object, seats: Sequence[Hashable]) -> None:
        self.screens -= 1
        self._connections_by_seat.subtract(seats)
        self._pace_by_connection.pop(connection, None)
        self._last_request_at = self._now()
        self._left_at |= dict.fromkeys(seats, self._last_request_at)
        if not self._are_here(seats):
            self._changed()

    def reset_absence(self, seat: Hashable) -> None:
        """Count the seat's absence from now on, for its new owner."""
        self._left_at[seat] = self._now()

    def expect_everyone_until(self, until: float) -> None:
        """Treat everybody as here until then: the server has just started, and clients reconnect."""
        self._expected_until = until

    def touch(self) -> None:
        """Record a visit to the table."""
        self._last_request_at, self.visited = self._now(), True

    def poll(self, seats: Sequence[Hashable], pace: str = DEFAULT_PACE) -> None:
        """Record a poll by the client of these seats."""
        if seats:
            were_here = self._are_here(seats)
            recent = self._now() - self._poll_timeout
            self._pace_by_polling = {keys: entry for keys, entry in self._pace_by_polling.items() if entry[1] > recent}
            self._pace_by_polling[frozenset(seats)] = (pace, self._now())
            self._polled_at |= dict.fromkeys(seats, self._now())
            self._expire_later(frozenset(seats), were_here)

    def update_from_peer(self, process: str, seats: Sequence[Hashable], pace: str) -> None:
        """Record the seats another process reports as connected to it."""
        were_here = self._are_here(seats)
        self._pace_by_peer[process] = (pace, self._now())
        self._peer_seen_at |= dict.fromkeys(seats, self._now())
        self._expire_later((process,), were_here)

    def _expire_later(self, keys: Collection[Hashable], were_here: bool) -> None:
        """Call `changed` when the record of these keys expires, and now if they were not here before."""
        if keys in self._timers:
            self._timers.pop(keys).cancel()
        self._timers[keys] = asyncio.get_running_loop().call_later(self._poll_timeout, self._expire, keys)
        if not were_here:
            self._changed()

    def _expire(self, keys: Collection[Hashable]) -> None:
        del self._timers[keys]
        self._changed()

    def stop(self) -> None:
        for each in self._timers.values():
            each.cancel()

    @property
    def present(self) -> list[str]:
        """Return the seats connected to this process or polling it."""
        now = self._now()
        return sorted(
            {
                str(seat)
                for seat in (*self._connections_by_seat, *self._polled_at)
                if self.has_screen(seat) or self._is_recent(self._polled_at, seat, now)
            }
        )

    def _are_here(self, seats: Sequence[Hashable]) -> bool:
        return all(self.is_here(seat) for seat in seats)

    def is_here(self, seat: Hashable, include_expected: bool = True) -> bool:
        """Return whether the seat is connected, polling or reported by a peer; `include_expected` adds those expected to reconnect."""
        if self.has_screen(seat):
            return True
        now = self._now()
        return (
            (include_expected and now < self._expected_until)
            or self._is_recent(self._polled_at, seat, now)
            or self._is_recent(self._peer_seen_at, seat, now)
        )

    def _is_recent(self, seen: Mapping[Hashable, float], seat: Hashable, now: float) -> bool:
        return now - seen.get(seat, -self._poll_timeout) < self._poll_timeout

    def has_screen(self, seat: Hashable) -> bool:
        return self._connections_by_seat[seat] > 0

    def seconds_away(self, seat: Hashable) -> float:
        """Return for how many seconds the seat has been away, counted at most from the opening of the table."""
        if self.has_screen(seat):
            return 0.0
        poll_expired_at = max(seen.get(seat, 0.0) for seen in (self._polled_at, self._peer_seen_at)) + self._poll_timeout
        away_since = max(self._started_at, self._expected_until, self._left_at.get(seat, 0.0), poll_expired_at)
        return max(0.0, self._now() - away_since)

    def was_here_since(self, seat: Hashable, moment: float) -> bool:
        """Return whether the seat was connected, polled or was reported by a peer after that moment."""
        return self.has_screen(seat) or max(seen.get(seat, 0.0) for seen in (self._left_at, self._polled_at, self._peer_seen_at)) > moment

    def who_is_here(self, seats: int, include_expected: bool = True) -> tuple[bool, ...]:
        return tuple(self.is_here(Seat(seat), include_expected) for seat in range(seats))

    @property
    def idle_seconds(self) -> float:
        """Return for how many seconds there has been neither a connection nor a visit."""
        return 0.0 if self.screens else self._now() - self._last_request_at

    @property
    def is_watched(self) -> bool:
        return bool(self.screens) or self.idle_seconds < self._idle_after or self.is_watched_at_peer

    @property
    def is_watched_at_peer(self) -> bool:
        """Return whether another process has reported clients of this table recently."""
        return bool(self._recent_paces(self._pace_by_peer))

    def set_pace(self, connection: object, pace: str) -> None:
        self._pace_by_connection[connection] = pace

    @property
    def pace_factor(self) -> float:
        """Return the factor of the slowest pace that any client asks for."""
        return max((PACES[pace] for pace in (*self._own_paces(), *self._recent_paces(self._pace_by_peer))), default=PACES[DEFAULT_PACE])

    @property
    def slowest_pace(self) -> str:
        """Return the name of the slowest pace that clients of this process ask for."""
        return max(self._own_paces(), key=PACES.__getitem__, default=DEFAULT_PACE)

    def _own_paces(self) -> list[str]:
        return [*self._pace_by_connection.values(), *self._recent_paces(self._pace_by_polling)]

    def _recent_paces(self, paces: Mapping[Any, tuple[str, float]]) -> list[str]:
        """Return the paces that have not expired."""
        now = self._now()
        return [pace for pace, received_at in paces.values() if now - received_at < self._poll_timeout]
