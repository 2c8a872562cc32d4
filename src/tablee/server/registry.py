"""The house: every table, read from the store when first asked for, a few at a time, and let go when nobody has come for a while."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tablee import bots, games
from tablee.core import fairness, record, tutorial
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import FIRST, Game, Seat
from tablee.core.i18n import LANGUAGES, Message, msg
from tablee.core.match import Match
from tablee.server.cluster.sync import PeerSync
from tablee.server.lobby.lobby import GameNotStarted, Lobby
from tablee.server.lobby.registry import LobbyRegistry
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.ops.gc_scheduler import GcScheduler
from tablee.server.storage.clubs import ClubStore
from tablee.server.storage.codes import new_id
from tablee.server.storage.database import ConflictError, StoreError
from tablee.server.storage.leases import Leases
from tablee.server.storage.models import LogLine, StoredSeat, StoredTable, TableSettings
from tablee.server.storage.schema import BOT, HUMAN, IN_LOBBY, SEED_BYTES
from tablee.server.storage.store import Store
from tablee.server.storage.writer import GroupCommitWriter
from tablee.server.table.absent_players import AWAY_AFTER
from tablee.server.table.bot_executor import BotExecutor
from tablee.server.table.clock import clock_start_ms
from tablee.server.table.legacy import OlderRules
from tablee.server.table.seats import Seating, SeatSpec, assign_seats
from tablee.server.table.services import Services
from tablee.server.table.table import Table
from tablee.server.view import rendering
from tablee.server.view.render_queue import RenderQueue

BOT_PACE = 0.8  # seconds a bot waits before its turn, so that people can follow
MAX_CONCURRENT_OPENS = 2
MAX_CONCURRENT_VERIFICATIONS = 1
MAX_DELETED_REASONS = 1000  # deleted tables whose screens are told why
HOUSEKEEPING_INTERVAL = 10.0  # seconds between two looks for tables that nobody is at,
EVICT_AFTER = 120.0  # and after so many a table is let go
RECONNECT_GRACE = 10.0  # seconds after the house was opened in which nobody is called away
SHUTDOWN_TIMEOUT = 3.0  # seconds for that at the end
CHECKPOINT_EVERY = 48  # lines after which a position is kept again
CHECKPOINT_PAUSE = 0.05  # seconds between two positions: moves are written in between
IDLE_BEFORE_GC = 10.0  # seconds in which nothing was drawn: then nobody is likely to touch anything just now

DEFAULT_SETTINGS = TableSettings()

logger = logging.getLogger(__name__)


class NoSuchTable(TableeError):
    pass


class NoLesson(TableeError):
    pass


class NotOver(TableeError):
    """A rematch follows a game that has ended."""


class TableRegistry:
    def __init__(
        self, store: Store, boxes: dict[str, Path] | None = None, pace: float = BOT_PACE, away_after: float = AWAY_AFTER, retention: int = 0
    ) -> None:
        """`retention` is after how many days without a visitor a table where nothing more is played is removed; 0 is never."""
        self.store = store
        self._retention = retention
        self._boxes = boxes or {}
        self._bot_pace, self._away_after = pace, away_after
        self._started_at = time.monotonic()
        self.bot_executor = BotExecutor()
        self.render_queue = RenderQueue()
        self.lobbies = LobbyRegistry(store, self.game, away_after)
        self._open_tables: dict[str, Table] = {}
        self._opening_tasks: dict[str, asyncio.Task[Table]] = {}
        self._deleted_reasons: dict[str, Message] = {}  # what to say to screens that come back to a table which is kept no more
        self._open_slots = asyncio.Semaphore(MAX_CONCURRENT_OPENS)
        self._verify_slots = asyncio.Semaphore(MAX_CONCURRENT_VERIFICATIONS)
        self._create_lock = asyncio.Lock()  # new tables are written one after the other: moves wait for one of them at most
        self.peers = PeerSync(self)
        self._services = Services(GroupCommitWriter(store), self.bot_executor, Leases(store.database), self.peers.publish)

    def close(self) -> None:
        """Nobody thinks any more, and what is kept is closed."""
        self.bot_executor.close()
        self._services.writer.close()
        self.store.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the house is open somebody makes the rounds; at the end every table is put away."""
        with closing(GcScheduler()) as tidying:
            loop = asyncio.get_running_loop()
            chores = [
                loop.create_task(chore) for chore in (self._run_housekeeping(tidying), self._save_checkpoints(), tidying.collect_young())
            ]
            waiting = loop.call_later(RECONNECT_GRACE, self._end_reconnect_grace)
            async with AsyncExitStack() as hearing:
                await hearing.enter_async_context(self.peers.connected())
                try:
                    yield
                finally:
                    for chore in chores:
                        chore.cancel()
                    waiting.cancel()
                    await self._shut_down(hearing)

    async def _shut_down(self, hearing: AsyncExitStack) -> None:
        """Nobody waits for long for a database that may hang: the log has everything, and leases run out."""
        with suppress(TimeoutError, StoreError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT if self.store.shared else None):
                await hearing.aclose()
                await self.evict(0.0)
                await self._services.writer.wait_for_commit()
                await asyncio.to_thread(self._services.leases.release_all)

    def _end_reconnect_grace(self) -> None:
        """Who is not back by now is away; where all are back, nothing is new."""
        for table in self.tables:
            if not all(table.presence.is_here(seat, include_expected=False) for seat in table.seating.people):
                table.signal.notify()

    async def _run_housekeeping(self, tidying: GcScheduler) -> None:
        """Whatever goes wrong in one round, the next is made."""
        while True:
            metrics.set_open_tables(len(self._open_tables))
            await asyncio.sleep(HOUSEKEEPING_INTERVAL)
            try:
                await self._housekeep_once(tidying)
            except Exception as error:
                report(error)

    async def _housekeep_once(self, tidying: GcScheduler) -> None:
        await self.evict(EVICT_AFTER)
        self.lobbies.evict(EVICT_AFTER)
        with suppress(StoreError):
            await self.peers.resync()
        await self._delete_expired()
        tidying.collect_if_due(self.render_queue.idle_seconds > IDLE_BEFORE_GC)

    async def _save_checkpoints(self) -> None:
        """Those of tables whose log has grown, so that they open quickly even if nobody puts them away."""
        while True:
            await asyncio.sleep(HOUSEKEEPING_INTERVAL)
            for table in self.tables:
                if table.version - table.checkpoint_version >= CHECKPOINT_EVERY:
                    await self._save_checkpoint(table)
                    await asyncio.sleep(CHECKPOINT_PAUSE)

    async def _delete_expired(self) -> None:
        if self._retention:
            since = datetime.now(UTC) - timedelta(days=self._retention)
            used = {*self._open_tables, *self._opening_tasks, *(gathering.id for gathering in self.lobbies.open_lobbies)}
            try:
                gone = await asyncio.to_thread(self.store.delete_idle, since, used)
                logger.log(
                    logging.INFO if gone else logging.DEBUG, "tables removed after %d days without a visitor: %d", self._retention, gone
                )
            except StoreError as error:
                logger.warning("old tables are not removed: %s", error)

    async def evict(self, stale: float) -> None:
        """Puts away the tables that nobody has looked at for so many seconds."""
        for table in self.tables:
            if self._is_stale(table, stale):
                await self._save_checkpoint(table)
                await asyncio.sleep(CHECKPOINT_PAUSE if stale else 0)
                if self._is_stale(table, stale):  # nobody has come meanwhile
                    table.close()
                    self._services.leases.discard(table.id)
                    self._open_tables.pop(table.id, None)
                    with suppress(StoreError):
                        await table.stop_clocks()

    @staticmethod
    def _is_stale(table: Table, stale: float) -> bool:
        return not stale or (table.presence.idle_seconds >= stale and not table.bot_player.busy)

    @staticmethod
    async def _save_checkpoint(table: Table) -> None:
        """Whatever goes wrong, the log has everything."""
        try:
            await table.save_checkpoint()
        except StoreError as error:
            logger.warning("the position of a table of %s is not kept: %s", table.game.key, error)
        except Exception as error:
            table.report_error(error)

    def prewarm_pages(self) -> None:
        """Makes the drawings that every table of a game begins with, and puts its page together."""
        for game in self.games():
            state = Match(game, game.seats[0]).state
            list(game.scene(game.view(game.observe(state, None))).values())
        for language in LANGUAGES:
            for game in self.games():
                rendering.table_page_environment(language).compile_page(game.key)

    @property
    def tables(self) -> Sequence[Table]:
        """Those that are open."""
        return list(self._open_tables.values())

    def has_opening_backlog(self) -> bool:
        """Whether more tables are asked for than can be opened at once."""
        return len(self._opening_tasks) > MAX_CONCURRENT_OPENS

    def get_open(self, table: str) -> Table | None:
        """The table if it is open."""
        return self._open_tables.get(table)

    async def sync_club(self, club: str) -> None:
        """Something was written about all tables of a club: whether they rest, or who is not known any more."""
        await self.apply_club_pause(club)
        for table in self._tables_of_club(club):
            await table.catch_up()

    async def apply_club_pause(self, club: str) -> None:
        """Its tables rest while it is paused, and go on when it does."""
        if club and self._tables_of_club(club):
            paused = await asyncio.to_thread(ClubStore(self.store).is_paused, club)
            for table in self._tables_of_club(club):
                if table.club_paused != paused:
                    table.set_club_paused(paused)

    def _tables_of_club(self, club: str) -> Sequence[Table]:
        return [table for table in self.tables if table.settings.club == club]

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def games(self) -> list[Game]:
        return games.open_all(self._boxes)

    async def create(
        self,
        key: str,
        options: dict[str, Any],
        wanted: Sequence[SeatSpec],
        hints: bool | None = None,
        settings: TableSettings = DEFAULT_SETTINGS,
    ) -> tuple[Table, list[str | None]]:
        """A new table and the token of each person's seat. Against bots alone one may ask the coach, unless the host says otherwise."""
        seating, tokens = assign_seats(wanted)
        allowed = len(seating.people) <= 1 if hints is None else hints
        game = await asyncio.to_thread(self.game, key)
        return await self._store_and_open(new_table(game, seating, options, replace(settings, hints=allowed))), tokens

    async def create_lobby(self, key: str, name: str, colour: int) -> tuple[Lobby, str]:
        """A table that waits for people, and its host's token."""
        return await self.lobbies.create(key, new_id(), name, colour)

    async def lobby(self, table: str) -> Lobby:
        found = await self.lobbies.find(table)
        if found is None:
            raise _no_such_table(table)
        return found

    async def create_tutorial(self, key: str) -> tuple[Table, str]:
        """A table at which one learns a game by playing, and the learner's token; it has the box for which the lesson was written."""
        game = await asyncio.to_thread(games.find, key)
        taught = tutorial.tutorial_of(game)
        if taught is None:
            raise NoLesson(msg("{game} has no first game to learn by", game=msg(game.title)))
        seating, (token, *_) = assign_seats([SeatSpec(HUMAN), *(SeatSpec(BOT, name, bots.EASY.name) for name in taught.opponents)])
        match = Match(game, len(seating), dict(taught.options), fairness.new_seed())
        taught.play_scripted(match)
        return await self._store_and_open(_started_table(match, seating, TableSettings(lesson=True))), str(token)

    async def rematch(self, table: Table, asked_by: Seat | None = None) -> Table:
        """The same people in the same seats with the same options, and the first turn goes to the next; asked for again, the same table."""
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

    async def create_from_position(self, table: Table, lines: int, wanted: Sequence[SeatSpec]) -> tuple[Table, list[str | None]]:
        """A new table that begins as a game that is over stood after so many lines; what comes is drawn from a new seed."""
        if not table.done:
            raise NotOver(msg("one can play on from a game when it is over"))
        begun = table.match.at(lines).fork(fairness.new_seed(), table.id)
        if begun.over:
            raise TableeError(msg("the game is over there; go back a little, and play on from there"))
        seating, tokens = assign_seats(wanted)
        club = table.settings.club
        return await self._store_and_open(
            _started_table(begun, seating, TableSettings(hints=len(seating.people) <= 1, club=club, aside=bool(club)))
        ), tokens

    async def import_record(self, text: str) -> Table:
        """A table that shows a record; only what keeps to the rules of this house can be shown."""
        async with self._verify_slots:
            match = (await asyncio.to_thread(record.verify, self.game, text)).match
        if match.seed and len(match.seed) != SEED_BYTES:
            raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="fairness.seed"))
        kept = _to_stored(match, Seating((StoredSeat(HUMAN, ""),) * match.seats), TableSettings())
        return await self._store_and_open(replace(kept, outcome=match.outcome, brought=True))

    async def _store_and_open(self, stored: StoredTable, after: str | None = None) -> Table:
        async with self._create_lock:
            await asyncio.to_thread(self.store.add_table, stored, after)
        return await self.open_new(stored)

    async def open_new(self, stored: StoredTable) -> Table:
        """A table that has just been kept; somebody may have found it before."""
        table = await self._register(await asyncio.to_thread(self._build, stored))
        table.bot_player.wake()
        return table

    async def table(self, table: str) -> Table:
        found = await self.peek(table)
        found.presence.touch()
        found.bot_player.wake()
        return found

    async def peek(self, table: str) -> Table:
        """The table, for a list that it stands in: nobody has come to look at it, and no bot wakes."""
        found = self._open_tables.get(table)
        return found if found is not None else await asyncio.shield(self._opening_task(table))

    def mark_deleted(self, table: str, sentence: Message) -> None:
        """The table is not kept any more: whoever is at it hears so."""
        self._deleted_reasons[table] = sentence
        if len(self._deleted_reasons) > MAX_DELETED_REASONS:
            del self._deleted_reasons[next(iter(self._deleted_reasons))]
        found = self._open_tables.pop(table, None)
        if found is not None:
            found.mark_deleted(sentence)

    def _opening_task(self, table: str) -> asyncio.Task[Table]:
        """Opened once, however many ask for it."""
        if table not in self._opening_tasks:
            task = self._opening_tasks[table] = asyncio.get_running_loop().create_task(self._load_and_open(table))
            task.add_done_callback(lambda done: _retrieve_exception(done, self._opening_tasks.pop(table)))
        return self._opening_tasks[table]

    async def _load_and_open(self, table: str) -> Table:
        async with self._open_slots:
            return await self._register(await asyncio.to_thread(self._load, table))

    async def _register(self, made: Table) -> Table:
        """From now on it hears what other processes write; what they wrote while it was being opened is read once more."""
        table = self._open_tables.setdefault(made.id, made)
        table.absent_players.schedule_check()
        if self.store.shared:
            with suppress(StoreError):  # somebody will look at all tables soon
                await table.catch_up()
                await self.apply_club_pause(table.settings.club)
        return table

    def _load(self, table: str) -> Table:
        kept = self.store.load(table)
        if kept is None:
            raise NoSuchTable(self._deleted_reasons[table]) if table in self._deleted_reasons else _no_such_table(table)
        if kept.phase == IN_LOBBY:
            raise GameNotStarted
        if kept.unseen:
            with suppress(StoreError):  # a full disk is no reason not to look
                self.store.mark_opened(table)
        found = self._build(kept)
        found.presence.expect_everyone_until(self._started_at + RECONNECT_GRACE)
        return found

    def _build(self, stored: StoredTable) -> Table:
        game = games.open_box(stored.game, stored.box)
        if stored.rules != game.rules:
            raise OlderRules(stored, game)
        found = Table(stored, game, self._services, self._bot_pace, self._away_after)
        found.club_paused = bool(stored.settings.club) and ClubStore(self.store).is_paused(stored.settings.club)
        return found


