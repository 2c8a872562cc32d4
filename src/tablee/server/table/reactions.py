"""Reactions that players show each other: visible for a few seconds, never stored, one at a time per seat."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import mark, msg
from tablee.server.storage.database import REACTION

if TYPE_CHECKING:
    from tablee.server.table.table import Table

SHOWN_SECONDS = 4.0  # seconds; a seat can give the next reaction when its last is gone
SIGNS = {  # with their meanings; templates/signs.html draws them
    "well-played": mark("Well played"),
    "laugh": mark("Ha ha!"),
    "wow": mark("Oh!"),
    "thanks": mark("Thank you"),
    "hurry": mark("Your turn?"),
}


class TooSoon(TableeError):
    pass


class Reactions:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._active: dict[Seat, tuple[str, float]] = {}

    def give(self, seat: Seat, sign: str) -> None:
        if self.current(seat):
            raise TooSoon(msg("one reaction at a time: wait until the last one is gone"))
        self.show(seat, sign)
        self._table.services.notify_peers(f"{REACTION} {self._table.id} {seat} {sign}")

    def show(self, seat: Seat, sign: str) -> None:
        """Show a reaction, given in this process or another."""
        self._active[seat] = (sign, time.monotonic() + SHOWN_SECONDS)
        self._table.signal.notify()
        asyncio.get_running_loop().call_later(SHOWN_SECONDS + 0.05, self._table.signal.notify)

    def current(self, seat: Seat) -> str:
        """Return the reaction that a seat shows now, if any."""
        sign, until = self._active.get(seat, ("", 0.0))
        return sign if time.monotonic() < until else ""

    @property
    def cache_key(self) -> tuple[tuple[Seat, str], ...]:
        return tuple((seat, sign) for seat in self._active if (sign := self.current(seat)))
