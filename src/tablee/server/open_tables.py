"""Open tables: created, and opened on first request, at most two at once, over any storage."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablee import games
from tablee.core import record
from tablee.core.game import Game, Seat
from tablee.core.i18n import Message
from tablee.server.lobby.lobby import GameNotStarted
from tablee.server.table.clock import clock_start_ms
from tablee.server.table.config import Services, TableConfig
from tablee.server.table.continuation import continued_table, players_of
from tablee.server.table.models import IN_LOBBY, ConflictError, NoSuchTable, StoredTable, StoreError, TableSettings, TableStore
from tablee.server.table.new_tables import new_table, rematch_of, table_from_position, table_of_record, tutorial_table
from tablee.server.table.records import OlderRules
from tablee.server.table.seats import SeatSpec, assign_seats
from tablee.server.table.table import Table

MAX_CONCURRENT_OPENS = 2
MAX_DELETED_REASONS = 1000  # deleted tables whose clients can still learn why

DEFAULT_SETTINGS = TableSettings()


class OpenTables:
    def __init__(self, storage: TableStore, services: Services, boxes: dict[str, Path] | None, config: TableConfig) -> None:
        self._storage, self._services, self._boxes, self.config = storage, services, boxes or {}, config
        self._started_at = config.monotonic()
        self._open_tables: dict[str, Table] = {}
        self._opening_tasks: dict[str, asyncio.Task[Table]] = {}
        self._deleted_reasons: dict[str, Message] = {}  # why a table was deleted, for clients that come back to it
        self._open_slots = asyncio.Semaphore(MAX_CONCURRENT_OPENS)
        self._create_lock = asyncio.Lock()  # tables are created one by one, so that a move waits for one of them at most

    @property
    def tables(self) -> Sequence[Table]:
        """Return the open tables."""
        return list(self._open_tables.values())

    def get_open(self, table: str) -> Table | None:
        """Return the table if it is open."""
        return self._open_tables.get(table)

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def games(self) -> list[Game]:
        return games.open_all(self._boxes)

    async def create(
        self,
        key: str,
        options: dict[str, Any],
        seat_specs: Sequence[SeatSpec],
        hints: bool | None = None,
        settings: TableSettings = DEFAULT_SETTINGS,
    ) -> tuple[Table, list[str | None]]:
        """Create a table; return it and the token of each person's seat, None for a bot's.

        By default, hints are allowed where at most one person plays.
        """
        seating, tokens = assign_seats(seat_specs)
        allowed = len(seating.people) <= 1 if hints is None else hints
        game = await asyncio.to_thread(self.game, key)
        made = new_table(game, seating, options, replace(settings, hints=allowed), self.config.new_seed())
        return await self._store_and_open(made), tokens

    async def create_tutorial(self, key: str) -> tuple[Table, str]:
        """Create a table for the game's tutorial, with the box it was written for; return it and the learner's token."""
        made, token = tutorial_table(await asyncio.to_thread(games.find, key), self.config.new_seed())
        return await self._store_and_open(made), token

    async def create_from_position(self, table: Table, lines: int, seat_specs: Sequence[SeatSpec]) -> tuple[Table, list[str | None]]:
        """Create a table from a finished game's position after `lines` lines; return it and the tokens."""
        made, tokens = table_from_position(table, lines, seat_specs, self.config.new_seed())
        return await self._store_and_open(made), tokens

    async def import_record(self, text: str) -> tuple[Table, list[str | None]]:
        """Create a table from a record, once it is verified by the present rules, in the bots' threads.

        Return the table, which shows the game or goes on with it, and the tokens of those who go on.
        """
        verified = await self._services.bot_executor.run_alone(record.verify, self.game, text)
        players = players_of(text, verified.match)
        if players is None:
            return await self._store_and_open(table_of_record(verified.match)), []
        made, tokens = continued_table(verified.match, players, self.config.new_seed())
        return await self._store_and_open(made), tokens

    async def rematch(self, table: Table, asked_by: Seat | None = None) -> Table:
        """Return the rematch of a finished game, created on the first request."""
        if not table.rematch:
            made = rematch_of(table, asked_by, self.config.new_seed())
            try:
                table.rematch, table.inviter = (await self._store_and_open(made, after=table.id)).id, asked_by
            except ConflictError:
                await table.catch_up()
            table.signal.notify()
        return await self.table(table.rematch)

    async def _store_and_open(self, stored: StoredTable, after: str | None = None) -> Table:
        stored = replace(stored, ticking=clock_start_ms(stored.settings, self.config))
        async with self._create_lock:
            await asyncio.to_thread(self._storage.add_table, stored, after)
        return await self.open_new(stored)

    async def open_new(self, stored: StoredTable) -> Table:
        """Open a table that was just stored; return the open one if a request has opened it before."""
        table = await self._register(await asyncio.to_thread(self._build, stored))
        table.bot_player.wake()
        return table

    async def table(self, table: str) -> Table:
        found = await self.peek(table)
        found.presence.touch()
        found.bot_player.wake()
        return found

    async def peek(self, table: str) -> Table:
        """Return the table without counting as a visit and without waking its bots, for lists of tables."""
        found = self._open_tables.get(table)
        return found if found is not None else await asyncio.shield(self._opening_task(table))

    def _opening_task(self, table: str) -> asyncio.Task[Table]:
        """Return the task that opens the table, one for all who request it."""
        if table not in self._opening_tasks:
            task = self._opening_tasks[table] = asyncio.get_running_loop().create_task(self._load_and_open(table))
            task.add_done_callback(lambda done: _retrieve_exception(done, self._opening_tasks.pop(table)))
        return self._opening_tasks[table]

    async def _load_and_open(self, table: str) -> Table:
        async with self._open_slots:
            return await self._register(await asyncio.to_thread(self._load, table))

    async def _register(self, opened: Table) -> Table:
        """Register an opened table for notifications, then catch up with what was written while it was being opened."""
        table = self._open_tables.setdefault(opened.id, opened)
        table.absent_players.schedule_check()
        if self._storage.shared or table.settings.club:  # a new table may be one of a paused club
            with suppress(StoreError):  # housekeeping will resync soon
                await table.catch_up()
        return table

    def _load(self, table: str) -> Table:
        stored = self._storage.load(table)
        if stored is None:
            raise NoSuchTable(table, self._deleted_reasons.get(table))
        if stored.phase == IN_LOBBY:
            raise GameNotStarted
        if stored.unseen:
            with suppress(StoreError):  # a full disk does not forbid reading
                self._storage.mark_opened(table)
        found = self._build(stored)
        found.presence.expect_everyone_until(self._started_at + self.config.reconnect_grace)
        return found

    def _build(self, stored: StoredTable) -> Table:
        game = games.open_box(stored.game, stored.box)
        if stored.rules != game.rules:
            raise OlderRules(stored, game)
        return Table(stored, game, self._services, self.config)

    def mark_deleted(self, table: str, reason: Message) -> None:
        """Close a deleted table and remember the reason for its clients."""
        self._deleted_reasons[table] = reason
        if len(self._deleted_reasons) > MAX_DELETED_REASONS:
            del self._deleted_reasons[next(iter(self._deleted_reasons))]
        found = self._open_tables.pop(table, None)
        if found is not None:
            found.mark_deleted(reason)


def _retrieve_exception(done: asyncio.Task[Table], _: object) -> None:
    """Retrieve the exception so that asyncio does not log it as never retrieved if all callers have left."""
    with suppress(asyncio.CancelledError):
        done.exception()
