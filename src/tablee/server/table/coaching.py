"""The coach of one table: a hint while a game is played that allows it, and a look back when it is over."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.core.errors import NotYourTurn, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Message, msg
from tablee.server.ops.error_reports import report
from tablee.server.table.bot_executor import is_uncompiled
from tablee.server.table.review import Review, review_match

if TYPE_CHECKING:
    from tablee.server.table.table import Table

NOTIFY_INTERVAL = 0.7  # seconds between two words of the coach


class NoHints(TableeError):
    pass


class Coach:
    def __init__(self, table: Table) -> None:
        self._table = table
        self.review: Review | None = None  # what was found so far, once somebody asked
        self._review_task: asyncio.Task[None] | None = None
        self._hints: dict[tuple[int, Seat], asyncio.Task[Advice]] = {}  # by version
        self._notified_at = 0.0

    async def hint(self, seat: Seat) -> Advice:
        """What the coach would play; for a table that allows it, and a seat that has a choice. Asked twice, it thinks once."""
        table = self._table
        if not table.settings.hints:
            raise NoHints(msg("the coach cannot be asked at this table"))
        if seat not in table.match.to_act or is_uncompiled(table.game):
            raise NotYourTurn(msg("the coach has nothing to say right now"))
        asked = (table.version, seat)
        if asked not in self._hints:
            self._hints = {key: task for key, task in self._hints.items() if key[0] == table.version}
            self._hints[asked] = asyncio.get_running_loop().create_task(self._advise(seat))
        try:
            return await asyncio.shield(self._hints[asked])
        except Exception:
            self._hints.pop(asked, None)  # whoever asks again is answered anew
            raise

    async def _advise(self, seat: Seat) -> Advice:
        match = self._table.match.branch()
        return await self._table.services.bot_executor.run(coach.hint, match, seat)

    def start_review(self) -> None:
        """Somebody looks back at a game that is over: the coach looks too, once."""
        table = self._table
        if self._review_task is None and table.done and not is_uncompiled(table.game):
            self._review_task = asyncio.get_running_loop().create_task(self._review())

    def stop(self) -> None:
        for task in (self._review_task, *self._hints.values()):
            if task is not None:
                task.cancel()

    async def _review(self) -> None:
        """What was kept, or a new look; if that fails, it would fail again: until the table is opened anew nobody tries."""
        table = self._table
        try:
            self.review = await asyncio.to_thread(self._load_review) or await self._compute_review()
        except Exception as error:
            report(error)
        table.signal.notify()

    def _load_review(self) -> Review | None:
        kept = self._table.store.load_review(self._table.id)
        return None if kept is None else Review.from_json(self._table.match, kept)

    async def _compute_review(self) -> Review:
        table = self._table
        found = await review_match(table.match, table.seating.people, table.services.bot_executor.run, self._on_progress)
        await asyncio.to_thread(table.store.save_review, table.id, found.to_json())
        return found

    async def _on_progress(self, found: Review) -> None:
        """Screens are told a few times a second, not after every piece."""
        self.review = found
        if time.monotonic() - self._notified_at > NOTIFY_INTERVAL:
            self._notified_at = time.monotonic()
            self._table.signal.notify()


def hint_reason(advice: Advice, best_now: Message) -> Message:
    """Why a hint is given; `best_now` is the move that looks best right away, in the infinitive."""
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
