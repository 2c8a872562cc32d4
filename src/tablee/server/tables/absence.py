"""People who are awaited and have been away for a while, or have used up their time: the others may wait, let a bot sit in, or give the
seat to somebody else, in a game with secrets all of them together. Nothing happens by itself, and whoever comes back takes the seat back
with one tap.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.words import say
from tablee.server.kept.kinds import BACK, HANDED, OFFER, STAND_IN
from tablee.server.kept.records import Row, SeatKept, hash_token
from tablee.server.tables.ledger import Change

if TYPE_CHECKING:
    from tablee.server.tables.table import Table

AWAY = 60.0  # seconds after which somebody who is awaited counts as absent
LEVEL = "medium"  # of the bot that sits in


class NotAbsent(TableeError):
    """Whoever is here, or was a moment ago, keeps their seat."""


class Absence:
    def __init__(self, table: Table, patience: float) -> None:
        self._table, self._patience = table, patience
        self._timer: asyncio.TimerHandle | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those whom the others need not wait for any longer."""
        return tuple(seat for seat in self._awaited() if self._is_away(seat) or self._table.clock.is_out(seat))

    def _is_away(self, seat: Seat) -> bool:
        attendance = self._table.attendance
        return not attendance.is_here(seat) and attendance.away(seat) >= self._patience

    def _awaited(self) -> list[Seat]:
        table = self._table
        return [seat for seat in table.match.to_act if seat in table.seating.people and not table.seating.is_bot(seat)]

    def watch(self) -> None:
        """Rings when the next of them has been away for long enough."""
        self.stop()
        attendance = self._table.attendance
        away = [attendance.away(seat) for seat in self._awaited() if not attendance.has_screen(seat)]
        left = [self._patience - each for each in away if each < self._patience]
        left += [time for seat in self._table.clock.runs_for if (time := self._table.clock.left(seat))]
        if left and len(self._table.seating.people) > 1:
            self._timer = asyncio.get_running_loop().call_later(max(min(left), 0.05), self._look)

    def _look(self) -> None:
        if self.seats:
            self._table.bell.ring()
        self.watch()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def stand_in(self, seat: Seat, by: Seat) -> int:
        """A bot plays on there, until its owner takes the seat back."""

        def decide() -> Change | int:
            chair = self._chair_of_somebody_absent(seat)
            return self._table.version if chair.level else self._reseat(seat, replace(chair, level=LEVEL), STAND_IN, by)

        return await self._table.change(decide)

    async def hand_over(self, seat: Seat, by: Seat, name: str = "", own: Collection[Seat] = ()) -> str | None:
        """The token of whoever the seat is given to; the former one opens it no longer. None while others have to want it too; `own` are
        the seats of the screen that asks."""
        token = secrets.token_urlsafe(16)

        def decide() -> Change | int:
            chair, willing = self._chair_of_somebody_absent(seat), {by, *own}
            if not self.to_ask(seat, willing):
                return self._reseat(seat, replace(chair, token_hash=hash_token(token), name=name or chair.name), HANDED, by)
            new = sorted(willing - self._table.ledger.offers.get(seat, frozenset()))
            return Change([Row(f"{seat} {OFFER} {each}", None, OFFER) for each in new]) if new else self._table.version

        await self._table.change(decide)
        return token if self._table.seating.of_hash(hash_token(token)) == seat else None

    def to_ask(self, seat: Seat, willing: Collection[Seat]) -> tuple[Seat, ...]:
        """Whoever opens a seat sees its hand: where there are secrets it is given away, perhaps to whoever asks for it, only if all other
        people who are here want that too."""
        table = self._table
        if not table.game.secrets:
            return ()
        others = sorted(table.seating.people - {seat, *willing} - table.ledger.offers.get(seat, frozenset()))
        return tuple(other for other in others if table.attendance.is_here(other) and not table.seating.is_bot(other))

    async def come_back(self, seat: Seat) -> int:
        """The owner plays again."""

        def decide() -> Change | int:
            chair = self._table.seating.chairs[seat]
            if not chair.level:
                return self._table.version
            return replace(self._reseat(seat, replace(chair, level=""), BACK, seat), in_a_pause=True)

        return await self._table.change(decide)

    def _chair_of_somebody_absent(self, seat: Seat) -> SeatKept:
        table = self._table
        chair = table.seating.chairs[seat] if 0 <= seat < len(table.seating) else None
        if chair is None or chair.kind != "human":
            raise NotAbsent(say("there is nobody there whose seat could be given away"))
        if not (seat in self.seats or (chair.level and self._is_away(seat))):
            raise NotAbsent(
                say("only the seat of somebody who is awaited and has been away for a while, or has no time left, can be given away")
            )
        return chair

    @staticmethod
    def _reseat(seat: Seat, chair: SeatKept, kind: str, by: Seat) -> Change:
        return Change([Row(f"{seat} {kind} {by}", None, kind)], chairs={seat: chair})
