"""The tables of the house. A table plays on a branch of its match, commits the new lines, and only then becomes that branch:
whatever fails, nothing was told that is not on disk, and nothing is on disk that was refused.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablee import bots, games
from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.core import fairness
from tablee.core.errors import NotYourTurn, RecordError, TableeError
from tablee.core.game import FIRST, NATURE, Game, Seat
from tablee.core.match import Match, read_line
from tablee.core.words import say
from tablee.server.reviewing import Review, review
from tablee.server.store import HURRIED, UNDO, Row, SeatKept, Store, TableKept, TableMovedOn, hash_token
from tablee.server.thinking import Thinkers, is_slow

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
GLIMPSE = 7.0  # seconds that a screen without a socket counts as here
TOLD_EVERY = 0.7  # seconds between two words of the coach
BOT_PACE = 0.8  # seconds a bot waits before its turn, so that people can follow
PACES = {"slow": 2.5, "normal": 1.0, "quick": 0.25}  # how many times that long, as a screen prefers


logger = logging.getLogger(__name__)


class NoSuchTable(TableeError):
    pass


class NotYourSeat(TableeError):
    pass


class NoHints(TableeError):
    pass


class NotOver(TableeError):
    """A rematch follows a game that has ended."""


@dataclass(frozen=True)
class SeatWanted:
    kind: str
    name: str = ""
    level: str = ""


class Table:
    def __init__(self, kept: TableKept, game: Game, store: Store, thinkers: Thinkers, pace: float) -> None:
        self.id = kept.id
        self.seats = kept.seats
        self.game = game
        self.match = Match(game, len(kept.seats), kept.options, kept.seed, kept.derivation)
        self.version = 0
        self.lines: list[str] = []  # as stored, undo lines included
        self.hurried: list[tuple[int, Seat]] = []  # bots that greedy stepped in for, and after how many lines of the game
        self._store = store
        self._thinkers = thinkers
        self._pace = pace
        self.pulse = 0  # counts every change, also those that are not in the log
        self.rematch = kept.rematch
        self.hints = kept.hints
        self.review: Review | None = None  # what the coach has found so far, once it was asked
        self._reviewing: asyncio.Task[None] | None = None
        self.here: Counter[Seat] = Counter()  # screens open per seat
        self.paces: dict[object, str] = {}  # how quickly each screen that holds a seat wants bots to play
        self.tales: dict[tuple[str, Seat | None], list[list[dict[str, Any]]]] = {}  # (language, who hears) -> what each line told
        self._glimpsed: dict[Seat, float] = {}  # when a seat without a socket last asked
        self._asked: tuple[tuple[int, str], str] | None = None  # the last move; what nature draws next belongs to it
        self._known: dict[tuple[int, str], tuple[str, int]] = {}  # (seat, client-made id) -> the move's line and the version it led to
        self._awaited = [self.match.to_act]  # by version
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None
        self._told_at = 0.0
        self._moved = asyncio.Condition()
        for row in kept.rows:
            self.match = _follow(self.match, row.line)
            self._count(row)

    def name_of(self, seat: int) -> str:
        return self.seats[seat].name

    def heard(self, listener: Seat | None) -> list[str]:
        """The stored log, undo lines included, as one seat may know it: its length is the version."""
        heard = iter(self.match.heard(listener))
        gone = _taken_back(self.lines)
        return [self._mask(line, listener) if position in gone else next(heard) for position, line in enumerate(self.lines)]

    def _mask(self, line: str, listener: Seat | None) -> str:
        return line if _of_platform(line) else read_line(self.game, line).heard(self.game, listener)

    def seat_of(self, token: str | None) -> Seat | None:
        """Whose token this is; no token is a spectator's."""
        if token is None:
            return None
        hashed = hash_token(token)
        for seat, kept in enumerate(self.seats):
            if kept.token_hash and secrets.compare_digest(kept.token_hash, hashed):
                return Seat(seat)
        raise NotYourSeat(say("this link does not belong to a seat at this table"))

    def seats_of(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that one screen holds: their tokens, joined by dots."""
        found = [self.seat_of(token) for token in tokens.split(".") if token]
        return tuple(seat for seat in found if seat is not None)

    async def play(self, seat: Seat, text: str, at: int, client_id: str) -> int:
        """One move, counted once however often it is sent; returns the version it led to."""
        async with self._lock:
            move = self.game.read(text)
            if at > self.version:  # seen by way of another process
                await self._catch_up()
            if (known := self._known.get((seat, client_id))) is not None:
                return _same(known, f"{seat} {self.game.show(move)}")
            self._check_current(seat, at)
            after = self.match.branch()
            after.play(seat, move)
            after.play_nature()
            first, *rest = after.lines(len(self.match.log))
            return await self._commit(after, [Row(first, client_id), *(Row(line, None) for line in rest)])

    async def undo(self, seat: Seat) -> int:
        async with self._lock:
            return await self._commit(self.match.undone(seat), [Row(f"{seat} {UNDO}", None)])

    async def _note(self, line: str, at: int) -> int:
        """Something that happened at the table, as it was at this version, and is no move of the game."""
        async with self._lock:
            if at != self.version:
                raise TableMovedOn(say("the table has moved on; look again and choose"))
            return await self._commit(self.match, [Row(line, None)])

    def _check_current(self, seat: Seat, at: int) -> None:
        """Refuses a move made on an old picture of the table. What others did while this seat was awaited too does not make it old."""
        if at == self.version:
            return
        if at > self.version or seat not in self._awaited[at] or any(line.split()[0] in ("-", str(seat)) for line in self.lines[at:]):
            raise TableMovedOn(say("the table has moved on; look again and choose"))

    async def _commit(self, after: Match, rows: Sequence[Row]) -> int:
        try:
            await asyncio.to_thread(self._store.append, self.id, self.version, rows)
        except TableMovedOn:
            await self._catch_up()
            raise
        if len(after.log) < len(self.match.log):
            self.tales.clear()
        self.match = after
        for row in rows:
            self._count(row)
        self.wake_bots()
        await self.stir()
        return self.version

    async def _catch_up(self) -> None:
        """Another process wrote to this table: what is on disk counts."""
        rows = await asyncio.to_thread(self._store.rows, self.id, self.version)
        for row in rows:
            self.match = _follow(self.match, row.line)
            self._count(row)
        if rows:
            self.tales.clear()
            await self.stir()

    def _count(self, row: Row) -> None:
        """A move's version is the one after nature's answer to it, now and after a restart."""
        seat, _, move = row.line.partition(" ")
        if move == HURRIED:
            self.hurried.append((len(self.match.log), Seat(int(seat))))
        self.version += 1
        self.lines.append(row.line)
        if seat != "-":
            self._asked = ((int(seat), row.client_id), row.line) if row.client_id else None
        if self._asked:
            key, line = self._asked
            self._known[key] = (line, self.version)
        self._awaited.append(self.match.to_act)

    async def stir(self) -> None:
        """Something changed that a screen may show."""
        self.pulse += 1
        async with self._moved:
            self._moved.notify_all()

    async def wait_past(self, pulse: int) -> None:
        async with self._moved:
            await self._moved.wait_for(lambda: self.pulse != pulse)

    @asynccontextmanager
    async def present(self, seats: Sequence[Seat]) -> AsyncIterator[None]:
        """Somebody looks at the table through these seats."""
        self.here.update(seats)
        await self.stir()
        try:
            yield
        finally:
            self.here.subtract(seats)
            await self.stir()

    async def glimpse(self, seats: Sequence[Seat]) -> None:
        """Somebody without a socket asks how the table stands, and will soon ask again."""
        news = not all(self.is_here(seat) for seat in seats)
        self._glimpsed |= dict.fromkeys(seats, time.monotonic())
        if news:
            await self.stir()

    def is_here(self, seat: Seat) -> bool:
        return self.here[seat] > 0 or time.monotonic() - self._glimpsed.get(seat, -GLIMPSE) < GLIMPSE

    async def hint(self, seat: Seat) -> Advice:
        """What the coach would play; for a table that allows it, and a seat that has a choice."""
        if not self.hints:
            raise NoHints(say("the coach may not be asked at this table"))
        if seat not in self.match.to_act or is_slow(self.game):
            raise NotYourTurn(say("the coach has nothing to say right now"))
        match = self.match.branch()
        return await self._thinkers.work(coach.advise, match, seat, match.legal(seat)[0])

    def ask_coach(self) -> None:
        """Somebody looks back at a game that is over: the coach looks too, once."""
        if self._reviewing is None and not self.match.to_act and not is_slow(self.game):
            self._reviewing = asyncio.get_running_loop().create_task(self._review())

    async def _review(self) -> None:
        """What was kept, or a new look; if that fails, whoever looks back next asks again."""
        try:
            kept = await asyncio.to_thread(self._store.review_of, self.id)
            self.review = await self._look_at_it() if kept is None else Review.read(self.match, kept)
        except Exception:
            logger.exception("the coach could not look at a game of %s", self.game.key)
            self._reviewing = None
        await self.stir()

    async def _look_at_it(self) -> Review:
        people = {Seat(number) for number, seat in enumerate(self.seats) if seat.kind == "human"}
        found = await review(self.match, people, self._thinkers.work, self._hear_coach)
        await asyncio.to_thread(self._store.keep_review, self.id, found.write())
        return found

    async def _hear_coach(self, found: Review) -> None:
        """Screens are told a few times a second, not after every piece."""
        self.review = found
        if time.monotonic() - self._told_at > TOLD_EVERY:
            self._told_at = time.monotonic()
            await self.stir()

    def wake_bots(self) -> None:
        """Also called whenever somebody comes to look, so a restart never leaves a bot asleep."""
        if self._bot_awaited() is not None and (self._bots is None or self._bots.done()):
            self._bots = asyncio.get_running_loop().create_task(self._play_bots())

    def _bot_awaited(self) -> Seat | None:
        return next((seat for seat in self.match.to_act if seat != NATURE and self.seats[seat].kind == "bot"), None)

    async def _play_bots(self) -> None:
        last: Seat | None = None
        while (seat := self._bot_awaited()) is not None:
            if seat != last and len(self.match.to_act) == 1:
                await asyncio.sleep(self._pace * max((PACES[pace] for pace in self.paces.values()), default=1.0))
            last, match, version = seat, self.match, self.version
            thought = await self._thinkers.choose(match, seat, self.seats[seat].level)
            try:
                if thought.hurried:
                    version = await self._note(f"{seat} {HURRIED}", version)
                await self.play(seat, self.game.show(thought.move), version, f"bot-{version}")
            except TableeError:
                await asyncio.sleep(1)  # the store is busy or the table moved on: look again


def _same(known: tuple[str, int], line: str) -> int:
    """The version that a move led to when it was sent before; an id stands for one move only."""
    if known[0] != line:
        raise TableMovedOn(say("this id was already used for another move: {line!r}", line=known[0]))
    return known[1]


def _follow(match: Match, stored: str) -> Match:
    seat, _, move = stored.partition(" ")
    if move == UNDO:
        return match.undone(Seat(int(seat)))
    if move == HURRIED:
        return match
    line = read_line(match.game, stored)
    match.play(line.seat, line.move)
    return match


def _of_platform(line: str) -> bool:
    return line.endswith((f" {UNDO}", f" {HURRIED}"))


def _taken_back(lines: Sequence[str]) -> set[int]:
    """The positions that are no part of the game: lines of the platform, and lines that were taken back."""
    gone: set[int] = set()
    standing: dict[str, list[int]] = {}  # by seat
    for position, line in enumerate(lines):
        seat, _, move = line.partition(" ")
        if move == UNDO:
            gone |= {position, standing[seat].pop()}
        elif move == HURRIED:
            gone.add(position)
        else:
            standing.setdefault(seat, []).append(position)
    return gone


class House:
    """Every table, read from the store when first asked for."""

    def __init__(self, store: Store, boxes: dict[str, Path] | None = None, pace: float = BOT_PACE) -> None:
        self.store = store
        self._boxes = boxes or {}
        self._pace = pace
        self.thinkers = Thinkers()
        self._open: dict[str, Table] = {}
        self.drawing = asyncio.Lock()  # one page is drawn at a time

    def close(self) -> None:
        """Nobody thinks any more, and what is kept is closed."""
        self.thinkers.close()
        self.store.close()

    def game(self, key: str) -> Game:
        return games.find(key, self._boxes.get(key))

    def games(self) -> list[Game]:
        return games.all_open(self._boxes)

    async def create(
        self, key: str, options: dict[str, Any], wanted: Sequence[SeatWanted], hints: bool | None = None
    ) -> tuple[Table, list[str | None]]:
        """A new table and the token of each person's seat. Against bots alone one may ask the coach, unless the host says otherwise."""
        game = await asyncio.to_thread(self.game, key)
        tokens = [secrets.token_urlsafe(16) if seat.kind == "human" else None for seat in wanted]
        seats = tuple(_kept(number, seat, token) for number, (seat, token) in enumerate(zip(wanted, tokens, strict=True)))
        match = Match(game, len(seats), options, fairness.new_seed())
        match.play_nature()
        allowed = sum(seat.kind == "human" for seat in wanted) <= 1 if hints is None else hints
        kept = _keep(game, match, seats, allowed)
        await asyncio.to_thread(self.store.add_table, kept)
        return self._remember(Table(kept, game, self.store, self.thinkers, self._pace)), tokens

    async def rematch(self, table: Table) -> Table:
        """The same people in the same seats with the same options, and the first turn goes to the next; asked for again, the same table."""
        if table.match.to_act:
            raise NotOver(say("a rematch follows when the game is over"))
        if not table.rematch:
            match = Match(table.game, len(table.seats), _next_first(table.match), fairness.new_seed())
            match.play_nature()
            kept = _keep(table.game, match, table.seats, table.hints)
            try:
                await asyncio.to_thread(self.store.add_table, kept, table.id)
                table.rematch = self._remember(Table(kept, table.game, self.store, self.thinkers, self._pace)).id
            except TableMovedOn:
                table.rematch = await asyncio.to_thread(self.store.rematch_of, table.id)
            await table.stir()
        return await self.table(table.rematch)

    async def table(self, table: str) -> Table:
        if table not in self._open:
            kept = await asyncio.to_thread(self.store.load, table)
            if kept is None:
                raise NoSuchTable(say("there is no table {table!r}", table=table[:40]))
            game = await asyncio.to_thread(games.open_box, kept.game, kept.box)
            if kept.rules != game.rules:
                raise RecordError(
                    say("this record was played by rules {theirs}; these are rules {ours}", theirs=kept.rules, ours=game.rules)
                )
            if table not in self._open:
                self._remember(Table(kept, game, self.store, self.thinkers, self._pace))
        self._open[table].wake_bots()
        return self._open[table]

    def _remember(self, table: Table) -> Table:
        self._open[table.id] = table
        table.wake_bots()
        return table


def _keep(game: Game, match: Match, seats: tuple[SeatKept, ...], hints: bool) -> TableKept:
    """A new table, as the store keeps it."""
    rows = tuple(Row(line, None) for line in match.lines())
    seed = match.seed or b""
    return TableKept(
        _new_id(), game.key, game.rules, game.components, dict(match.options), seats, seed, match.derivation, rows, hints=hints
    )


def _next_first(match: Match) -> dict[str, Any]:
    """The options again, with the first turn passed on where there is one."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options


def _kept(number: int, wanted: SeatWanted, token: str | None) -> SeatKept:
    if token is None:
        bots.find_seated(wanted.level)
        return SeatKept("bot", wanted.name, level=wanted.level)
    return SeatKept("human", wanted.name, token_hash=hash_token(token))


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))
