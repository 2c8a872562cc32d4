"""Clocks of a table, where the host wants them: the time that each seat has for the whole game.

A clock runs while its seat is to act; it stops while the table is paused or closed or a bot stands in, and the time used is stored. After
a crash, and in another process, it goes on from the wall time stored with the last line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tablee.core.game import Seat
from tablee.server.table.config import TableConfig
from tablee.server.table.models import StoredSeat, TableSettings
from tablee.server.table.state import TableState


@dataclass(frozen=True)
class ClockReading:
    """A clock as last stored: milliseconds left at `since` (wall time in milliseconds), and whether it has run from then on."""

    left: int
    runs: bool
    since: int

    @property
    def minutes(self) -> str:
        """Return what was left as minutes and seconds."""
        return f"{self.left // 60_000}:{self.left // 1000 % 60:02}"


def clock_start_ms(settings: TableSettings, config: TableConfig) -> int:
    """Return the wall time in milliseconds for clocks that start now, 0 at a table without clocks."""
    return round(1000 * config.wall_time()) if settings.clock else 0


class Clock:
    def __init__(self, state: TableState, started_ms: int) -> None:
        """Start the clock; `started_ms` is since when it runs, in milliseconds of wall time, 0 for now."""
        self._state = state
        self.restart(started_ms)

    @property
    def running_seats(self) -> tuple[Seat, ...]:
        """Return the seats whose clocks run right now."""
        return tuple(self._state.people_to_act) if self._state.settings.clock and not self._state.paused else ()

    def seconds_left(self, seat: Seat) -> float:
        running = self._state.config.monotonic() - self._started_monotonic if seat in self.running_seats else 0.0
        return max(0.0, self._state.settings.clock - self._state.seating.seats[seat].used / 1000 - running)

    def is_out_of_time(self, seat: Seat) -> bool:
        return seat in self.running_seats and not self.seconds_left(seat)

    def seats_with_time_used(self) -> Mapping[int, StoredSeat]:
        """Return the seats whose clocks run, with their time used up to now."""
        elapsed, limit = round(1000 * (self._state.config.monotonic() - self._started_monotonic)), 1000 * self._state.settings.clock
        seats = self._state.seating.seats
        return {seat: replace(seats[seat], used=min(seats[seat].used + elapsed, limit)) for seat in self.running_seats}

    def restart(self, started_ms: int = 0) -> None:
        """Begin the next stretch once the time used is stored: now, or at the stored wall time."""
        self._started_at = started_ms / 1000 if started_ms else self._state.config.wall_time()
        self._started_monotonic = self._state.config.monotonic() - max(0.0, self._state.config.wall_time() - self._started_at)

    def reading(self, seat: Seat) -> ClockReading | None:
        clock, stored_seat = self._state.settings.clock, self._state.seating.seats[seat]
        if not clock or stored_seat.kind == "bot":
            return None
        return ClockReading(max(0, 1000 * clock - stored_seat.used), seat in self.running_seats, round(1000 * self._started_at))

    @property
    def cache_key(self) -> float:
        """Return a value that changes whenever a rendered clock is out of date."""
        return self._started_at if self._state.settings.clock else 0.0
