"""A table: the match, who sits at it, what is written down, who looks. It plays on a branch of its match, commits the new lines, and only
then becomes that branch: whatever fails, nothing was told that is not on disk, and nothing is on disk that was refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tablee.core import tutorial
from tablee.core.errors import IllegalMove, Refusal, TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import Say, say
from tablee.core.match import Match
from tablee.core.tutorial import Lesson
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.storage.checkpoints import Checkpoint
from tablee.server.storage.database import StoreError, TableMovedOn
from tablee.server.storage.line_kinds import BACK, GRANTED, HANDED, MOVE, PAUSE, RESUME
from tablee.server.storage.models import Entry, Row, SeatKept, TableKept
from tablee.server.table.absent_players import AWAY, Absence
from tablee.server.table.bot_player import BotSeats
from tablee.server.table.chat import Chat
from tablee.server.table.clock import Clock, ticking_now
from tablee.server.table.coaching import Coach
from tablee.server.table.log import Change, Ledger, follow
from tablee.server.table.narration import Tale
from tablee.server.table.polling_presence import Glimpses
from tablee.server.table.presence import Attendance
from tablee.server.table.reactions import Reactions
from tablee.server.table.seats import Seating
from tablee.server.table.services import Staff
from tablee.server.table.signal import Bell
from tablee.server.table.undo import TakingBack
from tablee.server.table.view_cache import Looks


class NotNow(TableeError):
    """As things stand at the table that cannot be done."""


class Table:
    def __init__(self, kept: TableKept, game: Game, staff: Staff, pace: float, patience: float = AWAY) -> None:
        """Everything is a fold over the log; as far as a checkpoint reaches it is read instead of played again."""
        self.id, self.game, self.staff, self.store = kept.id, game, staff, staff.clerk.store
        self.seating = Seating(kept.seats, kept.former)
        self.rematch, self.settings, self.brought = kept.rematch, kept.settings, kept.brought
        self.inviter = self.seating.of_hash(kept.inviter)  # whoever asked for the rematch
        self._lesson = tutorial.of(game) if kept.settings.lesson else None
        self.attendance, self.bell = Attendance(), Bell()
        self.glimpses = Glimpses(self.attendance, self.somebody_came_or_went)
        self.looks = Looks(game)
        self.tales: dict[tuple[str, Seat | None], Tale] = {}  # by language and who hears
        self.pictures: tuple[int, dict[Any, Any]] = (0, {})  # those that were drawn since the bell rang last: see `pictures.py`
        self._stumbled: dict[Any, int] = {}
        self.trouble: int | None = None  # the number of the report about what went wrong here, if something did
        self.resting = False  # whether the organiser of its club has paused it
        self.farewell: Say | None = None  # why it is not kept any more
        self.coach = Coach(self)
        self.taking_back, self.absence = TakingBack(self), Absence(self, patience)
        self.clock, self.reactions, self.chat = Clock(self, kept.ticking), Reactions(self), Chat(self, kept.said)
        self.bots = BotSeats(self, pace)
        self._lock = asyncio.Lock()
        self.match = Match(game, len(kept.seats), kept.options, kept.seed or None, kept.derivation, kept.origin)
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

    @property
    def done(self) -> bool:
        """Nothing more is played here, and nothing is secret any more."""
        return self.brought or self.match.over

    def earlier(self, version: int) -> Match:
        """The match as it was after so many lines of the stored log, what was taken back later included."""
        self._check_written(version)
        return self.ledger.earlier(self.match, version)

    def _check_written(self, version: int) -> None:
        if not 0 <= version <= self.version:
            raise TableeError(say("there is no position after line {number}: the log has {lines}", number=version, lines=self.version))

    async def reach(self, version: int) -> None:
        """Whoever asks knows that the table has come as far as that: another process told them before this one has heard of it."""
        if version > self.version and self.store.shared:
            await self.catch_up()
        self._check_written(version)

    def name_of(self, seat: int) -> str:
        return self.seating.names[seat]

    @property
    def lesson(self) -> Lesson | None:
        """What is learnt here, while the game keeps to it."""
        return self._lesson if self._lesson and self._lesson.stand(self.match.lines()) else None

    async def play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        """One move, counted once however often it is sent; returns the version it led to."""
        return await self.play_turn(seat, [text], at, client_id)

    async def play_turn(self, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> int:
        """The moves of one turn, all or none, likewise."""
        return await self.change(self.turn(seat, texts, at, client_id))

    def turn(self, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> Callable[[], Change | int]:
        """What such a turn is decided by, when it is its turn to be."""
        moves = [self.game.read(text) for text in texts]
        lines = [f"{seat} {self.game.show(move)}" for move in moves]

        def decide() -> Change | int:
            known = self.ledger.known(seat, client_id, lines)
            if known is not None:
                return known
            self.ledger.check_current(seat, at)
            after = self.match.branch()
            taught = self.lesson
            for number, move in enumerate(moves, 1):
                with _naming(number, texts):
                    if taught:
                        taught.heed(after, seat, move)
                    after.play(seat, move)
            if taught:
                taught.play_on(after)
            after.play_nature()
            drawn = after.lines(len(self.match.log) + len(lines))
            return Change([*(Row(line, client_id) for line in lines), *(Row(line, None) for line in drawn)], after)

        return decide

    def _check_going_on(self, wanted: Change) -> None:
        if self.farewell:
            raise NotNow(self.farewell)
        if wanted.in_a_pause:
            return
        if self.resting:
            raise NotNow(say("all tables of the class are paused; make your move when they go on"))
        if self.ledger.paused:
            raise NotNow(say("the game is paused; any player may go on with it"))

    @property
    def paused(self) -> bool:
        """By those who sit here, or with all tables of its club."""
        return self.resting or self.ledger.paused

    def rest(self, resting: bool) -> None:
        """Nobody moves until the organiser lets all play on, and no clock runs."""
        self.resting = resting
        self.clock.restart()
        self.bots.wake()
        self.bell.ring()

    def dismiss(self, sentence: Say) -> None:
        """The table is not kept any more: who sits at it is told."""
        self.close()
        self.farewell = sentence
        self.bell.ring()

    async def change(self, decide: Callable[[], Change | int]) -> int:
        """What is decided while nobody else changes anything; a number is the version that was reached when the same was asked before."""
        return await _to_its_end(self._change(decide))

    async def _change(self, decide: Callable[[], Change | int]) -> int:
        """What another process wrote meanwhile is read before anything is refused, and then decided again."""
        async with self._lock:
            try:
                return await self._decided(decide)
            except TableMovedOn:
                news = await self._catch_up()
                if not news:
                    raise
            except StoreError:
                raise
            except TableeError:
                news = self.store.shared and await self._catch_up()
                if not news:
                    raise
            return await self._decided(decide)

    async def _decided(self, decide: Callable[[], Change | int]) -> int:
        wanted = decide()
        if isinstance(wanted, int):
            return wanted
        self._check_going_on(wanted)
        return await self._commit(wanted)

    async def undo(self, seat: Seat, client_id: str | None = None, own: Collection[Seat] = ()) -> int:
        """Takes back the seat's last move, or asks those who are here whether it may."""
        return await self.taking_back.ask(seat, own, client_id)

    async def pause(self, seat: Seat, paused: bool) -> int:
        """Nobody moves until somebody goes on; said twice, it counts once."""

        def decide() -> Change | int:
            kind = PAUSE if paused else RESUME
            if paused and self.match.over:
                raise NotNow(say("the game is over"))
            return self.version if paused == self.ledger.paused else Change([Row(f"{seat} {kind}", None, kind)], in_a_pause=True)

        return await self.change(decide)

    async def reseat(self, changes: Mapping[Seat, Callable[[SeatKept], SeatKept]], kind: str) -> int:
        """Somebody else sits there from now on, or the same person in another way; a line says in which. Each chair is changed as it is
        when nobody else changes anything. An organiser may at any time."""

        def decide() -> Change:
            chairs: dict[int, SeatKept] = {seat: change(self.seating.chairs[seat]) for seat, change in changes.items()}
            return Change([Row(f"{seat} {kind}", None, kind) for seat in chairs], chairs=chairs, in_a_pause=True)

        return await self.change(decide)

    async def _commit(self, change: Change) -> int:
        after, rows = change.after or self.match, change.rows
        chairs = self._with_time({**self._settled(rows), **change.chairs})
        ticking = ticking_now(self.settings)
        await self.staff.clerk.append(Entry(self.id, self.version, tuple(rows), after.outcome, chairs, ticking or None))
        self._become(after)
        self._sit(self.seating.with_chairs(chairs))
        for row in rows:
            self._count(row, after.to_act)
        self.clock.restart(ticking)
        if rows[-1].kind == MOVE:
            metrics.moved(self.game.key)
        self._go_on()
        return self.version

    def _count(self, row: Row, to_act: Sequence[Seat]) -> None:
        self.ledger.count(row, to_act)
        if row.kind in (HANDED, GRANTED, BACK):
            self.attendance.excuse(Seat(int(row.line.split()[0])))

    def _settled(self, rows: Sequence[Row]) -> Mapping[int, SeatKept]:
        """The chairs of newcomers who move: from now on their seat is theirs, and nobody takes it back."""
        moved = {int(row.line.split()[0]) for row in rows if row.kind == MOVE and not row.line.startswith("-")}
        chairs = {seat: self.seating.chairs[seat] for seat in moved}
        return {
            seat: replace(chair, owner_hash="", owner_name="") for seat, chair in chairs.items() if chair.owner_hash and not chair.level
        }

    def _go_on(self) -> None:
        """Something changed: whoever is next hears of it."""
        self.bots.wake()
        self.absence.watch()
        self.bell.ring()

    def _with_time(self, chairs: Mapping[int, SeatKept]) -> Mapping[int, SeatKept]:
        """With what those who were awaited have used of their time, where there are clocks."""
        timed = self.clock.chairs()
        return {**timed, **{seat: replace(chair, used=timed.get(seat, chair).used) for seat, chair in chairs.items()}}

    async def catch_up(self) -> None:
        """Another process wrote to this table: what is on disk counts."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> bool:
        """Whether there is anything new."""
        found = await asyncio.to_thread(self.store.since, self.id, self.version)
        if not found.seats:
            self.dismiss(say("this table was deleted"))
            return True
        match = self.match.branch()
        for row in found.rows:
            match = follow(match, row)
            self._become(match)
            self._count(row, match.to_act)
        seating = Seating(found.seats, found.former)
        if not (found.rows or seating != self.seating or found.rematch != self.rematch or found.said != self.chat.said):
            return False
        self.chat.said = found.said
        timed = bool(found.rows) or [chair.used for chair in seating.chairs] != [chair.used for chair in self.seating.chairs]
        self._sit(seating)
        self.rematch, self.inviter = found.rematch, seating.of_hash(found.inviter)
        if timed:
            self.clock.restart(found.ticking)
        self._go_on()
        return True

    def who(self) -> str | None:
        """Who is at screens of this process, for the others."""
        attendance = self.attendance
        return f"{attendance.slowest}:{','.join(attendance.present)}" if attendance.screens or attendance.present else None

    def somebody_came_or_went(self) -> None:
        self.absence.watch()
        self.bell.ring()

    def heard_of(self, process: str, pace: str, people: Sequence[str]) -> None:
        """These seats are at screens of another one."""
        self.glimpses.hear_of(process, [Seat(int(seat)) for seat in people], pace)
        self.bots.wake()

    def _become(self, after: Match) -> None:
        """Tales go on from where the two part."""
        stands = _in_common(self.match, after)
        if stands < len(self.match.log):
            for tale in self.tales.values():
                tale.forget(stands)
        self.match = after

    def _sit(self, seating: Seating) -> None:
        """Tales name people, and are told anew where somebody else sits."""
        if [(chair.kind, chair.name) for chair in seating.chairs] != [(chair.kind, chair.name) for chair in self.seating.chairs]:
            self.tales.clear()
        self.seating = seating

    def tale(self, language: str, eye: Seat | None) -> Tale:
        """What this listener has been told so far; where nothing is secret, all hear the same."""
        return self.tales.setdefault((language, eye if self.game.secrets else None), Tale(self.game.opens))

    async def stop_clocks(self) -> None:
        """Nobody is here any more: clocks stand as they stand now, unless they are looked at in another process.

        A table that was opened only to be listed among somebody's tables costs nobody time.
        """
        if self.clock.runs_for and self.attendance.visited and not self.attendance.elsewhere:
            used = {seat: chair.used for seat, chair in self.clock.chairs().items()}
            await asyncio.to_thread(self.store.stop_clocks, self.id, self.version, used)

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
        self.absence.stop()
        self.glimpses.stop()

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


@contextmanager
def _naming(number: int, texts: Sequence[str]) -> Iterator[None]:
    """Of several moves, a refusal says which one it is about."""
    try:
        yield
    except Refusal as refused:
        if len(texts) == 1:
            raise
        which = say("move {number}, {move!r}: {reason}", number=number, move=texts[number - 1], reason=refused.sentence)
        raise IllegalMove(which, refused.rule) if isinstance(refused, IllegalMove) else type(refused)(which) from refused


async def _to_its_end(work: Coroutine[Any, Any, int]) -> int:
    """Whoever stops waiting, the work goes on and holds its lock: what is on disk is what the table knows, and nobody comes in between."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(work))


def _in_common(before: Match, after: Match) -> int:
    """How many lines both began with."""
    lines = min(len(before.log), len(after.log))
    if before.log[:lines] == after.log[:lines]:
        return lines
    return next(number for number in range(lines) if before.log[number] != after.log[number])
