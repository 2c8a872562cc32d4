"""The time that each seat has for the whole game, where the host wants clocks. It counts while the seat is awaited, and stands while the
table is paused, a bot sits in, or the table is put away because nobody is there or the server ends. What was used by then is kept; if the
server is killed, and for another process, the clock goes on from the wall time that is kept with the last line.
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
    """A clock as it was when it was last looked at: milliseconds left then, whether it has run since, and when that was by the wall."""

    left: int
    runs: bool
    since: int


def clock_start_ms(settings: TableSettings) -> int:
    """Since when the clocks of a table run that are started now, in milliseconds of the wall; 0 where there are none."""
    return round(1000 * time.time()) if settings.clock else 0


class Clock:
    def __init__(self, table: Table, started_ms: int) -> None:
        """`ticking` is since when it runs, in milliseconds of the wall; 0 is now."""
        self._table = table
        self.restart(started_ms)

    @property
    def running_seats(self) -> tuple[Seat, ...]:
        """Whose time counts right now."""
        table = self._table
        if not table.settings.clock or table.paused:
            return ()
        return tuple(seat for seat in table.match.to_act if seat in table.seating.people and not table.seating.is_bot(seat))

    def seconds_left(self, seat: Seat) -> float:
        """In seconds."""
        running = time.monotonic() - self._started_monotonic if seat in self.running_seats else 0.0
        return max(0.0, self._table.settings.clock - self._table.seating.seats[seat].used / 1000 - running)

    def is_out_of_time(self, seat: Seat) -> bool:
        return seat in self.running_seats and not self.seconds_left(seat)

    def seats_with_time_used(self) -> Mapping[int, StoredSeat]:
        """The chairs of those whose time has counted, with what they have used up to now."""
        used, all_of_it = round(1000 * (time.monotonic() - self._started_monotonic)), 1000 * self._table.settings.clock
        chairs = self._table.seating.seats
        return {seat: replace(chairs[seat], used=min(chairs[seat].used + used, all_of_it)) for seat in self.running_seats}

    def restart(self, started_ms: int = 0) -> None:
        """What was used is written down: the next stretch begins, now or as another process or an earlier one has kept it."""
        self._started_at = started_ms / 1000 if started_ms else time.time()
        self._started_monotonic = time.monotonic() - max(0.0, time.time() - self._started_at)

    def reading(self, seat: Seat) -> ClockReading | None:
        clock, chair = self._table.settings.clock, self._table.seating.seats[seat]
        if not clock or chair.kind != "human":
            return None
        return ClockReading(max(0, 1000 * clock - chair.used), seat in self.running_seats, round(1000 * self._started_at))

    @property
    def cache_key(self) -> float:
        """Another one whenever a picture of the clocks would be out of date."""
        return self._started_at if self._table.settings.clock else 0.0
