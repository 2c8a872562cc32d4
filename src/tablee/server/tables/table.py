"""A table: the match, who sits at it, what is written down, who looks. It plays on a branch of its match, commits the new lines, and only
then becomes that branch: whatever fails, nothing was told that is not on disk, and nothing is on disk that was refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tablee.core import lesson
from tablee.core.game import Game, Seat
from tablee.core.lesson import Lesson
from tablee.core.match import Match
from tablee.core.words import say
from tablee.server.drawing.looks import Looks
from tablee.server.drawing.tale import Tale
from tablee.server.kept.checkpoints import Checkpoint
from tablee.server.kept.clerk import Clerk
from tablee.server.kept.kinds import MOVE, UNDO
from tablee.server.kept.store import Entry, Row, SeatKept, TableKept, TableMovedOn
from tablee.server.tables.attendance import Attendance
from tablee.server.tables.bell import Bell
from tablee.server.tables.bot_seats import BotSeats
from tablee.server.tables.coaching import Coach
from tablee.server.tables.ledger import Ledger, follow
from tablee.server.tables.seating import Seating
from tablee.server.tables.thinking import Thinkers
from tablee.server.watch import measuring
from tablee.server.watch.reporting import report


class Table:
    def __init__(self, kept: TableKept, game: Game, clerk: Clerk, thinkers: Thinkers, pace: float) -> None:
        """Everything is a fold over the log; as far as a checkpoint reaches it is read instead of played again."""
        self.id, self.game, self.store, self.thinkers = kept.id, game, clerk.store, thinkers
        self._clerk = clerk
        self.seating = Seating(kept.seats)
        self.rematch, self.settings = kept.rematch, kept.settings
        self._lesson = lesson.of(game) if kept.settings.lesson else None
        self.attendance, self.bell = Attendance(), Bell()
        self.looks = Looks(game)
        self.tales: dict[tuple[str, Seat | None], Tale] = {}  # by language and who hears
        self.pictures: tuple[int, dict[Any, Any]] = (0, {})  # those that were drawn since the bell rang last: see `pictures.py`
        self._stumbled: dict[Any, int] = {}
        self.trouble: int | None = None  # the number of the report about what went wrong here, if something did
        self.coach = Coach(self)
        self.bots = BotSeats(self, pace)
        self._lock = asyncio.Lock()
        self.match = Match(game, len(kept.seats), kept.options, kept.seed, kept.derivation)
        self.ledger = Ledger(self.match.to_act)
        self._read(kept)

    def _read(self, kept: TableKept) -> None:
        found = Checkpoint.read(kept.checkpoint, self.match, len(kept.rows)) if kept.checkpoint else None
        if found is not None:
            self.match = found.match
            for row, to_act in zip(kept.rows, found.awaited, strict=False):
                self.ledger.count(row, to_act)
        self.kept_at = self.version  # how far the last checkpoint reaches
        for row in kept.rows[self.version :]:
            self.match = follow(self.match, row)
            self.ledger.count(row, self.match.to_act)

    @property
    def version(self) -> int:
        return self.ledger.version

    def name_of(self, seat: int) -> str:
        return self.seating.chairs[seat].name

    @property
    def lesson(self) -> Lesson | None:
        """What is learnt here, while the game keeps to it."""
        return self._lesson if self._lesson and self._lesson.stand(self.match.lines()) else None

    async def play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        """One move, counted once however often it is sent; returns the version it led to."""
        return await _to_its_end(self._play(seat, text, at, client_id))

    async def _play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        async with self._lock:
            move = self.game.read(text)
            if at > self.version:  # seen by way of another process
                await self._catch_up()
            known = self.ledger.known(seat, client_id, f"{seat} {self.game.show(move)}")
            if known is not None:
                return known
            self.ledger.check_current(seat, at)
            after = self.match.branch()
            if taught := self.lesson:
                taught.heed(after, seat, move)
            after.play(seat, move)
            if taught:
                taught.play_on(after)
            after.play_nature()
            first, *rest = after.lines(len(self.match.log))
            return await self._commit(after, [Row(first, client_id), *(Row(line, None) for line in rest)])

    async def undo(self, seat: Seat, client_id: str | None = None) -> int:
        """Takes back the seat's last move, once however often that is asked under one id."""
        return await _to_its_end(self._undo(seat, client_id))

    async def _undo(self, seat: Seat, client_id: str | None) -> int:
        async with self._lock:
            line = f"{seat} {UNDO}"
            known = self.ledger.known(seat, client_id, line) if client_id else None
            return known if known is not None else await self._commit(self.match.undone(seat), [Row(line, client_id, UNDO)])

    async def note(self, seat: Seat, kind: str, at: int) -> int:
        """Something that happened at the table, as it was at this version, and is no move of the game."""
        return await _to_its_end(self._note(seat, kind, at))

    async def _note(self, seat: Seat, kind: str, at: int) -> int:
        async with self._lock:
            if at != self.version:
                raise TableMovedOn(say("the table has moved on; look again and choose"))
            return await self._commit(self.match, [Row(f"{seat} {kind}", None, kind)])

    async def reseat(self, seat: Seat, chair: SeatKept, kind: str) -> int:
        """Somebody else sits there from now on, or the same person in another way; the line says in which."""
        return await _to_its_end(self._reseat(seat, chair, kind))

    async def _reseat(self, seat: Seat, chair: SeatKept, kind: str) -> int:
        async with self._lock:
            return await self._commit(self.match, [Row(f"{seat} {kind}", None, kind)], {seat: chair})

    async def _commit(self, after: Match, rows: Sequence[Row], chairs: Mapping[int, SeatKept] = MappingProxyType({})) -> int:
        try:
            await self._clerk.append(Entry(self.id, self.version, tuple(rows), after.outcome, chairs))
        except TableMovedOn:
            await self._catch_up()
            raise
        self._become(after)
        self.seating = self.seating.with_chairs(chairs)
        for row in rows:
            self.ledger.count(row, after.to_act)
        if rows[0].kind == MOVE:
            measuring.moved(self.game.key)
        self.bots.wake()
        self.bell.ring()
        return self.version

    async def _catch_up(self) -> None:
        """Another process wrote to this table: what is on disk counts."""
        rows = await asyncio.to_thread(self.store.rows, self.id, self.version)
        match = self.match.branch()
        for row in rows:
            match = follow(match, row)
            self._become(match)
            self.ledger.count(row, match.to_act)
        if rows:
            self.seating = Seating(await asyncio.to_thread(self.store.chairs, self.id))
            self.bell.ring()

    def _become(self, after: Match) -> None:
        """Tales go on from where the two part."""
        stands = _in_common(self.match, after)
        if stands < len(self.match.log):
            for tale in self.tales.values():
                tale.forget(stands)
        self.match = after

    def tale(self, language: str, eye: Seat | None) -> Tale:
        """What this listener has been told so far; where nothing is secret, all hear the same."""
        return self.tales.setdefault((language, eye if self.game.secrets else None), Tale(self.game.opens))

    async def keep(self) -> None:
        """Keeps the position, so that the table opens quickly."""
        version = self.version
        if version > self.kept_at:
            await asyncio.to_thread(self._keep, self.match, tuple(self.ledger.awaited))
            self.kept_at = version

    def _keep(self, match: Match, awaited: Sequence[Sequence[Seat]]) -> None:
        self.store.keep_checkpoint(self.id, Checkpoint.write(match, awaited))

    def close(self) -> None:
        """Nobody is here any more: the table is let go, and found again as it was."""
        self.bots.stop()
        self.coach.stop()

    def stumble(self, error: Exception) -> int:
        """Something went wrong that nobody expected: the number under which it is written down, the same for the same again."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = (type(error).__name__, at and (at.tb_frame.f_code, at.tb_lineno))
        if where not in self._stumbled:
            self._stumbled[where] = report(error)
        self.trouble = self._stumbled[where]
        return self.trouble


async def _to_its_end(work: Coroutine[Any, Any, int]) -> int:
    """Whoever stops waiting, the work goes on and holds its lock: what is on disk is what the table knows, and nobody comes in between."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(work))


def _in_common(before: Match, after: Match) -> int:
    """How many lines both began with."""
    lines = min(len(before.log), len(after.log))
    if before.log[:lines] == after.log[:lines]:
        return lines
    return next(number for number in range(lines) if before.log[number] != after.log[number])
