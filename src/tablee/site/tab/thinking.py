"""Bots and coach that think in a worker of their own, so that the one that answers the page never waits for them.

A request is a function and its arguments, an answer its result, both as text. A match travels as its log; the other worker keeps the
latest, and plays only the lines that are new.
"""

from __future__ import annotations

import asyncio
import base64
import io
import pickle
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from tablee import bots, games
from tablee.core.components import Components
from tablee.core.game import Game, Move, Seat
from tablee.core.match import Line, Match
from tablee.server.table.bot_executor import BotExecutor

T = TypeVar("T")

TIMEOUT = 15.0  # seconds for a bot's move; a hint may be thought of before it
PAGE_FIRST = 2.0  # seconds until the other worker starts

Think = Callable[[str], Awaitable[str]]  # sends a request to the other worker
UseLoops = Callable[[Game[Any]], None]  # lets the bots of a game run as WebAssembly


class OtherWorkerFailed(Exception):
    pass


class TabExecutor(BotExecutor):
    """Executor that thinks in the other worker; levels that do not search choose at once, in this one."""

    def __init__(self, think: Think) -> None:
        super().__init__()
        self._think, self._starting = think, set[asyncio.Task[None]]()

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        succeeded, result = _load(pickle.Unpickler, await self._think(_dump((function, args))))
        if not succeeded:
            raise OtherWorkerFailed(result)
        return result  # type: ignore[no-any-return]

    async def run_alone(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function here: nobody else waits for this worker."""
        return function(*args)

    def prepare(self) -> None:
        """Start the other worker, which a bot, a hint or the review will need."""
        if not self._starting:
            self._starting.add(asyncio.get_running_loop().create_task(self._start(PAGE_FIRST)))

    async def _start(self, after: float = 0) -> None:
        await asyncio.sleep(after)
        with suppress(Exception):  # the request that needs it will say so
            await self.run(int)

    async def _choose_with_timeout(self, match: Match, seat: Seat, bot: bots.Bot) -> Move:
        await self._start()
        return await asyncio.wait_for(self.run(bots.choose, match, seat, bot), TIMEOUT)


class Thinker:
    """The other worker's end."""

    def __init__(self, use_loops: UseLoops) -> None:
        self._use_loops, self._latest = use_loops, dict[tuple[Any, ...], Match]()

    def answer(self, request: str) -> str:
        try:
            function, args = _load(lambda file: _RequestUnpickler(file, self._match), request)
            return _dump((True, function(*args)))
        except Exception as error:
            return _dump((False, f"{type(error).__name__}: {error}"))

    def _match(self, start: tuple[Any, ...], lines: tuple[tuple[int, int], ...]) -> Match:
        """Return the match that has this start and these lines, from the latest if they have some in common."""
        log = [Line(Seat(seat), Move(move)) for seat, move in lines]
        match = self._latest.get(start) or self._open(*start)
        known = next(
            (place for place, pair in enumerate(zip(match.log, log, strict=False)) if pair[0] != pair[1]), min(len(match.log), len(log))
        )
        match = match.at(known)
        for line in log[known:]:
            match.play(line.seat, line.move)
        if start not in self._latest or len(log) >= len(self._latest[start].log):
            self._latest = {start: match.branch()}
        return match

    def _open(self, key: str, name: str, text: str, seats: int, options: tuple[Any, ...], *draws: Any) -> Match:
        game = games.open_box(key, Components.parse(name, text))
        self._use_loops(game)
        seed, derivation, origin = draws
        return Match(game, seats, dict(options), seed, derivation, origin)


def think_here(use_loops: UseLoops) -> Think:
    """Return what answers requests in the same process, for builds and tests."""
    here = Thinker(use_loops)

    async def think(request: str) -> str:
        return here.answer(request)

    return think


class _RequestPickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> Any:
        """Return what a match is made of; None for everything else."""
        if not isinstance(value, Match):
            return None
        box, options = value.game.components, tuple(value.options.items())
        start = value.game.key, box.name, box.text, value.seats, options, value.seed, value.derivation, value.origin
        return start, tuple((line.seat, line.move) for line in value.log)


class _RequestUnpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, match: Callable[..., Match]) -> None:
        super().__init__(file)
        self._match = match

    def persistent_load(self, made_of: Any) -> Match:
        return self._match(*made_of)


def _dump(value: object) -> str:
    file = io.BytesIO()
    _RequestPickler(file).dump(value)
    return base64.b64encode(file.getvalue()).decode()


def _load(unpickler: Callable[[io.BytesIO], pickle.Unpickler], text: str) -> Any:
    return unpickler(io.BytesIO(base64.b64decode(text))).load()
