"""The house: every table, read from the store when first asked for, a few at a time, and let go when nobody has come for a while."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablee import bots, games
from tablee.core import fairness, lesson
from tablee.core.errors import TableeError
from tablee.core.game import FIRST, Game
from tablee.core.match import Match
from tablee.core.words import say
from tablee.server.drawing.easel import Easel
from tablee.server.kept.archive import OlderRules
from tablee.server.kept.clerk import Clerk
from tablee.server.kept.store import Row, Settings, Store, StoreError, TableKept, TableMovedOn
from tablee.server.tables.seating import Seating, SeatWanted, seat_them
from tablee.server.tables.table import Table
from tablee.server.tables.thinking import Thinkers
from tablee.server.watch import measuring
from tablee.server.watch.tidying import Tidying

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
BOT_PACE = 0.8  # seconds a bot waits before its turn, so that people can follow
OPENED_AT_ONCE = 2
ROUNDS = 10.0  # seconds between two looks for tables that nobody is at,
STALE = 120.0  # and after so many a table is let go
COMING_BACK = 10.0  # seconds after the house was opened in which nobody is called away
CHECKPOINT = 48  # lines after which a position is kept again
CALM = 1.0  # seconds in which nothing was drawn

logger = logging.getLogger(__name__)


class NoSuchTable(TableeError):
    pass


class NoLesson(TableeError):
    pass


class NotOver(TableeError):
    """A rematch follows a game that has ended."""


class House:
    def __init__(self, store: Store, boxes: dict[str, Path] | None = None, pace: float = BOT_PACE) -> None:
        self.store = store
        self._boxes = boxes or {}
        self._pace = pace
        self._began = time.monotonic()
        self.thinkers = Thinkers()
        self._clerk = Clerk(store)
        self.easel = Easel()
        self._open: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._doors = asyncio.Semaphore(OPENED_AT_ONCE)

    def close(self) -> None:
        """Nobody thinks any more, and what is kept is closed."""
        self.thinkers.close()
        self.store.close()

    @asynccontextmanager
    async def watched_over(self) -> AsyncIterator[None]:
        """While the house is open somebody makes the rounds; at the end every table is put away."""
        with closing(Tidying()) as tidying:
            loop = asyncio.get_running_loop()
            rounds, waiting = loop.create_task(self._make_rounds(tidying)), loop.call_later(COMING_BACK, self._wait_no_more)
            try:
                yield
            finally:
                rounds.cancel()
                waiting.cancel()
                await self.let_go(0.0)

    def _wait_no_more(self) -> None:
        """Who is not back by now is away."""
        for table in self.tables:
            table.bell.ring()

    async def _make_rounds(self, tidying: Tidying) -> None:
        while True:
            measuring.tables(len(self._open))
            await asyncio.sleep(ROUNDS)
            await self.let_go(STALE)
            await self._keep_positions()
            tidying.look_around(self.easel.idle > CALM)

    async def _keep_positions(self) -> None:
        """Those of tables whose log has grown, so that they open quickly even if nobody puts them away."""
        for table in self.tables:
            if table.version - table.kept_at >= CHECKPOINT:
                await self._keep_position(table)

    async def let_go(self, stale: float) -> None:
        """Puts away the tables that nobody has looked at for so many seconds."""
        for table in self.tables:
            if self._is_left(table, stale):
                await self._keep_position(table)
                if self._is_left(table, stale):  # nobody has come meanwhile
                    table.close()
                    self._open.pop(table.id, None)

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
        """Makes the drawings that every table of a game begins with."""
        for game in self.games():
            state = Match(game, game.seats[0]).state
            list(game.scene(game.view(game.observe(state, None))).values())

    @property
    def tables(self) -> Sequence[Table]:
        """Those that are open."""
        return list(self._open.values())

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def games(self) -> list[Game]:
        return games.all_open(self._boxes)

    async def create(
        self, key: str, options: dict[str, Any], wanted: Sequence[SeatWanted], hints: bool | None = None
    ) -> tuple[Table, list[str | None]]:
        """A new table and the token of each person's seat. Against bots alone one may ask the coach, unless the host says otherwise."""
        game = await asyncio.to_thread(self.game, key)
        seating, tokens = seat_them(wanted)
        allowed = len(seating.people) <= 1 if hints is None else hints
        return await self._begin(game, seating, options, Settings(hints=allowed)), tokens

    async def first_game(self, key: str) -> tuple[Table, str]:
        """A table at which one learns a game by playing, and the learner's token; it has the box for which the lesson was written."""
        game = await asyncio.to_thread(games.find, key)
        taught = lesson.of(game)
        if taught is None:
            raise NoLesson(say("{game} has no first game to learn by", game=say(game.title)))
        seating, (token, *_) = seat_them([SeatWanted("human"), *(SeatWanted("bot", name, bots.EASY.name) for name in taught.opponents)])
        return await self._begin(game, seating, dict(taught.options), Settings(lesson=True)), str(token)

    async def rematch(self, table: Table) -> Table:
        """The same people in the same seats with the same options, and the first turn goes to the next; asked for again, the same table."""
        if table.match.to_act:
            raise NotOver(say("a rematch follows when the game is over"))
        if not table.rematch:
            settings = replace(table.settings, lesson=False)
            try:
                table.rematch = (await self._begin(table.game, table.seating, _next_first(table.match), settings, table.id)).id
            except TableMovedOn:
                table.rematch = await asyncio.to_thread(self.store.rematch_of, table.id)
            table.bell.ring()
        return await self.table(table.rematch)

    async def _begin(self, game: Game, seating: Seating, options: dict[str, Any], settings: Settings, after: str | None = None) -> Table:
        match = Match(game, len(seating), options, fairness.new_seed())
        if settings.lesson and (taught := lesson.of(game)):
            taught.play_on(match)
        match.play_nature()
        kept = _keep(game, match, seating, settings)
        await asyncio.to_thread(self.store.add_table, kept, after)
        table = self._open[kept.id] = Table(kept, game, self._clerk, self.thinkers, self._pace)
        table.bots.wake()
        return table

    async def table(self, table: str) -> Table:
        found = self._open.get(table)
        if found is None:
            found = await asyncio.shield(self._opened(table))
        found.attendance.ask()
        found.bots.wake()
        return found

    def _opened(self, table: str) -> asyncio.Task[Table]:
        """Opened once, however many ask for it."""
        if table not in self._opening:
            task = self._opening[table] = asyncio.get_running_loop().create_task(self._open_it(table))
            task.add_done_callback(lambda done: _heard_of(done, self._opening.pop(table)))
        return self._opening[table]

    async def _open_it(self, table: str) -> Table:
        async with self._doors:
            found = await asyncio.to_thread(self._read, table)
        return self._open.setdefault(table, found)

    def _read(self, table: str) -> Table:
        kept = self.store.load(table)
        if kept is None:
            raise NoSuchTable(say("there is no table {table!r}", table=table[:40]))
        game = games.open_box(kept.game, kept.box)
        if kept.rules != game.rules:
            raise OlderRules(kept, game)
        found = Table(kept, game, self._clerk, self.thinkers, self._pace)
        found.attendance.expect(self._began + COMING_BACK)
        return found


def _heard_of(done: asyncio.Task[Table], _: object) -> None:
    """Whoever asked hears what went wrong; if they have all left, nobody needs to."""
    with suppress(asyncio.CancelledError):
        done.exception()


def _keep(game: Game, match: Match, seating: Seating, settings: Settings) -> TableKept:
    """A new table, as the store keeps it."""
    rows = tuple(Row(line, None) for line in match.lines())
    seed, options = match.seed or b"", dict(match.options)
    chairs, how = seating.chairs, match.derivation
    return TableKept(_new_id(), game.key, game.rules, game.components, options, chairs, seed, how, rows, settings=settings)


def _next_first(match: Match) -> dict[str, Any]:
    """The options again, with the first turn passed on where there is one."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))
