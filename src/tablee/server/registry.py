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
from tablee.core.i18n import LANGUAGES, Say, say
from tablee.core.match import Match
from tablee.server.cluster.sync import Neighbours
from tablee.server.lobby.lobby import Gathering, Gathers
from tablee.server.lobby.registry import Hall
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.ops.gc_scheduler import Tidying
from tablee.server.storage.clubs import Clubs
from tablee.server.storage.codes import new_id
from tablee.server.storage.database import StoreError, TableMovedOn
from tablee.server.storage.leases import Leases
from tablee.server.storage.models import Row, SeatKept, Settings, TableKept
from tablee.server.storage.schema import BOT, GATHERING, HUMAN, SEED_BYTES
from tablee.server.storage.store import Store
from tablee.server.storage.writer import Clerk
from tablee.server.table.absent_players import AWAY
from tablee.server.table.bot_executor import Thinkers
from tablee.server.table.clock import ticking_now
from tablee.server.table.legacy import OlderRules
from tablee.server.table.seats import Seating, SeatWanted, seat_them
from tablee.server.table.services import Staff
from tablee.server.table.table import Table
from tablee.server.view import rendering
from tablee.server.view.render_queue import Easel

BOT_PACE = 0.8  # seconds a bot waits before its turn, so that people can follow
OPENED_AT_ONCE = 2
RECORDS_CHECKED_AT_ONCE = 1
DISMISSED_KEPT = 1000  # deleted tables whose screens are told why
ROUNDS = 10.0  # seconds between two looks for tables that nobody is at,
STALE = 120.0  # and after so many a table is let go
COMING_BACK = 10.0  # seconds after the house was opened in which nobody is called away
PUTTING_AWAY = 3.0  # seconds for that at the end
CHECKPOINT = 48  # lines after which a position is kept again
BREATH = 0.05  # seconds between two positions: moves are written in between
CALM = 10.0  # seconds in which nothing was drawn: then nobody is likely to touch anything just now

USUAL = Settings()

logger = logging.getLogger(__name__)


class NoSuchTable(TableeError):
    pass


class NoLesson(TableeError):
    pass


class NotOver(TableeError):
    """A rematch follows a game that has ended."""


