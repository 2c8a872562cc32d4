"""Coach of one table: hints during a game that allows them, and the review of a finished game."""

from __future__ import annotations

import asyncio
import time

from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.core.errors import NotYourTurn, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Message, msg
from tablee.server.ops.error_reports import report
from tablee.server.table.bot_executor import BotExecutor, is_uncompiled
from tablee.server.table.review import Review, review_match
from tablee.server.table.services import TableStore
from tablee.server.table.state import TableState

NOTIFY_INTERVAL = 0.7  # seconds between two notifications of progress


class NoHints(TableeError):
    pass


class Coach:
    def __init__(self, state: TableState, store: TableStore, executor: BotExecutor) -> None:
        self._state, self._store, self._executor = state, store, executor
        self.review: Review | None = None  # as far as computed, once requested
        self._review_task: asyncio.Task[None] | None = None
        self._hints: dict[tuple[int, Seat], asyncio.Task[Advice]] = {}  # by version
        self._notified_at = 0.0

    async def hint(self, seat: Seat) -> Advice:
        """Return the coach's advice for a seat that is to act, at a table that allows hints; computed once per version and seat."""
        state = self._state
        if not state.settings.hints:
            raise NoHints(msg("the coach cannot be asked at this table"))
        if seat not in state.match.to_act or is_uncompiled(state.game):
            raise NotYourTurn(msg("the coach has nothing to say right now"))
        request = (state.version, seat)
        if request not in self._hints:
            self._hints = {key: task for key, task in self._hints.items() if key[0] == state.version}
            self._hints[request] = asyncio.get_running_loop().create_task(self._advise(seat))
        try:
            return await asyncio.shield(self._hints[request])
        except Exception:
            self._hints.pop(request, None)  # the next request computes again
            raise

    async def _advise(self, seat: Seat) -> Advice:
        match, budget = self._state.match.branch(), self._state.config.coach
        return await self._executor.run(coach.hint, match, seat, budget.hint, budget.follow_up)

    def start_review(self) -> None:
        """Start the review of a finished game, once."""
        state = self._state
        if self._review_task is None and state.done and not is_uncompiled(state.game):
            self._review_task = asyncio.get_running_loop().create_task(self._review())

    def stop(self) -> None:
        for task in (self._review_task, *self._hints.values()):
            if task is not None:
                task.cancel()

    async def _review(self) -> None:
        """Load the stored review or compute a new one; after a failure there is no retry until the table is opened again."""
        state = self._state
        try:
            self.review = await asyncio.to_thread(self._load_review) or await self._compute_review()
        except Exception as error:
            report(error)
        state.signal.notify()

    def _load_review(self) -> Review | None:
        stored = self._store.load_review(self._state.id)
        return None if stored is None else Review.from_json(self._state.match, stored)

    async def _compute_review(self) -> Review:
        state = self._state
        review = await review_match(state.match, state.seating.people, state.config.coach, self._executor.run, self._on_progress)
        await asyncio.to_thread(self._store.save_review, state.id, review.to_json())
        return review

    async def _on_progress(self, review: Review) -> None:
        """Notify clients of progress at intervals, not after every piece."""
        self.review = review
        if time.monotonic() - self._notified_at > NOTIFY_INTERVAL:
            self._notified_at = time.monotonic()
            self._state.signal.notify()


def hint_reason(advice: Advice, best_now: Message) -> Message:
    """Return the reason for a hint; `best_now` is the move that looks best right away, in the infinitive."""
    if advice.better[0] == advice.played[0]:
        return msg("It also looks best right away.")
    if (points := round(advice.points)) > 1:
        gain = msg(
            "in the long run the coach's way should bring about {count} point more",
            "in the long run the coach's way should bring about {count} points more",
            count=points,
        )
    elif (percent := round(100 * advice.share)) > 0:
        gain = msg("in the long run the coach's way should win {percent} % more often", percent=percent)
    else:
        gain = msg("in the long run both come to about the same")
    return msg("Right away it looks better to {deed}; {gain}.", deed=best_now, gain=gain)
