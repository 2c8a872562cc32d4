"""The seats of a table that bots play. They rest while nobody looks, unless they are among themselves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import NATURE, Seat
from tablee.server.kept.kinds import HURRIED

if TYPE_CHECKING:
    from tablee.server.tables.table import Table

LATER = 1.0  # seconds before a bot looks again


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
        table, last = self._table, None
        while (seat := self._awaited()) is not None:
            if seat != last and len(table.match.to_act) == 1:
                await asyncio.sleep(self._pace * table.attendance.pace)
            last = seat
            try:
                if not await asyncio.to_thread(table.staff.leases.take, table.id):
                    await asyncio.sleep(LATER)  # another process thinks here, and tells when it has
                    continue
                await self._turn(seat)
            except TableeError:
                await asyncio.sleep(LATER)  # the store is busy or the table moved on: look again
            except Exception as error:
                table.stumble(error)
                table.bell.ring()
                return

    async def _turn(self, seat: Seat) -> None:
        table = self._table
        match, version = table.match, table.version
        thought = await table.staff.thinkers.choose(match, seat, table.seating.chairs[seat].level)
        if thought.hurried:
            version = await table.note(seat, HURRIED, version)
        await table.play(seat, table.game.show(thought.move), version, f"bot-{version}")