class House:
    def __init__(
        self, store: Store, boxes: dict[str, Path] | None = None, pace: float = BOT_PACE, patience: float = AWAY, retention: int = 0
    ) -> None:
        """`retention` is after how many days without a visitor a table where nothing more is played is removed; 0 is never."""
        self.store = store
        self._retention = retention
        self._boxes = boxes or {}
        self._pace, self._patience = pace, patience
        self._began = time.monotonic()
        self.thinkers = Thinkers()
        self.easel = Easel()
        self.hall = Hall(store, self.game, patience)
        self._open: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._dismissed: dict[str, Say] = {}  # what to say to screens that come back to a table which is kept no more
        self._doors = asyncio.Semaphore(OPENED_AT_ONCE)
        self._checking = asyncio.Semaphore(RECORDS_CHECKED_AT_ONCE)
        self._setting_up = asyncio.Lock()  # new tables are written one after the other: moves wait for one of them at most
        self.neighbours = Neighbours(self)
        self._staff = Staff(Clerk(store), self.thinkers, Leases(store.database), self.neighbours.tell)

    def close(self) -> None:
        """Nobody thinks any more, and what is kept is closed."""
        self.thinkers.close()
        self._staff.clerk.close()
        self.store.close()

    @asynccontextmanager
    async def watched_over(self) -> AsyncIterator[None]:
        """While the house is open somebody makes the rounds; at the end every table is put away."""
        with closing(Tidying()) as tidying:
            loop = asyncio.get_running_loop()
            chores = [loop.create_task(chore) for chore in (self._make_rounds(tidying), self._keep_positions(), tidying.sweep())]
            waiting = loop.call_later(COMING_BACK, self._wait_no_more)
            async with AsyncExitStack() as hearing:
                await hearing.enter_async_context(self.neighbours.heard())
                try:
                    yield
                finally:
                    for chore in chores:
                        chore.cancel()
                    waiting.cancel()
                    await self._put_away(hearing)

    async def _put_away(self, hearing: AsyncExitStack) -> None:
        """Nobody waits for long for a database that may hang: the log has everything, and leases run out."""
        with suppress(TimeoutError, StoreError):
            async with asyncio.timeout(PUTTING_AWAY if self.store.shared else None):
                await hearing.aclose()
                await self.let_go(0.0)
                await self._staff.clerk.finish()
                await asyncio.to_thread(self._staff.leases.leave)

    def _wait_no_more(self) -> None:
        """Who is not back by now is away; where all are back, nothing is new."""
        for table in self.tables:
            if not all(table.attendance.is_here(seat, waiting=False) for seat in table.seating.people):
                table.bell.ring()

    async def _make_rounds(self, tidying: Tidying) -> None:
        """Whatever goes wrong in one round, the next is made."""
        while True:
            metrics.tables(len(self._open))
            await asyncio.sleep(ROUNDS)
            try:
                await self._make_a_round(tidying)
            except Exception as error:
                report(error)

    async def _make_a_round(self, tidying: Tidying) -> None:
        await self.let_go(STALE)
        self.hall.let_go(STALE)
        with suppress(StoreError):
            await self.neighbours.look_around()
        await self._forget()
        tidying.look_around(self.easel.idle > CALM)

    async def _keep_positions(self) -> None:
        """Those of tables whose log has grown, so that they open quickly even if nobody puts them away."""
        while True:
            await asyncio.sleep(ROUNDS)
            for table in self.tables:
                if table.version - table.kept_at >= CHECKPOINT:
                    await self._keep_position(table)
                    await asyncio.sleep(BREATH)

    async def _forget(self) -> None:
        if self._retention:
            since = datetime.now(UTC) - timedelta(days=self._retention)
            used = {*self._open, *self._opening, *(gathering.id for gathering in self.hall.gatherings)}
            try:
                gone = await asyncio.to_thread(self.store.forget, since, used)
                logger.log(
                    logging.INFO if gone else logging.DEBUG, "tables removed after %d days without a visitor: %d", self._retention, gone
                )
            except StoreError as error:
                logger.warning("old tables are not removed: %s", error)

    async def let_go(self, stale: float) -> None:
        """Puts away the tables that nobody has looked at for so many seconds."""
        for table in self.tables:
            if self._is_left(table, stale):
                await self._keep_position(table)
                await asyncio.sleep(BREATH if stale else 0)
                if self._is_left(table, stale):  # nobody has come meanwhile
                    table.close()
                    self._staff.leases.let_go(table.id)
                    self._open.pop(table.id, None)
                    with suppress(StoreError):
                        await table.stop_clocks()

    @staticmethod
    def _is_left(table: Table, stale: float) -> bool:
        return not stale or (table.attendance.idle >= stale and not table.bots.busy)

    @staticmethod
    async def _keep_position(table: Table) -> None:
        """Whatever goes wrong, the log has everything."""
        try:
            await table.keep()
        except StoreError as error:
            logger.warning("the position of a table of %s is not kept: %s", table.game.key, error)
        except Exception as error:
            table.stumble(error)

    def get_ready(self) -> None:
        """Makes the drawings that every table of a game begins with, and puts its page together."""
        for game in self.games():
            state = Match(game, game.seats[0]).state
            list(game.scene(game.view(game.observe(state, None))).values())
        for language in LANGUAGES:
            for game in self.games():
                rendering.stage(language).prepare(game.key)

    @property
    def tables(self) -> Sequence[Table]:
        """Those that are open."""
        return list(self._open.values())

    def is_rushed(self) -> bool:
        """Whether more tables are asked for than can be opened at once."""
        return len(self._opening) > OPENED_AT_ONCE

    def opened(self, table: str) -> Table | None:
        """The table if it is open."""
        return self._open.get(table)

    async def rest_with(self, club: str) -> None:
        """Something was written about all tables of a club: whether they rest, or who is not known any more."""
        await self.pause_with(club)
        for table in self._tables_of(club):
            await table.catch_up()

    async def pause_with(self, club: str) -> None:
        """Its tables rest while it is paused, and go on when it does."""
        if club and self._tables_of(club):
            paused = await asyncio.to_thread(Clubs(self.store).is_paused, club)
            for table in self._tables_of(club):
                if table.resting != paused:
                    table.rest(paused)

    def _tables_of(self, club: str) -> Sequence[Table]:
        return [table for table in self.tables if table.settings.club == club]

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def games(self) -> list[Game]:
        return games.all_open(self._boxes)

    async def create(
        self, key: str, options: dict[str, Any], wanted: Sequence[SeatWanted], hints: bool | None = None, settings: Settings = USUAL
    ) -> tuple[Table, list[str | None]]:
        """A new table and the token of each person's seat. Against bots alone one may ask the coach, unless the host says otherwise."""
        seating, tokens = seat_them(wanted)
        allowed = len(seating.people) <= 1 if hints is None else hints
        game = await asyncio.to_thread(self.game, key)
        return await self._add(lay(game, seating, options, replace(settings, hints=allowed))), tokens

    async def gather(self, key: str, name: str, colour: int) -> tuple[Gathering, str]:
        """A table that waits for people, and its host's token."""
        return await self.hall.gather(key, new_id(), name, colour)

    async def gathering(self, table: str) -> Gathering:
        found = await self.hall.find(table)
        if found is None:
            raise _no_such(table)
        return found

    async def first_game(self, key: str) -> tuple[Table, str]:
        """A table at which one learns a game by playing, and the learner's token; it has the box for which the lesson was written."""
        game = await asyncio.to_thread(games.find, key)
        taught = tutorial.of(game)
        if taught is None:
            raise NoLesson(say("{game} has no first game to learn by", game=say(game.title)))
        seating, (token, *_) = seat_them([SeatWanted(HUMAN), *(SeatWanted(BOT, name, bots.EASY.name) for name in taught.opponents)])
        match = Match(game, len(seating), dict(taught.options), fairness.new_seed())
        taught.play_on(match)
        return await self._add(_begun(match, seating, Settings(lesson=True))), str(token)

    async def rematch(self, table: Table, asked_by: Seat | None = None) -> Table:
        """The same people in the same seats with the same options, and the first turn goes to the next; asked for again, the same table."""
        if table.match.to_act:
            raise NotOver(say("you can play again when the game is over"))
        if not table.rematch:
            host = "" if asked_by is None else table.seating.chairs[asked_by].token_hash
            try:
                table.rematch, table.inviter = (await self._add(replace(lay_again(table), host=host), table.id)).id, asked_by
            except TableMovedOn:
                await table.catch_up()
            table.bell.ring()
        return await self.table(table.rematch)

    async def play_on(self, table: Table, lines: int, wanted: Sequence[SeatWanted]) -> tuple[Table, list[str | None]]:
        """A new table that begins as a game that is over stood after so many lines; what comes is drawn from a new seed."""
        if not table.done:
            raise NotOver(say("one can play on from a game when it is over"))
        begun = table.match.at(lines).taken_over(fairness.new_seed(), table.id)
        if begun.over:
            raise TableeError(say("the game is over there; go back a little, and play on from there"))
        seating, tokens = seat_them(wanted)
        club = table.settings.club
        return await self._add(_begun(begun, seating, Settings(hints=len(seating.people) <= 1, club=club, aside=bool(club)))), tokens

    async def bring(self, text: str) -> Table:
        """A table that shows a record; only what keeps to the rules of this house can be shown."""
        async with self._checking:
            match = (await asyncio.to_thread(record.verify, self.game, text)).match
        if match.seed and len(match.seed) != SEED_BYTES:
            raise RecordError(say("the record's {key} is missing or of the wrong kind", key="fairness.seed"))
        kept = _keep(match, Seating((SeatKept(HUMAN, ""),) * match.seats), Settings())
        return await self._add(replace(kept, outcome=match.outcome, brought=True))

    async def _add(self, kept: TableKept, after: str | None = None) -> Table:
        async with self._setting_up:
            await asyncio.to_thread(self.store.add_table, kept, after)
        return await self.open_new(kept)

    async def open_new(self, kept: TableKept) -> Table:
        """A table that has just been kept; somebody may have found it before."""
        table = await self._open_now(await asyncio.to_thread(self._set, kept))
        table.bots.wake()
        return table

    async def table(self, table: str) -> Table:
        found = await self.glance(table)
        found.attendance.ask()
        found.bots.wake()
        return found

    async def glance(self, table: str) -> Table:
        """The table, for a list that it stands in: nobody has come to look at it, and no bot wakes."""
        found = self._open.get(table)
        return found if found is not None else await asyncio.shield(self._opened(table))

    def dismiss(self, table: str, sentence: Say) -> None:
        """The table is not kept any more: whoever is at it hears so."""
        self._dismissed[table] = sentence
        if len(self._dismissed) > DISMISSED_KEPT:
            del self._dismissed[next(iter(self._dismissed))]
        found = self._open.pop(table, None)
        if found is not None:
            found.dismiss(sentence)

    def _opened(self, table: str) -> asyncio.Task[Table]:
        """Opened once, however many ask for it."""
        if table not in self._opening:
            task = self._opening[table] = asyncio.get_running_loop().create_task(self._open_it(table))
            task.add_done_callback(lambda done: _heard_of(done, self._opening.pop(table)))
        return self._opening[table]

    async def _open_it(self, table: str) -> Table:
        async with self._doors:
            return await self._open_now(await asyncio.to_thread(self._read, table))

    async def _open_now(self, made: Table) -> Table:
        """From now on it hears what other processes write; what they wrote while it was being opened is read once more."""
        table = self._open.setdefault(made.id, made)
        table.absence.watch()
        if self.store.shared:
            with suppress(StoreError):  # somebody will look at all tables soon
                await table.catch_up()
                await self.pause_with(table.settings.club)
        return table

    def _read(self, table: str) -> Table:
        kept = self.store.load(table)
        if kept is None:
            raise NoSuchTable(self._dismissed[table]) if table in self._dismissed else _no_such(table)
        if kept.phase == GATHERING:
            raise Gathers
        if kept.unseen:
            with suppress(StoreError):  # a full disk is no reason not to look
                self.store.note_opened(table)
        found = self._set(kept)
        found.attendance.expect(self._began + COMING_BACK)
        return found

    def _set(self, kept: TableKept) -> Table:
        game = games.open_box(kept.game, kept.box)
        if kept.rules != game.rules:
            raise OlderRules(kept, game)
        found = Table(kept, game, self._staff, self._pace, self._patience)
        found.resting = bool(kept.settings.club) and Clubs(self.store).is_paused(kept.settings.club)
        return found