def _retrieve_exception(done: asyncio.Task[Table], _: object) -> None:
    """Whoever asked hears what went wrong; if they have all left, nobody needs to."""
    with suppress(asyncio.CancelledError):
        done.exception()


def _no_such_table(table: str) -> NoSuchTable:
    return NoSuchTable(msg("there is no table {table!r}", table=table[:40]))


def new_table(game: Game, seating: Seating, options: dict[str, Any], settings: TableSettings) -> StoredTable:
    """A new table for people who have their tokens, ready to be kept."""
    return _started_table(Match(game, len(seating), options, fairness.new_seed()), seating, settings)


def new_table_like(table: Table) -> StoredTable:
    """The same for the people at a table, whether or not their game is over; the first turn goes to the next."""
    return new_table(table.game, table.seating, _options_with_next_first(table.match), replace(table.settings, lesson=False))


def _started_table(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    match.play_nature()
    return _to_stored(match, seating, settings)


def _to_stored(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    """A new table, as the store keeps it."""
    game, rows = match.game, tuple(LogLine(line, None) for line in match.lines())
    return StoredTable(
        new_id(),
        game.key,
        game.rules,
        game.components,
        dict(match.options),
        tuple(replace(chair, used=0, owner_hash="", owner_name="") for chair in seating.seats),
        match.seed or b"",
        match.derivation,
        rows,
        settings=settings,
        origin=match.origin,
        ticking=clock_start_ms(settings),
    )


def _options_with_next_first(match: Match) -> dict[str, Any]:
    """The options again, with the first turn passed on where there is one."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options
