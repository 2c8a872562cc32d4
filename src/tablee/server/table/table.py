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
from tablee.core.i18n import Message, msg
from tablee.core.match import Match
from tablee.core.tutorial import Tutorial
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.storage.checkpoints import Checkpoint
from tablee.server.storage.database import ConflictError, StoreError
from tablee.server.storage.line_kinds import BACK, GRANTED, HANDED, MOVE, PAUSE, RESUME
from tablee.server.storage.models import LogAppend, LogLine, StoredSeat, StoredTable
from tablee.server.table.absent_players import AWAY_AFTER, AbsentPlayers
from tablee.server.table.bot_player import BotPlayer
from tablee.server.table.chat import Chat
from tablee.server.table.clock import Clock, clock_start_ms
from tablee.server.table.coaching import Coach
from tablee.server.table.log import Change, TableLog, apply_row
from tablee.server.table.narration import Narration
from tablee.server.table.polling_presence import PollingPresence
from tablee.server.table.presence import Presence
from tablee.server.table.reactions import Reactions
from tablee.server.table.seats import Seating
from tablee.server.table.services import Services
from tablee.server.table.signal import ChangeSignal
from tablee.server.table.undo import UndoRequests
from tablee.server.table.view_cache import ViewCache


class NotNow(TableeError):
    """As things stand at the table that cannot be done."""


