"""The coach of one table: a hint while a game is played that allows it, and a look back when it is over."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.core.errors import NotYourTurn, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Say, say
from tablee.server.ops.error_reports import report
from tablee.server.table.bot_executor import is_slow
from tablee.server.table.review import Review, review

if TYPE_CHECKING:
    from tablee.server.table.table import Table

TOLD_EVERY = 0.7  # seconds between two words of the coach


class NoHints(TableeError):
    pass


class Coach:
    def __init__(self, table: Table) -> None:
        self._table = table
        self.review: Review | None = None  # what was found so far, once somebody asked
        self._reviewing: asyncio.Task[None] | None = None
        self._hints: dict[tuple[int, Seat], asyncio.Task[Advice]] = {}  # by version
        self._told_at = 0.0

    async def hint(self, seat: Seat) -> Advice:
        """What the coach would play; for a table that allows it, and a seat that has a choice. Asked twice, it thinks once."""
        table = self._table
        if not table.settings.hints:
            raise NoHints(say("the coach cannot be asked at this table"))
        if seat not in table.match.to_act or is_slow(table.game):
            raise NotYourTurn(say("the coach has nothing to say right now"))
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
        return await self._table.staff.thinkers.work(coach.hint, match, seat)

    def look_back(self) -> None:
        """Somebody looks back at a game that is over: the coach looks too, once."""
        table = self._table
        if self._reviewing is None and table.done and not is_slow(table.game):
            self._reviewing = asyncio.get_running_loop().create_task(self._review())

    def stop(self) -> None:
        for task in (self._reviewing, *self._hints.values()):
            if task is not None:
                task.cancel()

    async def _review(self) -> None:
        """What was kept, or a new look; if that fails, it would fail again: until the table is opened anew nobody tries."""
        table = self._table
        try:
            self.review = await asyncio.to_thread(self._kept) or await self._look_at_it()
        except Exception as error:
            report(error)
        table.bell.ring()

    def _kept(self) -> Review | None:
        kept = self._table.store.review_of(self._table.id)
        return None if kept is None else Review.read(self._table.match, kept)

    async def _look_at_it(self) -> Review:
        table = self._table
        found = await review(table.match, table.seating.people, table.staff.thinkers.work, self._hear)
        await asyncio.to_thread(table.store.keep_review, table.id, found.write())
        return found

    async def _hear(self, found: Review) -> None:
        """Screens are told a few times a second, not after every piece."""
        self.review = found
        if time.monotonic() - self._told_at > TOLD_EVERY:
            self._told_at = time.monotonic()
            self._table.bell.ring()


def reason(advice: Advice, best_now: Say) -> Say:
    """Why a hint is given; `best_now` is the move that looks best right away, in the infinitive."""
    if advice.better[0] == advice.played[0]:
        return say("It also looks best right away.")
    if (points := round(advice.points)) > 1:
        gain = say(
            "in the long run the coach's way should bring about {count} point more",
            "in the long run the coach's way should bring about {count} points more",
            count=points,
        )
    elif (percent := round(100 * advice.share)) > 0:
        gain = say("in the long run the coach's way should win {percent} % more often", percent=percent)
    else:
        gain = say("in the long run both come to about the same")
    return say("Right away it looks better to {deed}; {gain}.", deed=best_now, gain=gain)
