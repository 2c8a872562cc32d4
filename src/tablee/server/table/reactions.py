"""A quick sign that a player gives the others: it stands on the card for a few seconds, is written nowhere, and comes now and then only."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import note, say
from tablee.server.storage.notifications import SIGN

if TYPE_CHECKING:
    from tablee.server.table.table import Table

SHOWN = 4.0  # seconds; a seat gives the next sign when its last is gone
SIGNS = {  # and what each means; templates/signs.html draws them
    "well-played": note("Well played"),
    "laugh": note("Ha ha!"),
    "wow": note("Oh!"),
    "thanks": note("Thank you"),
    "hurry": note("Your turn?"),
}


class TooSoon(TableeError):
    pass


class Reactions:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._given: dict[Seat, tuple[str, float]] = {}

    def give(self, seat: Seat, sign: str) -> None:
        if self.of(seat):
            raise TooSoon(say("one reaction at a time: wait until the last one is gone"))
        self.show(seat, sign)
        self._table.staff.tell(f"{SIGN} {self._table.id} {seat} {sign}")

    def show(self, seat: Seat, sign: str) -> None:
        """Also one that was given at another process."""
        self._given[seat] = (sign, time.monotonic() + SHOWN)
        self._table.bell.ring()
        asyncio.get_running_loop().call_later(SHOWN + 0.05, self._table.bell.ring)

    def of(self, seat: Seat) -> str:
        """The sign that a seat shows now, if any."""
        sign, until = self._given.get(seat, ("", 0.0))
        return sign if time.monotonic() < until else ""

    @property
    def mark(self) -> tuple[tuple[Seat, str], ...]:
        return tuple((seat, sign) for seat in self._given if (sign := self.of(seat)))
