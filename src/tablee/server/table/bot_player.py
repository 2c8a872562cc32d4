"""Task that plays the bots' seats of a table; it stops while nobody watches, unless all players are bots."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from tablee.core.errors import RulesError, TableeError
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import msg
from tablee.server.storage.database import ConflictError
from tablee.server.storage.models import LogLine
from tablee.server.storage.schema import HURRIED
from tablee.server.table.log import BOT_ID_PREFIX, Change

if TYPE_CHECKING:
    from tablee.server.table.table import Table

RETRY_DELAY = 1.0  # seconds before a bot tries again
MAX_RETRIES = 10  # failures in a row after which it rests if nobody watches

logger = logging.getLogger(__name__)


class BotPlayer:
    def __init__(self, table: Table, pace: float) -> None:
        self._table = table
        self._pace = pace  # seconds a bot waits before its turn, so that people can follow
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Start playing if a bot is to act; also called on every visit, so that a restart never leaves a bot asleep."""
        if self._next_bot() is not None and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._play())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def _next_bot(self) -> Seat | None:
        """Return the bot that is to act, if it may."""
        table = self._table
        if (
            table.tutorial or table.paused or (table.seating.people and not table.presence.is_watched)
        ):  # a lesson plays the bots' moves itself
            return None
        return next((seat for seat in table.match.to_act if seat != NATURE and table.seating.is_bot(seat)), None)

    async def _play(self) -> None:
        """Play while a bot is to act; check again after every wait, since a player may have taken the seat back."""
        table, last, failed = self._table, None, 0
        while (seat := self._next_bot()) is not None:
            if seat != last and len(table.match.to_act) == 1:
                last = seat
                await asyncio.sleep(self._pace * table.presence.pace_factor)
                continue
            last = seat
            try:
                if not await table.services.leases.acquire(table.id):
                    await asyncio.sleep(RETRY_DELAY)  # another process holds the lease, and notifies this one of the move
                    continue
                await self._play_turn(seat)
                failed = 0
            except Exception as error:
                if isinstance(error, RulesError) or not isinstance(error, TableeError):
                    table.report_error(error)
                    table.signal.notify()
                    return
                failed += 1  # the store is busy or the table moved on: try again
                if failed == 1:
                    logger.warning("a bot at %s could not play, and looks again: %s", table.game.key, type(error).__name__)
                if failed >= MAX_RETRIES and not table.presence.is_watched:
                    return  # the next visit wakes it
                await asyncio.sleep(RETRY_DELAY)

    async def _play_turn(self, seat: Seat) -> None:
        table, version = self._table, self._table.version
        decision = await table.services.bot_executor.choose(table.match, seat, table.seating.seats[seat].level)
        decide_turn = table.turn_decision(seat, [table.game.show(decision.move)], version, f"{BOT_ID_PREFIX}{version}")

        def decide() -> Change | int:
            if not table.seating.is_bot(seat):
                raise ConflictError(msg("the game has moved on"))
            change = decide_turn()
            if isinstance(change, int) or not decision.is_fallback:
                return change
            return replace(change, rows=[LogLine(f"{seat} {HURRIED}", None, HURRIED), *change.rows])

        await table.change(decide)
