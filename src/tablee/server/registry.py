"""Registry of the tables: load each on first request, at most two at once, and evict it when nobody has visited it for a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablee import bots, games
from tablee.core import fairness, record, tutorial
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import FIRST, Game, Seat
from tablee.core.i18n import Message, msg
from tablee.core.match import Match
from tablee.server.cluster.sync import PeerSync
from tablee.server.lobby.lobby import GameNotStarted, Lobby
from tablee.server.lobby.registry import LobbyRegistry
from tablee.server.storage.leases import Leases
from tablee.server.storage.store import Store
from tablee.server.storage.writer import GroupCommitWriter
from tablee.server.table.bot_executor import BotExecutor
from tablee.server.table.clock import clock_start_ms
from tablee.server.table.config import DEFAULT_CONFIG, TableConfig
from tablee.server.table.legacy import OlderRules
from tablee.server.table.models import (
    BOT,
    HUMAN,
    IN_LOBBY,
    SEED_BYTES,
    ConflictError,
    LogLine,
    StoredSeat,
    StoredTable,
    StoreError,
    TableSettings,
    new_id,
)
from tablee.server.table.seats import Seating, SeatSpec, assign_seats
from tablee.server.table.services import Services
from tablee.server.table.table import Table
from tablee.server.view import rendering
from tablee.server.view.render_queue import RenderQueue

MAX_CONCURRENT_OPENS = 2
MAX_CONCURRENT_VERIFICATIONS = 1
MAX_DELETED_REASONS = 1000  # deleted tables whose clients can still learn why
SHUTDOWN_TIMEOUT = 3.0  # seconds to evict all tables at the end, on a shared database

DEFAULT_SETTINGS = TableSettings()


class NoSuchTable(TableeError):
    pass


class NoTutorial(TableeError):
    pass


class NotOver(TableeError):
    """Refusal of an action that needs a finished game."""


class TableRegistry:
    def __init__(self, store: Store, boxes: dict[str, Path] | None = None, config: TableConfig = DEFAULT_CONFIG) -> None:
        self.store = store
        self._boxes = boxes or {}
        self._config = config
        self._started_at = self._config.monotonic()
        self.bot_executor = BotExecutor()
        self.render_queue = RenderQueue()
        self.lobbies = LobbyRegistry(store, self.game, config)
        self._open_tables: dict[str, Table] = {}
        self._opening_tasks: dict[str, asyncio.Task[Table]] = {}
        self._deleted_reasons: dict[str, Message] = {}  # why a table was deleted, for clients that come back to it
        self._open_slots = asyncio.Semaphore(MAX_CONCURRENT_OPENS)
        self._verify_slots = asyncio.Semaphore(MAX_CONCURRENT_VERIFICATIONS)
        self._create_lock = asyncio.Lock()  # tables are created one by one, so that a move waits for one of them at most
        self.peers = PeerSync(self)
        self._writer, self._leases = GroupCommitWriter(store), Leases(store.database)
        self._services = Services(
            store=store,
            append=self._writer.append,
            acquire_lease=self._leases.acquire,
            announce_reaction=self.peers.announce_reaction,
            bot_executor=self.bot_executor,
        )

    def close(self) -> None:
        """Close the bot threads, the writer and the store."""
        self.bot_executor.close()
        self._writer.close()
        self.store.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sync with other processes; at the end evict every table."""
        grace_timer = asyncio.get_running_loop().call_later(self._config.reconnect_grace, self._end_reconnect_grace)
        async with AsyncExitStack() as exit_stack:
            await exit_stack.enter_async_context(self.peers.connected())
            try:
                yield
            finally:
                grace_timer.cancel()
                await self._shut_down(exit_stack)

    async def _shut_down(self, exit_stack: AsyncExitStack) -> None:
        """Evict all tables and release the leases.

        A time limit holds on a shared database, which may hang: the log has everything, and leases expire.
        """
        with suppress(TimeoutError, StoreError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT if self.store.shared else None):
                await exit_stack.aclose()
                await self.evict(0.0)
                await self._writer.wait_for_commit()
                await asyncio.to_thread(self._leases.release_all)

    def _end_reconnect_grace(self) -> None:
        """Notify the tables where not everybody has reconnected: the missing count as away from now on."""
        for table in self.tables:
            if not all(table.presence.is_here(seat, include_expected=False) for seat in table.seating.people):
                table.signal.notify()

    async def evict(self, stale: float) -> None:
        """Close the tables that nobody has visited for `stale` seconds; 0 closes all."""
        for table in self.tables:
            if self._is_stale(table, stale):
                table.close()
                self._leases.discard(table.id)
                self._open_tables.pop(table.id, None)
                with suppress(StoreError):
                    await table.stop_clocks()

    @staticmethod
    def _is_stale(table: Table, stale: float) -> bool:
        return not stale or (table.presence.idle_seconds >= stale and not table.bot_player.busy)

    def prewarm_pages(self) -> None:
        """Render the scene that every table of a game begins with, and compile all templates."""
        for game in self.games():
            state = Match(game, game.seats[0]).state
            list(game.scene(game.view(game.observe(state, None))).values())
        rendering.compile_templates()

    @property
    def tables(self) -> Sequence[Table]:
        """Return the open tables."""
        return list(self._open_tables.values())

    @property
    def ids_in_use(self) -> set[str]:
        """Return the ids of tables and lobbies that are open or being opened."""
        return {*self._open_tables, *self._opening_tasks, *(lobby.id for lobby in self.lobbies.open_lobbies)}

    def get_open(self, table: str) -> Table | None:
        """Return the table if it is open."""
        return self._open_tables.get(table)

    async def sync_club(self, club: str) -> None:
        """Apply what was written about a club to its open tables: its pause, and changed or removed members."""
        for table in self.tables:
            if table.settings.club == club:
                await table.catch_up()

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def game_with_box(self, key: str, sha256: str) -> Game | None:
        """Return the game with the box of this checksum: the server's own, or one that a stored table was started with."""
        game = self.game(key)
        if game.components.sha256 == sha256:
            return game
        box = self.store.load_box(sha256)
        return games.open_box(key, box) if box else None

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
        return await self._store_and_open(new_table(game, seating, options, replace(settings, hints=allowed))), tokens

    async def create_lobby(self, key: str, name: str, colour: int) -> tuple[Lobby, str]:
        """Create a lobby; return it and its host's token."""
        return await self.lobbies.create(key, new_id(), name, colour)

    async def lobby(self, table: str) -> Lobby:
        found = await self.lobbies.find(table)
        if found is None:
            raise _no_such_table(table)
        return found

    async def create_tutorial(self, key: str) -> tuple[Table, str]:
        """Create a table for the game's tutorial, with the box it was written for; return it and the learner's token."""
        game = await asyncio.to_thread(games.find, key)
        lesson = tutorial.tutorial_of(game)
        if lesson is None:
            raise NoTutorial(msg("{game} has no first game to learn by", game=msg(game.title)))
        seating, (token, *_) = assign_seats([SeatSpec(HUMAN), *(SeatSpec(BOT, name, bots.EASY.name) for name in lesson.opponents)])
        match = Match(game, len(seating), dict(lesson.options), fairness.new_seed())
        lesson.play_scripted(match)
        return await self._store_and_open(_started_table(match, seating, TableSettings(lesson=True))), str(token)

    async def rematch(self, table: Table, asked_by: Seat | None = None) -> Table:
        """Return the rematch of a finished game, created on the first request: same seats and options, the next seat goes first."""
        if table.match.to_act:
            raise NotOver(msg("you can play again when the game is over"))
        if not table.rematch:
            host = "" if asked_by is None else table.seating.seats[asked_by].token_hash
            try:
                table.rematch, table.inviter = (
                    (await self._store_and_open(replace(new_table_like(table), host=host), table.id)).id,
                    asked_by,
                )
            except ConflictError:
                await table.catch_up()
            table.signal.notify()
        return await self.table(table.rematch)

    async def create_from_position(self, table: Table, lines: int, seat_specs: Sequence[SeatSpec]) -> tuple[Table, list[str | None]]:
        """Create a table from a finished game's position after `lines` lines, with a new seed; return it and the tokens."""
        if not table.done:
            raise NotOver(msg("one can play on from a game when it is over"))
        match = table.match.at(lines).fork(fairness.new_seed(), table.id)
        if match.over:
            raise TableeError(msg("the game is over there; go back a little, and play on from there"))
        seating, tokens = assign_seats(seat_specs)
        club = table.settings.club
        return await self._store_and_open(
            _started_table(match, seating, TableSettings(hints=len(seating.people) <= 1, club=club, aside=bool(club)))
        ), tokens

    async def import_record(self, text: str) -> Table:
        """Create a table that shows a record, once it is verified by the present rules."""
        async with self._verify_slots:
            match = (await asyncio.to_thread(record.verify, self.game, text)).match
        if match.seed and len(match.seed) != SEED_BYTES:
            raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="fairness.seed"))
        stored = _to_stored(match, Seating((StoredSeat(HUMAN, ""),) * match.seats), TableSettings())
        return await self._store_and_open(replace(stored, outcome=match.outcome, brought=True))

    async def _store_and_open(self, stored: StoredTable, after: str | None = None) -> Table:
        stored = replace(stored, ticking=clock_start_ms(stored.settings, self._config))
        async with self._create_lock:
            await asyncio.to_thread(self.store.add_table, stored, after)
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

    def mark_deleted(self, table: str, reason: Message) -> None:
        """Close a deleted table and remember the reason for its clients."""
        self._deleted_reasons[table] = reason
        if len(self._deleted_reasons) > MAX_DELETED_REASONS:
            del self._deleted_reasons[next(iter(self._deleted_reasons))]
        found = self._open_tables.pop(table, None)
        if found is not None:
            found.mark_deleted(reason)

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
        """Register an opened table for notifications, then catch up with what other processes wrote while it was being opened."""
        table = self._open_tables.setdefault(opened.id, opened)
        table.absent_players.schedule_check()
        if self.store.shared:
            with suppress(StoreError):  # housekeeping will resync soon
                await table.catch_up()
        return table

    def _load(self, table: str) -> Table:
        stored = self.store.load(table)
        if stored is None:
            raise NoSuchTable(self._deleted_reasons[table]) if table in self._deleted_reasons else _no_such_table(table)
        if stored.phase == IN_LOBBY:
            raise GameNotStarted
        if stored.unseen:
            with suppress(StoreError):  # a full disk does not forbid reading
                self.store.mark_opened(table)
        found = self._build(stored)
        found.presence.expect_everyone_until(self._started_at + self._config.reconnect_grace)
        return found

    def _build(self, stored: StoredTable) -> Table:
        game = games.open_box(stored.game, stored.box)
        if stored.rules != game.rules:
            raise OlderRules(stored, game)
        return Table(stored, game, self._services, self._config)


