"""The time that each seat has for the whole game, where the host wants clocks. It counts while the seat is awaited, and stands while the
table is paused, a bot sits in or the server does not run: what passed since the last line is then forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tablee.core.game import Seat
from tablee.server.kept.records import SeatKept

if TYPE_CHECKING:
    from tablee.server.tables.table import Table


@dataclass(frozen=True)
class Reading:
    """A clock as it was when it was last looked at: milliseconds left then, whether it has run since, and when that was by the wall."""

    left: int
    runs: bool
    since: int


class Clock:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._since, self._wall = time.monotonic(), time.time()

    @property
    def runs_for(self) -> tuple[Seat, ...]:
        """Whose time counts right now."""
        table = self._table
        if not table.settings.clock or table.paused:
            return ()
        return tuple(seat for seat in table.match.to_act if seat in table.seating.people and not table.seating.is_bot(seat))

    def left(self, seat: Seat) -> float:
        """In seconds."""
        running = time.monotonic() - self._since if seat in self.runs_for else 0.0
        return max(0.0, self._table.settings.clock - self._table.seating.chairs[seat].used / 1000 - running)

    def is_out(self, seat: Seat) -> bool:
        return seat in self.runs_for and not self.left(seat)

    def chairs(self) -> Mapping[int, SeatKept]:
        """The chairs of those whose time has counted, with what they have used up to now."""
        used = round(1000 * (time.monotonic() - self._since))
        chairs = self._table.seating.chairs
        return {seat: replace(chairs[seat], used=chairs[seat].used + used) for seat in self.runs_for}

    def restart(self) -> None:
        """What was used is written down: the next stretch begins."""
        self._since, self._wall = time.monotonic(), time.time()

    def read(self, seat: Seat) -> Reading | None:
        clock, chair = self._table.settings.clock, self._table.seating.chairs[seat]
        if not clock or chair.kind != "human":
            return None
        return Reading(max(0, 1000 * clock - chair.used), seat in self.runs_for, round(1000 * self._wall))

    @property
    def mark(self) -> float:
        """Another one whenever a picture of the clocks would be out of date."""
        return self._wall if self._table.settings.clock else 0.0