def _heard_of(done: asyncio.Task[Table], _: object) -> None:
    """Whoever asked hears what went wrong; if they have all left, nobody needs to."""
    with suppress(asyncio.CancelledError):
        done.exception()


def _no_such(table: str) -> NoSuchTable:
    return NoSuchTable(say("there is no table {table!r}", table=table[:40]))


def lay(game: Game, seating: Seating, options: dict[str, Any], settings: Settings) -> TableKept:
    """A new table for people who have their tokens, ready to be kept."""
    return _begun(Match(game, len(seating), options, fairness.new_seed()), seating, settings)


def lay_again(table: Table) -> TableKept:
    """The same for the people at a table, whether or not their game is over; the first turn goes to the next."""
    return lay(table.game, table.seating, _next_first(table.match), replace(table.settings, lesson=False))


def _begun(match: Match, seating: Seating, settings: Settings) -> TableKept:
    match.play_nature()
    return _keep(match, seating, settings)


def _keep(match: Match, seating: Seating, settings: Settings) -> TableKept:
    """A new table, as the store keeps it."""
    game, rows = match.game, tuple(Row(line, None) for line in match.lines())
    return TableKept(
        new_id(),
        game.key,
        game.rules,
        game.components,
        dict(match.options),
        tuple(replace(chair, used=0, owner_hash="", owner_name="") for chair in seating.chairs),
        match.seed or b"",
        match.derivation,
        rows,
        settings=settings,
        origin=match.origin,
        ticking=ticking_now(settings),
    )


def _next_first(match: Match) -> dict[str, Any]:
    """The options again, with the first turn passed on where there is one."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options
