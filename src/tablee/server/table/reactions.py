"""Reactions that players show each other: visible for a few seconds, never stored, one at a time per seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import mark, msg
from tablee.server.table.state import TableState

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
    def __init__(self, state: TableState, announce: Callable[[str, Seat, str], None]) -> None:
        """Show reactions; `announce` tells the other processes."""
        self._state, self._announce = state, announce
        self._active: dict[Seat, tuple[str, float]] = {}

    def give(self, seat: Seat, sign: str) -> None:
        if self.current(seat):
            raise TooSoon(msg("one reaction at a time: wait until the last one is gone"))
        self.show(seat, sign)
        self._announce(self._state.id, seat, sign)

    def show(self, seat: Seat, sign: str) -> None:
        """Show a reaction, given in this process or another."""
        seconds, signal = self._state.config.reaction_seconds, self._state.signal
        self._active[seat] = (sign, self._state.config.monotonic() + seconds)
        signal.notify()
        asyncio.get_running_loop().call_later(seconds + 0.05, signal.notify)

    def current(self, seat: Seat) -> str:
        """Return the reaction that a seat shows now, if any."""
        sign, until = self._active.get(seat, ("", 0.0))
        return sign if self._state.config.monotonic() < until else ""

    @property
    def cache_key(self) -> tuple[tuple[Seat, str], ...]:
        return tuple((seat, sign) for seat in self._active if (sign := self.current(seat)))
