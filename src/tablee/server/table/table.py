"""One table: its match, seats, log and clients.

A change is played on a branch of the match, committed, and only then becomes the match: clients never see what is not on disk, and nothing
refused is on disk.
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
from tablee.server.storage.database import ConflictError, StoreError
from tablee.server.storage.models import LogAppend, LogLine, StoredSeat, StoredTable
from tablee.server.storage.schema import BACK, GRANTED, HANDED, MOVE, PAUSE, RESUME
from tablee.server.table.absent_players import AWAY_AFTER, AbsentPlayers
from tablee.server.table.bot_player import BotPlayer
from tablee.server.table.chat import Chat
from tablee.server.table.clock import Clock, clock_start_ms
from tablee.server.table.coaching import Coach
from tablee.server.table.log import Change, Check, TableLog, apply_line
from tablee.server.table.presence import PollingPresence, Presence
from tablee.server.table.reactions import Reactions
from tablee.server.table.seats import Seating
from tablee.server.table.services import Services
from tablee.server.table.signal import ChangeSignal
from tablee.server.table.undo import UndoRequests


class NotNow(TableeError):
    """Refusal of an action in the present state of the table."""


class Table:
    def __init__(self, stored: StoredTable, game: Game, services: Services, pace: float, away_after: float = AWAY_AFTER) -> None:
        """Replay the log."""
        self.id, self.game, self.services, self.store = stored.id, game, services, services.writer.store
        self.seating = Seating(stored.seats, stored.former_tokens)
        self.rematch, self.settings, self.is_imported = stored.rematch, stored.settings, stored.brought
        self.inviter = self.seating.seat_of_hash(stored.inviter)  # who asked for the rematch
        self._tutorial = tutorial.tutorial_of(game) if stored.settings.lesson else None
        self.presence, self.signal = Presence(), ChangeSignal()
        self.polling = PollingPresence(self.presence, self.on_presence_change)
        self._reported_errors: dict[Any, int] = {}
        self.error_report: int | None = None  # number of the last error report about this table
        self.club_paused = False  # whether the organiser of its club has paused it
        self.deleted_reason: Message | None = None  # why the table was deleted
        self.coach = Coach(self)
        self.undo_requests, self.absent_players = UndoRequests(self), AbsentPlayers(self, away_after)
        self.clock, self.reactions, self.chat = Clock(self, stored.ticking), Reactions(self), Chat(self, stored.chat_messages)
        self.bot_player = BotPlayer(self, pace)
        self._lock = asyncio.Lock()
        self.match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
        self.log = TableLog(self.match.to_act)
        for row in stored.lines:
            self.match = apply_line(self.match, row)
            self.log.append(row, self.match.to_act)

    @property
    def version(self) -> int:
        return self.log.version

    @property
    def done(self) -> bool:
        """Return whether nothing more is played here, and so nothing is secret any more."""
        return self.is_imported or self.match.over

    def match_at(self, version: int) -> Match:
        """Return the match after `version` lines of the stored log, including moves undone later."""
        self._check_version_exists(version)
        return self.log.match_at(self.match, version)

    def _check_version_exists(self, version: int) -> None:
        if not 0 <= version <= self.version:
            raise TableeError(msg("there is no position after line {number}: the log has {lines}", number=version, lines=self.version))

    async def catch_up_to(self, version: int) -> None:
        """Read what other processes wrote if the client knows a newer version than this process."""
        if version > self.version and self.store.shared:
            await self.catch_up()
        self._check_version_exists(version)

    def name_of(self, seat: int) -> str:
        return self.seating.names[seat]

    @property
    def tutorial(self) -> Tutorial | None:
        """Return the tutorial of this table; None if there is none, or if the moves have departed from it."""
        return self._tutorial if self._tutorial and self._tutorial.progress(self.match.lines()) else None

    async def play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        """Commit one move, idempotent by client id; return the version it led to."""
        return await self.play_turn(seat, [text], at, client_id)

    async def play_turn(self, seat: Seat, texts: Sequence[str], at: int, client_id: str, check: Check | None = None) -> int:
        """Commit the moves of one turn, all or none, idempotent by client id; return the version they led to."""
        return await self.change(self.turn_decision(seat, texts, at, client_id), check)

    def turn_decision(self, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> Callable[[], Change | int]:
        """Return the decision function of this turn; it runs under the table's lock."""
        moves = [self.game.read(text) for text in texts]
        lines = [f"{seat} {self.game.show(move)}" for move in moves]

        def decide() -> Change | int:
            known = self.log.version_of_request(seat, client_id, lines)
            if known is not None:
                return known
            self.log.check_current(seat, at)
            after = self.match.branch()
            lesson = self.tutorial
            for number, move in enumerate(moves, 1):
                with _naming_failed_move(number, texts):
                    if lesson:
                        lesson.check_expected(after, seat, move)
                    after.play(seat, move)
            if lesson:
                lesson.play_scripted(after)
            after.play_nature()
            drawn = after.lines(len(self.match.log) + len(lines))
            return Change([*(LogLine(line, client_id) for line in lines), *(LogLine(line, None) for line in drawn)], after)

        return decide

    def _check_not_paused(self, change: Change) -> None:
        if self.deleted_reason:
            raise NotNow(self.deleted_reason)
        if change.allowed_while_paused:
            return
        if self.club_paused:
            raise NotNow(msg("all tables of the class are paused; make your move when they go on"))
        if self.log.paused:
            raise NotNow(msg("the game is paused; any player may go on with it"))

    @property
    def paused(self) -> bool:
        """Return whether the table is paused, by its players or with its club."""
        return self.club_paused or self.log.paused

    def set_club_paused(self, paused: bool) -> None:
        """Pause the table with its club, clocks included, or resume it."""
        self.club_paused = paused
        self.clock.restart()
        self.bot_player.wake()
        self.signal.notify()

    def mark_deleted(self, reason: Message) -> None:
        """Close the deleted table and show its clients the reason."""
        self.close()
        self.deleted_reason = reason
        self.signal.notify()

    async def change(self, decide: Callable[[], Change | int], check: Check | None = None) -> int:
        """Run `check` and `decide` under the lock and commit the Change; return the new version.

        An int means a duplicate request, already applied at that version. `check` refuses a caller whose seat was handed over while the
        request waited for the lock.
        """
        return await _shielded(self._change(decide, check or _unchecked))

    async def _change(self, decide: Callable[[], Change | int], check: Check) -> int:
        """Decide and commit; on a refusal, catch up with other processes and decide again if they wrote anything."""
        async with self._lock:
            try:
                return await self._decide_and_commit(decide, check)
            except ConflictError:
                caught_up = await self._catch_up()
                if not caught_up:
                    raise
            except StoreError:
                raise
            except TableeError:
                caught_up = self.store.shared and await self._catch_up()
                if not caught_up:
                    raise
            return await self._decide_and_commit(decide, check)

    async def _decide_and_commit(self, decide: Callable[[], Change | int], check: Check) -> int:
        check()
        change = decide()
        if isinstance(change, int):
            return change
        self._check_not_paused(change)
        return await self._commit(change)

    async def undo(self, seat: Seat, client_id: str | None = None, own: Collection[Seat] = (), check: Check | None = None) -> int:
        """Undo the seat's last turn, or ask the people who are here."""
        return await self.undo_requests.request(seat, own, client_id, check)

    async def pause(self, seat: Seat, paused: bool, check: Check | None = None) -> int:
        """Pause the game or resume it; repeating either does nothing."""

        def decide() -> Change | int:
            kind = PAUSE if paused else RESUME
            if paused and self.match.over:
                raise NotNow(msg("the game is over"))
            return self.version if paused == self.log.paused else Change([LogLine(f"{seat} {kind}", None, kind)], allowed_while_paused=True)

        return await self.change(decide, check)

    async def reseat(self, changes: Mapping[Seat, Callable[[StoredSeat], StoredSeat]], kind: str) -> int:
        """Apply these changes to the seats and log each with a line of this kind.

        Each change gets the seat as it is under the lock. An organiser may do this at any time, even while the table is paused.
        """

        def decide() -> Change:
            seats: dict[int, StoredSeat] = {seat: change(self.seating.seats[seat]) for seat, change in changes.items()}
            return Change([LogLine(f"{seat} {kind}", None, kind) for seat in seats], seats=seats, allowed_while_paused=True)

        return await self.change(decide)

    async def _commit(self, change: Change) -> int:
        after, rows = change.after or self.match, change.rows
        seats = self._with_clock_time({**self._confirmed_newcomers(rows), **change.seats})
        started_ms = clock_start_ms(self.settings)
        await self.services.writer.append(LogAppend(self.id, self.version, tuple(rows), after.outcome, seats, started_ms or None))
        self.match = after
        self.seating = self.seating.with_seats(seats)
        for row in rows:
            self._append_line(row, after.to_act)
        self.clock.restart(started_ms)
        if rows[-1].kind == MOVE:
            metrics.count_move(self.game.key)
        self._after_change()
        return self.version

    def _append_line(self, row: LogLine, to_act: Sequence[Seat]) -> None:
        self.log.append(row, to_act)
        if row.kind in (HANDED, GRANTED, BACK):
            self.presence.reset_absence(Seat(int(row.line.split()[0])))

    def _confirmed_newcomers(self, rows: Sequence[LogLine]) -> Mapping[int, StoredSeat]:
        """Return the seats whose new owners make their first move, with the former owners erased, who can no longer return."""
        moved = {int(row.line.split()[0]) for row in rows if row.kind == MOVE and not row.line.startswith("-")}
        seats = {seat: self.seating.seats[seat] for seat in moved}
        return {
            seat: replace(stored_seat, owner_hash="", owner_name="")
            for seat, stored_seat in seats.items()
            if stored_seat.owner_hash and not stored_seat.level
        }

    def _after_change(self) -> None:
        """Wake the bots, schedule the check for absent players and notify the clients."""
        self.bot_player.wake()
        self.absent_players.schedule_check()
        self.signal.notify()

    def _with_clock_time(self, seats: Mapping[int, StoredSeat]) -> Mapping[int, StoredSeat]:
        """Return the seats with the time used up to now, where there are clocks."""
        timed = self.clock.seats_with_time_used()
        return {**timed, **{seat: replace(stored_seat, used=timed.get(seat, stored_seat).used) for seat, stored_seat in seats.items()}}

    async def catch_up(self) -> None:
        """Apply what another process wrote to this table."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> bool:
        """Apply what another process wrote; return whether there was anything."""
        found = await asyncio.to_thread(self.store.changes_since, self.id, self.version)
        if not found.seats:
            self.mark_deleted(msg("this table was deleted"))
            return True
        match = self.match.branch()
        for row in found.lines:
            match = apply_line(match, row)
            self.match = match
            self._append_line(row, match.to_act)
        seating = Seating(found.seats, found.former_tokens)
        if not (found.lines or seating != self.seating or found.rematch != self.rematch or found.chat_messages != self.chat.messages):
            return False
        self.chat.messages = found.chat_messages
        timed = bool(found.lines) or [stored_seat.used for stored_seat in seating.seats] != [
            stored_seat.used for stored_seat in self.seating.seats
        ]
        self.seating = seating
        self.rematch, self.inviter = found.rematch, seating.seat_of_hash(found.inviter)
        if timed:
            self.clock.restart(found.ticking)
        self._after_change()
        return True

    def presence_summary(self) -> str | None:
        """Return the pace and the seats connected to this process, encoded for the other processes."""
        presence = self.presence
        return f"{presence.slowest_pace}:{','.join(presence.present)}" if presence.screens or presence.present else None

    def on_presence_change(self) -> None:
        self.absent_players.schedule_check()
        self.signal.notify()

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:
        """Record the seats another process reports as connected to it."""
        self.polling.update_from_peer(process, [Seat(int(seat)) for seat in people], pace)
        self.bot_player.wake()

    async def stop_clocks(self) -> None:
        """Store the time used when the table closes, unless clients watch through another process.

        A table opened only for a list of tables was not visited, and costs nobody time.
        """
        if self.clock.running_seats and self.presence.visited and not self.presence.is_watched_at_peer:
            used = {seat: stored_seat.used for seat, stored_seat in self.clock.seats_with_time_used().items()}
            await asyncio.to_thread(self.store.stop_clocks, self.id, self.version, used)

    def close(self) -> None:
        """Stop the table's tasks and timers; its state is in the store."""
        self.bot_player.stop()
        self.coach.stop()
        self.absent_players.stop()
        self.polling.stop()

    def report_error(self, error: Exception) -> int:
        """Report an unexpected error; return the number of its report, the same for the same place in the code."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = (type(error).__name__, at and (at.tb_frame.f_code, at.tb_lineno))
        if where not in self._reported_errors:
            self._reported_errors[where] = report(error)
        self.error_report = self._reported_errors[where]
        return self.error_report


def _unchecked() -> None:
    """Allow everything, as to bots and organisers."""


@contextmanager
def _naming_failed_move(number: int, texts: Sequence[str]) -> Iterator[None]:
    """Add the number of the move to a refusal, if the turn has several moves."""
    try:
        yield
    except Refusal as refused:
        if len(texts) == 1:
            raise
        which = msg("move {number}, {move!r}: {reason}", number=number, move=texts[number - 1], reason=refused.sentence)
        raise IllegalMove(which, refused.rule) if isinstance(refused, IllegalMove) else type(refused)(which) from refused


async def _shielded(work: Coroutine[Any, Any, int]) -> int:
    """Run the work to its end even if the caller is cancelled: it holds the lock until memory and disk agree."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(work))
