"""Clocks of a table, where the host wants them: the time that each seat has for the whole game.

A clock runs while its seat is to act; it stops while the table is paused or closed or a bot stands in, and the time used is stored. After
a crash, and in another process, it goes on from the wall time stored with the last line.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tablee.core.game import Seat
from tablee.server.storage.models import StoredSeat, TableSettings

if TYPE_CHECKING:
    from tablee.server.table.table import Table


@dataclass(frozen=True)
class ClockReading:
    """A clock as last stored: milliseconds left at `since` (wall time in milliseconds), and whether it has run from then on."""

    left: int
    runs: bool
    since: int


def clock_start_ms(settings: TableSettings) -> int:
    """Return the wall time in milliseconds for clocks that start now, 0 at a table without clocks."""
    return round(1000 * time.time()) if settings.clock else 0


class Clock:
    def __init__(self, table: Table, started_ms: int) -> None:
        """Start the clock; `started_ms` is since when it runs, in milliseconds of wall time, 0 for now."""
        self._table = table
        self.restart(started_ms)

    @property
    def running_seats(self) -> tuple[Seat, ...]:
        """Return the seats whose clocks run right now."""
        table = self._table
        if not table.settings.clock or table.paused:
            return ()
        return tuple(seat for seat in table.match.to_act if seat in table.seating.people and not table.seating.is_bot(seat))

    def seconds_left(self, seat: Seat) -> float:
        running = time.monotonic() - self._started_monotonic if seat in self.running_seats else 0.0
        return max(0.0, self._table.settings.clock - self._table.seating.seats[seat].used / 1000 - running)

    def is_out_of_time(self, seat: Seat) -> bool:
        return seat in self.running_seats and not self.seconds_left(seat)

    def seats_with_time_used(self) -> Mapping[int, StoredSeat]:
        """Return the seats whose clocks run, with their time used up to now."""
        elapsed, limit = round(1000 * (time.monotonic() - self._started_monotonic)), 1000 * self._table.settings.clock
        seats = self._table.seating.seats
        return {seat: replace(seats[seat], used=min(seats[seat].used + elapsed, limit)) for seat in self.running_seats}

    def restart(self, started_ms: int = 0) -> None:
        """Begin the next stretch once the time used is stored: now, or at the stored wall time."""
        self._started_at = started_ms / 1000 if started_ms else time.time()
        self._started_monotonic = time.monotonic() - max(0.0, time.time() - self._started_at)

    def reading(self, seat: Seat) -> ClockReading | None:
        clock, stored_seat = self._table.settings.clock, self._table.seating.seats[seat]
        if not clock or stored_seat.kind != "human":
            return None
        return ClockReading(max(0, 1000 * clock - stored_seat.used), seat in self.running_seats, round(1000 * self._started_at))

    @property
    def cache_key(self) -> float:
        """Return a value that changes whenever a rendered clock is out of date."""
        return self._started_at if self._table.settings.clock else 0.0
