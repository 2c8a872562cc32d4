"""The seats of a table that bots play. They rest while nobody looks, unless they are among themselves."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from tablee.core.errors import RulesError, TableeError
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import say
from tablee.server.storage.database import TableMovedOn
from tablee.server.storage.line_kinds import HURRIED
from tablee.server.storage.models import Row
from tablee.server.table.log import BOT, Change

if TYPE_CHECKING:
    from tablee.server.table.table import Table

LATER = 1.0  # seconds before a bot looks again,
TRIES = 10  # and how often it fails before it rests where nobody looks

logger = logging.getLogger(__name__)


class BotSeats:
    def __init__(self, table: Table, pace: float) -> None:
        self._table = table
        self._pace = pace  # seconds a bot waits before its turn, so that people can follow
        self._playing: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Also called whenever somebody comes to look, so a restart never leaves a bot asleep."""
        if self._awaited() is not None and (self._playing is None or self._playing.done()):
            self._playing = asyncio.get_running_loop().create_task(self._play())

    def stop(self) -> None:
        if self._playing is not None:
            self._playing.cancel()

    @property
    def busy(self) -> bool:
        return self._playing is not None and not self._playing.done()

    def _awaited(self) -> Seat | None:
        """The bot that is to play, if it may."""
        table = self._table
        if table.lesson or table.paused or (table.seating.people and not table.attendance.looked_at):  # a lesson plays for everybody
            return None
        return next((seat for seat in table.match.to_act if seat != NATURE and table.seating.is_bot(seat)), None)

    async def _play(self) -> None:
        """Whatever it waited for, it looks again whether it is still its turn: somebody may have taken their seat back meanwhile."""
        table, last, failed = self._table, None, 0
        while (seat := self._awaited()) is not None:
            if seat != last and len(table.match.to_act) == 1:
                last = seat
                await asyncio.sleep(self._pace * table.attendance.pace)
                continue
            last = seat
            try:
                if not await table.staff.leases.take(table.id):
                    await asyncio.sleep(LATER)  # another process thinks here, and tells when it has
                    continue
                await self._turn(seat)
                failed = 0
            except Exception as error:
                if isinstance(error, RulesError) or not isinstance(error, TableeError):
                    table.stumble(error)
                    table.bell.ring()
                    return
                failed += 1  # the store is busy or the table moved on: look again
                if failed == 1:
                    logger.warning("a bot at %s could not play, and looks again: %s", table.game.key, type(error).__name__)
                if failed >= TRIES and not table.attendance.looked_at:
                    return  # whoever comes to look wakes it
                await asyncio.sleep(LATER)

    async def _turn(self, seat: Seat) -> None:
        table, version = self._table, self._table.version
        thought = await table.staff.thinkers.choose(table.match, seat, table.seating.chairs[seat].level)
        turn = table.turn(seat, [table.game.show(thought.move)], version, f"{BOT}{version}")

        def decide() -> Change | int:
            if not table.seating.is_bot(seat):
                raise TableMovedOn(say("the game has moved on"))
            wanted = turn()
            if isinstance(wanted, int) or not thought.hurried:
                return wanted
            return replace(wanted, rows=[Row(f"{seat} {HURRIED}", None, HURRIED), *wanted.rows])

        await table.change(decide)
