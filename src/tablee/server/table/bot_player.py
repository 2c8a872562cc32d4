"""Task that plays the bots' seats of a table; it stops while nobody watches, unless all players are bots."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from tablee.core.errors import RulesError, TableeError
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import msg
from tablee.server.table.config import Services
from tablee.server.table.decisions import play_turn
from tablee.server.table.log import BOT_ID_PREFIX, Change, Decision
from tablee.server.table.models import HURRIED, ConflictError, LogLine
from tablee.server.table.state import TableState

MAX_RETRIES = 10  # failures in a row after which it rests if nobody watches

logger = logging.getLogger(__name__)


class BotPlayer:
    def __init__(
        self,
        state: TableState,
        services: Services,
        change: Callable[[Decision], Awaitable[int]],
        report_error: Callable[[Exception], int],
    ) -> None:
        """Play at a table whose `change` commits a decision, and whose `report_error` reports an error of the rules."""
        self._state, self._services, self._change, self._report_error = state, services, change, report_error
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
        state = self._state
        if state.tutorial or state.paused or (state.seating.people and not state.presence.is_watched):
            return None  # a lesson plays the bots' moves itself
        return next((seat for seat in state.match.to_act if seat != NATURE and state.seating.is_bot(seat)), None)

    async def _play(self) -> None:
        """Play while a bot is to act; check again after every wait, since a player may have taken the seat back."""
        state, last, failed = self._state, None, 0
        while (seat := self._next_bot()) is not None:
            if seat != last and len(state.match.to_act) == 1:
                last = seat
                await asyncio.sleep(state.config.bot_pace * state.presence.pace_factor)
                continue
            last = seat
            try:
                if not await self._services.acquire_lease(state.id):
                    await asyncio.sleep(state.config.bot_retry_delay)  # another process holds the lease, and notifies this one of the move
                    continue
                await self._play_turn(seat)
                failed = 0
            except Exception as error:
                if isinstance(error, RulesError) or not isinstance(error, TableeError):
                    self._report_error(error)
                    state.signal.notify()
                    return
                failed += 1  # the store is busy or the table moved on: try again
                if failed == 1:
                    logger.warning("a bot at %s could not play, and looks again: %s", state.game.key, type(error).__name__)
                if failed >= MAX_RETRIES and not state.presence.is_watched:
                    return  # the next visit wakes it
                await asyncio.sleep(state.config.bot_retry_delay)

    async def _play_turn(self, seat: Seat) -> None:
        state, version = self._state, self._state.version
        decision = await self._services.bot_executor.choose(state.match, seat, state.seating.seats[seat].level)
        decide_turn = play_turn(state, seat, [state.game.show(decision.move)], version, f"{BOT_ID_PREFIX}{version}")

        def decide() -> Change | int:
            if not state.seating.is_bot(seat):
                raise ConflictError(msg("the game has moved on"))
            change = decide_turn()
            if isinstance(change, int) or not decision.is_fallback:
                return change
            return replace(change, rows=[LogLine(f"{seat} {HURRIED}", None, HURRIED), *change.rows])

        await self._change(decide)