def _retrieve_exception(done: asyncio.Task[Table], _: object) -> None:
    """Retrieve the exception so that asyncio does not log it as never retrieved if all callers have left."""
    with suppress(asyncio.CancelledError):
        done.exception()


def _no_such_table(table: str) -> NoSuchTable:
    return NoSuchTable(msg("there is no table {table!r}", table=table[:40]))


def new_table(game: Game, seating: Seating, options: dict[str, Any], settings: TableSettings) -> StoredTable:
    """Return a new table, ready to be stored, for people who have their tokens."""
    return _started_table(Match(game, len(seating), options, fairness.new_seed()), seating, settings)


def new_table_like(table: Table) -> StoredTable:
    """Return a new table, ready to be stored, with the same seats and settings; the next seat goes first."""
    return new_table(table.game, table.seating, _options_with_next_first(table.match), replace(table.settings, lesson=False))


def _started_table(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    match.play_nature()
    return _to_stored(match, seating, settings)


def _to_stored(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    """Return the match as a new table, ready to be stored."""
    game, rows = match.game, tuple(LogLine(line, None) for line in match.lines())
    return StoredTable(
        new_id(),
        game.key,
        game.rules,
        game.components,
        dict(match.options),
        tuple(replace(seat, used=0, owner_hash="", owner_name="") for seat in seating.seats),
        match.seed or b"",
        match.derivation,
        rows,
        settings=settings,
        origin=match.origin,
    )


def _options_with_next_first(match: Match) -> dict[str, Any]:
    """Return the match's options with the first turn passed to the next seat, where the game has a first seat."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options