class Table:
    def __init__(self, stored: StoredTable, game: Game, staff: Services, pace: float, away_after: float = AWAY_AFTER) -> None:
        """Everything is a fold over the log; as far as a checkpoint reaches it is read instead of played again."""
        self.id, self.game, self.services, self.store = stored.id, game, staff, staff.writer.store
        self.seating = Seating(stored.seats, stored.former_tokens)
        self.rematch, self.settings, self.is_imported = stored.rematch, stored.settings, stored.brought
        self.inviter = self.seating.seat_of_hash(stored.inviter)  # whoever asked for the rematch
        self._lesson = tutorial.tutorial_of(game) if stored.settings.lesson else None
        self.presence, self.signal = Presence(), ChangeSignal()
        self.polling = PollingPresence(self.presence, self.on_presence_change)
        self.views = ViewCache(game)
        self.narrations: dict[tuple[str, Seat | None], Narration] = {}  # by language and who hears
        self.rendered_views: tuple[int, dict[Any, Any]] = (0, {})  # those that were drawn since the bell rang last: see `pictures.py`
        self._reported_errors: dict[Any, int] = {}
        self.error_report: int | None = None  # the number of the report about what went wrong here, if something did
        self.club_paused = False  # whether the organiser of its club has paused it
        self.deleted_reason: Message | None = None  # why it is not kept any more
        self.coach = Coach(self)
        self.undo_requests, self.absent_players = UndoRequests(self), AbsentPlayers(self, away_after)
        self.clock, self.reactions, self.chat = Clock(self, stored.ticking), Reactions(self), Chat(self, stored.chat_messages)
        self.bot_player = BotPlayer(self, pace)
        self._lock = asyncio.Lock()
        self.match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
        self.log = TableLog(self.match.to_act)
        self._replay(stored)

    def _replay(self, stored: StoredTable) -> None:
        found = Checkpoint.read(stored.checkpoint, self.match, len(stored.lines)) if stored.checkpoint else None
        if found is not None:
            self.match = found.match
            for row, to_act in zip(stored.lines, found.to_act, strict=False):
                self.log.append(row, to_act)
        self.checkpoint_version = self.version  # how far the last checkpoint reaches
        for row in stored.lines[self.version :]:
            self.match = apply_row(self.match, row)
            self.log.append(row, self.match.to_act)

    @property
    def version(self) -> int:
        return self.log.version

    @property
    def done(self) -> bool:
        """Nothing more is played here, and nothing is secret any more."""
        return self.is_imported or self.match.over

    def match_at(self, version: int) -> Match:
        """The match as it was after so many lines of the stored log, what was taken back later included."""
        self._check_version_exists(version)
        return self.log.match_at(self.match, version)

    def _check_version_exists(self, version: int) -> None:
        if not 0 <= version <= self.version:
            raise TableeError(msg("there is no position after line {number}: the log has {lines}", number=version, lines=self.version))

    async def catch_up_to(self, version: int) -> None:
        """Whoever asks knows that the table has come as far as that: another process told them before this one has heard of it."""
        if version > self.version and self.store.shared:
            await self.catch_up()
        self._check_version_exists(version)

    def name_of(self, seat: int) -> str:
        return self.seating.names[seat]

    @property
    def lesson(self) -> Tutorial | None:
        """What is learnt here, while the game keeps to it."""
        return self._lesson if self._lesson and self._lesson.progress(self.match.lines()) else None

    async def play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        """One move, counted once however often it is sent; returns the version it led to."""
        return await self.play_turn(seat, [text], at, client_id)

    async def play_turn(self, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> int:
        """The moves of one turn, all or none, likewise."""
        return await self.change(self.turn_decision(seat, texts, at, client_id))

    def turn_decision(self, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> Callable[[], Change | int]:
        """What such a turn is decided by, when it is its turn to be."""
        moves = [self.game.read(text) for text in texts]
        lines = [f"{seat} {self.game.show(move)}" for move in moves]

        def decide() -> Change | int:
            known = self.log.version_of_request(seat, client_id, lines)
            if known is not None:
                return known
            self.log.check_current(seat, at)
            after = self.match.branch()
            taught = self.lesson
            for number, move in enumerate(moves, 1):
                with _naming_failed_move(number, texts):
                    if taught:
                        taught.check_expected(after, seat, move)
                    after.play(seat, move)
            if taught:
                taught.play_scripted(after)
            after.play_nature()
            drawn = after.lines(len(self.match.log) + len(lines))
            return Change([*(LogLine(line, client_id) for line in lines), *(LogLine(line, None) for line in drawn)], after)

        return decide

    def _check_not_paused(self, wanted: Change) -> None:
        if self.deleted_reason:
            raise NotNow(self.deleted_reason)
        if wanted.allowed_while_paused:
            return
        if self.club_paused:
            raise NotNow(msg("all tables of the class are paused; make your move when they go on"))
        if self.log.paused:
            raise NotNow(msg("the game is paused; any player may go on with it"))

    @property
    def paused(self) -> bool:
        """By those who sit here, or with all tables of its club."""
        return self.club_paused or self.log.paused

    def set_club_paused(self, resting: bool) -> None:
        """Nobody moves until the organiser lets all play on, and no clock runs."""
        self.club_paused = resting
        self.clock.restart()
        self.bot_player.wake()
        self.signal.notify()

    def mark_deleted(self, sentence: Message) -> None:
        """The table is not kept any more: who sits at it is told."""
        self.close()
        self.deleted_reason = sentence
        self.signal.notify()

    async def change(self, decide: Callable[[], Change | int]) -> int:
        """What is decided while nobody else changes anything; a number is the version that was reached when the same was asked before."""
        return await _shielded(self._change(decide))

    async def _change(self, decide: Callable[[], Change | int]) -> int:
        """What another process wrote meanwhile is read before anything is refused, and then decided again."""
        async with self._lock:
            try:
                return await self._decide_and_commit(decide)
            except ConflictError:
                news = await self._catch_up()
                if not news:
                    raise
            except StoreError:
                raise
            except TableeError:
                news = self.store.shared and await self._catch_up()
                if not news:
                    raise
            return await self._decide_and_commit(decide)

    async def _decide_and_commit(self, decide: Callable[[], Change | int]) -> int:
        wanted = decide()
        if isinstance(wanted, int):
            return wanted
        self._check_not_paused(wanted)
        return await self._commit(wanted)

    async def undo(self, seat: Seat, client_id: str | None = None, own: Collection[Seat] = ()) -> int:
        """Takes back the seat's last move, or asks those who are here whether it may."""
        return await self.undo_requests.request(seat, own, client_id)

    async def pause(self, seat: Seat, paused: bool) -> int:
        """Nobody moves until somebody goes on; said twice, it counts once."""

        def decide() -> Change | int:
            kind = PAUSE if paused else RESUME
            if paused and self.match.over:
                raise NotNow(msg("the game is over"))
            return self.version if paused == self.log.paused else Change([LogLine(f"{seat} {kind}", None, kind)], allowed_while_paused=True)

        return await self.change(decide)

    async def reseat(self, changes: Mapping[Seat, Callable[[StoredSeat], StoredSeat]], kind: str) -> int:
        """Somebody else sits there from now on, or the same person in another way; a line says in which. Each chair is changed as it is
        when nobody else changes anything. An organiser may at any time."""

        def decide() -> Change:
            chairs: dict[int, StoredSeat] = {seat: change(self.seating.seats[seat]) for seat, change in changes.items()}
            return Change([LogLine(f"{seat} {kind}", None, kind) for seat in chairs], seats=chairs, allowed_while_paused=True)

        return await self.change(decide)

    async def _commit(self, change: Change) -> int:
        after, rows = change.after or self.match, change.rows
        chairs = self._with_clock_time({**self._confirmed_newcomers(rows), **change.seats})
        ticking = clock_start_ms(self.settings)
        await self.services.writer.append(LogAppend(self.id, self.version, tuple(rows), after.outcome, chairs, ticking or None))
        self._set_match(after)
        self._set_seating(self.seating.with_seats(chairs))
        for row in rows:
            self._append_row(row, after.to_act)
        self.clock.restart(ticking)
        if rows[-1].kind == MOVE:
            metrics.count_move(self.game.key)
        self._after_change()
        return self.version

    def _append_row(self, row: LogLine, to_act: Sequence[Seat]) -> None:
        self.log.append(row, to_act)
        if row.kind in (HANDED, GRANTED, BACK):
            self.presence.reset_absence(Seat(int(row.line.split()[0])))

    def _confirmed_newcomers(self, rows: Sequence[LogLine]) -> Mapping[int, StoredSeat]:
        """The chairs of newcomers who move: from now on their seat is theirs, and nobody takes it back."""
        moved = {int(row.line.split()[0]) for row in rows if row.kind == MOVE and not row.line.startswith("-")}
        chairs = {seat: self.seating.seats[seat] for seat in moved}
        return {
            seat: replace(chair, owner_hash="", owner_name="") for seat, chair in chairs.items() if chair.owner_hash and not chair.level
        }

    def _after_change(self) -> None:
        """Something changed: whoever is next hears of it."""
        self.bot_player.wake()
        self.absent_players.schedule_check()
        self.signal.notify()

    def _with_clock_time(self, chairs: Mapping[int, StoredSeat]) -> Mapping[int, StoredSeat]:
        """With what those who were awaited have used of their time, where there are clocks."""
        timed = self.clock.seats_with_time_used()
        return {**timed, **{seat: replace(chair, used=timed.get(seat, chair).used) for seat, chair in chairs.items()}}

    async def catch_up(self) -> None:
        """Another process wrote to this table: what is on disk counts."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> bool:
        """Whether there is anything new."""
        found = await asyncio.to_thread(self.store.changes_since, self.id, self.version)
        if not found.seats:
            self.mark_deleted(msg("this table was deleted"))
            return True
        match = self.match.branch()
        for row in found.lines:
            match = apply_row(match, row)
            self._set_match(match)
            self._append_row(row, match.to_act)
        seating = Seating(found.seats, found.former_tokens)
        if not (found.lines or seating != self.seating or found.rematch != self.rematch or found.chat_messages != self.chat.messages):
            return False
        self.chat.messages = found.chat_messages
        timed = bool(found.lines) or [chair.used for chair in seating.seats] != [chair.used for chair in self.seating.seats]
        self._set_seating(seating)
        self.rematch, self.inviter = found.rematch, seating.seat_of_hash(found.inviter)
        if timed:
            self.clock.restart(found.ticking)
        self._after_change()
        return True

    def presence_summary(self) -> str | None:
        """Who is at screens of this process, for the others."""
        attendance = self.presence
        return f"{attendance.slowest_pace}:{','.join(attendance.present)}" if attendance.screens or attendance.present else None

    def on_presence_change(self) -> None:
        self.absent_players.schedule_check()
        self.signal.notify()

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:
        """These seats are at screens of another one."""
        self.polling.update_from_peer(process, [Seat(int(seat)) for seat in people], pace)
        self.bot_player.wake()

    def _set_match(self, after: Match) -> None:
        """Tales go on from where the two part."""
        stands = _common_prefix_length(self.match, after)
        if stands < len(self.match.log):
            for tale in self.narrations.values():
                tale.truncate(stands)
        self.match = after

    def _set_seating(self, seating: Seating) -> None:
        """Tales name people, and are told anew where somebody else sits."""
        if [(chair.kind, chair.name) for chair in seating.seats] != [(chair.kind, chair.name) for chair in self.seating.seats]:
            self.narrations.clear()
        self.seating = seating

    def narration(self, language: str, viewer: Seat | None) -> Narration:
        """What this listener has been told so far; where nothing is secret, all hear the same."""
        return self.narrations.setdefault((language, viewer if self.game.secrets else None), Narration(self.game.turn_opening_kinds))

    async def stop_clocks(self) -> None:
        """Nobody is here any more: clocks stand as they stand now, unless they are looked at in another process.

        A table that was opened only to be listed among somebody's tables costs nobody time.
        """
        if self.clock.running_seats and self.presence.visited and not self.presence.is_watched_at_peer:
            used = {seat: chair.used for seat, chair in self.clock.seats_with_time_used().items()}
            await asyncio.to_thread(self.store.stop_clocks, self.id, self.version, used)

    async def save_checkpoint(self) -> None:
        """Keeps the position, so that the table opens quickly."""
        version = self.version
        if version > self.checkpoint_version:
            await asyncio.to_thread(self._write_checkpoint, self.match, tuple(self.log.to_act_by_version))
            self.checkpoint_version = version

    def _write_checkpoint(self, match: Match, awaited: Sequence[Sequence[Seat]]) -> None:
        self.store.save_checkpoint(self.id, Checkpoint.write(match, awaited))

    def close(self) -> None:
        """Nobody is here any more: the table is let go, and found again as it was."""
        self.bot_player.stop()
        self.coach.stop()
        self.absent_players.stop()
        self.polling.stop()

    def report_error(self, error: Exception) -> int:
        """Something went wrong that nobody expected: the number under which it is written down, the same for the same again."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = (type(error).__name__, at and (at.tb_frame.f_code, at.tb_lineno))
        if where not in self._reported_errors:
            self._reported_errors[where] = report(error)
        self.error_report = self._reported_errors[where]
        return self.error_report


@contextmanager
def _naming_failed_move(number: int, texts: Sequence[str]) -> Iterator[None]:
    """Of several moves, a refusal says which one it is about."""
    try:
        yield
    except Refusal as refused:
        if len(texts) == 1:
            raise
        which = msg("move {number}, {move!r}: {reason}", number=number, move=texts[number - 1], reason=refused.sentence)
        raise IllegalMove(which, refused.rule) if isinstance(refused, IllegalMove) else type(refused)(which) from refused


async def _shielded(work: Coroutine[Any, Any, int]) -> int:
    """Whoever stops waiting, the work goes on and holds its lock: what is on disk is what the table knows, and nobody comes in between."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(work))


def _common_prefix_length(before: Match, after: Match) -> int:
    """How many lines both began with."""
    lines = min(len(before.log), len(after.log))
    if before.log[:lines] == after.log[:lines]:
        return lines
    return next(number for number in range(lines) if before.log[number] != after.log[number])
