"""One table. It has four jobs: decide a change under its lock, commit it, become what was committed, and tell its clients.

A change is played on a branch of the match, committed, and only then becomes the match: clients never see what is not on disk, and nothing
refused is on disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import Message, msg
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.table.absent_players import AbsentPlayers
from tablee.server.table.bot_player import BotPlayer
from tablee.server.table.chat import Chat, Reactions
from tablee.server.table.clock import Clock, clock_start_ms
from tablee.server.table.coaching import Coach
from tablee.server.table.config import DEFAULT_CONFIG, Services, TableConfig
from tablee.server.table.decisions import NotNow
from tablee.server.table.log import Change, Decision, apply_line
from tablee.server.table.models import (
    BACK,
    GRANTED,
    HANDED,
    MOVE,
    ConflictError,
    LogAppend,
    LogLine,
    StoredSeat,
    StoredTable,
    StoreError,
    TableChanges,
)
from tablee.server.table.seats import Seating
from tablee.server.table.state import TableState
from tablee.server.table.undo import UndoRequests


class Table(TableState):
    def __init__(self, stored: StoredTable, game: Game, services: Services, config: TableConfig = DEFAULT_CONFIG) -> None:
        super().__init__(stored, game, config)
        self._services, self._lock = services, asyncio.Lock()
        self._reported_errors: dict[Any, int] = {}
        self.error_report: int | None = None  # number of the last error report about this table
        self.deleted_reason: Message | None = None  # why the table was deleted
        self.clock = Clock(self, stored.ticking)
        self.undo_requests, self.absent_players = UndoRequests(self), AbsentPlayers(self, self.clock)
        self.reactions = Reactions(self, services.announce_reaction)
        self.chat = Chat(self, stored.chat_messages, services.store, self.catch_up)
        self.coach = Coach(self, services.store, services.bot_executor)
        self.bot_player = BotPlayer(self, services, self.change, self.report_error)

    async def reseat(self, changes: Mapping[Seat, Callable[[StoredSeat], StoredSeat]], kind: str) -> int:
        """Apply these changes to the seats as they are under the lock, even during a pause, and log each with a line of this kind."""

        def decide() -> Change:
            seats: dict[int, StoredSeat] = {seat: change(self.seating.seats[seat]) for seat, change in changes.items()}
            return Change([LogLine(f"{seat} {kind}", None, kind) for seat in seats], seats=seats, allowed_while_paused=True)

        return await self.change(decide)

    async def change(self, decide: Decision) -> int:
        """Run `decide` under the lock and commit its Change, even if the caller is cancelled; return the new version.

        An int means a duplicate request, already applied at that version.
        """
        return await _shielded(self._change(decide))

    async def _change(self, decide: Decision) -> int:
        """Decide and commit; on a refusal, catch up with other processes and decide again if they wrote anything."""
        async with self._lock:
            try:
                return await self._decide_and_commit(decide)
            except StoreError:
                raise
            except TableeError as refused:
                others_may_have_written = self._services.store.shared or isinstance(refused, ConflictError)
                if not (others_may_have_written and await self._catch_up()):
                    raise
            return await self._decide_and_commit(decide)

    async def _decide_and_commit(self, decide: Decision) -> int:
        change = decide()
        if isinstance(change, int):
            return change
        self._check_allowed(change)
        return await self._commit(change)

    def _check_allowed(self, change: Change) -> None:
        """Refuse any change of a deleted table, and during a pause all but those that a pause allows."""
        if self.deleted_reason:
            raise NotNow(self.deleted_reason)
        if change.allowed_while_paused:
            return
        if self.club_paused:
            raise NotNow(msg("all tables of the class are paused; make your move when they go on"))
        if self.log.paused:
            raise NotNow(msg("the game is paused; any player may go on with it"))

    async def _commit(self, change: Change) -> int:
        after, rows = change.after or self.match, change.rows
        seats = self._with_clock_time({**self._confirmed_newcomers(rows), **change.seats})
        started_ms = clock_start_ms(self.settings, self.config)
        await self._services.append(
            LogAppend(
                table=self.id,
                position=self.version,
                lines=tuple(rows),
                outcome=after.outcome,
                seats=seats,
                ticking=started_ms or None,
            )
        )
        self.seating = self.seating.with_seats(seats)
        self.match = after
        for row in rows:
            self._become(row)
        self.clock.restart(started_ms)
        if rows[-1].kind == MOVE:
            metrics.count_move(self.game.key)
        self._tell()
        return self.version

    def _become(self, row: LogLine) -> None:
        """Append a committed line, after which the match is the present one."""
        self.append_line(row, self.match)
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

    def _with_clock_time(self, seats: Mapping[int, StoredSeat]) -> Mapping[int, StoredSeat]:
        """Return the seats with the time used up to now, where there are clocks."""
        timed = self.clock.seats_with_time_used()
        return {**timed, **{seat: replace(stored_seat, used=timed.get(seat, stored_seat).used) for seat, stored_seat in seats.items()}}

    def _tell(self) -> None:
        """Wake the bots, schedule the check for absent players and notify the clients."""
        self.bot_player.wake()
        self.absent_players.schedule_check()
        self.signal.notify()

    async def catch_up(self) -> None:
        """Apply what another process wrote to this table, and the pause of its club."""
        async with self._lock:
            await self._catch_up()

    async def catch_up_to(self, version: int) -> None:
        """Read what other processes wrote if the client knows a newer version than this process."""
        if version > self.version and self._services.store.shared:
            await self.catch_up()
        self.check_version_exists(version)

    async def _catch_up(self) -> bool:
        """Apply what another process wrote; return whether there was anything."""
        found = await asyncio.to_thread(self._services.store.changes_since, self.id, self.version)
        if not found.seats:
            self.mark_deleted(msg("this table was deleted"))
            return True
        match = self.match.branch()
        for row in found.lines:
            self.match = match = apply_line(match, row)
            self._become(row)
        if not self._apply_changes(found):
            return False
        self._tell()
        return True

    def _apply_changes(self, found: TableChanges) -> bool:
        """Apply what stands outside the log; return whether anything changed, the log included."""
        was_paused, before = self.club_paused, (self.seating, self.rematch, self.chat.messages)
        used = [stored_seat.used for stored_seat in self.seating.seats]
        self.seating, self.rematch = Seating(found.seats, found.former_tokens), found.rematch
        self.inviter = self.seating.seat_of_hash(found.inviter)
        self.chat.messages, self.club_paused = found.chat_messages, found.club_paused
        if found.lines or used != [stored_seat.used for stored_seat in found.seats]:
            self.clock.restart(found.ticking)
        elif self.club_paused != was_paused:
            self.clock.restart()
        return bool(found.lines) or was_paused != self.club_paused or before != (self.seating, self.rematch, self.chat.messages)

    def presence_summary(self) -> str | None:
        """Return the pace and the seats connected to this process, encoded for the other processes."""
        presence = self.presence
        return f"{presence.slowest_pace}:{','.join(presence.present)}" if presence.screens or presence.present else None

    def on_presence_change(self) -> None:
        self.absent_players.schedule_check()
        super().on_presence_change()

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:
        """Record the seats another process reports as connected to it."""
        self.presence.update_from_peer(process, [Seat(int(seat)) for seat in people], pace)
        self.bot_player.wake()

    async def stop_clocks(self) -> None:
        """Store the time used when the table closes, unless clients watch through another process.

        A table opened only for a list of tables was not visited, and costs nobody time.
        """
        if self.clock.running_seats and self.presence.visited and not self.presence.is_watched_at_peer:
            used = {seat: stored_seat.used for seat, stored_seat in self.clock.seats_with_time_used().items()}
            await asyncio.to_thread(self._services.store.stop_clocks, self.id, self.version, used)

    def mark_deleted(self, reason: Message) -> None:
        """Close the deleted table and show its clients the reason."""
        self.close()
        self.deleted_reason = reason
        self.signal.notify()

    def close(self) -> None:
        """Stop the table's tasks and timers; its state is in the store."""
        self.bot_player.stop()
        self.coach.stop()
        self.absent_players.stop()
        self.presence.stop()

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


async def _shielded(work: Coroutine[Any, Any, int]) -> int:
    """Run the work to its end even if the caller is cancelled: it holds the lock until memory and disk agree."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(work))
