"""Bots for any game: a bot is a function from the redacted observation of its seat to one of its legal moves.

The levels play inside the kernel; the others are a search with a budget, which may also be part of the name: `search:nodes=2000`, or
`search:ms=250`. A server runs a search in a thread of its own. The compiled loops release the GIL, and the search polls `stop` every few
milliseconds: once it returns true, the bot returns its best move so far. Other packages name bots in the entry point group `tablee.bots`;
`my_package:bot` names any function that can be imported.

    stop = threading.Event()
    move = await asyncio.to_thread(bots.choose, match, seat, bots.find("hard"), stop.is_set)
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, TypeVar, cast

from tablee.bots.program import PROGRAM_PREFIX, program
from tablee.bots.search import Search, never_stop
from tablee.core import fairness, loops
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Observation, S, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.optional_numpy import np
from tablee.core.rng import Rng

Bot = Callable[[Game[Any], Observation[Any], Rng], Move]  # the last is the bot's random generator
B = TypeVar("B", bound=Bot)


@dataclass(frozen=True)
class KernelBot:
    """Bot level that the generic loops implement, by its number."""

    name: str
    number: int

    def __call__(self, game: Game[S], seen: Observation[S], rng: Rng) -> Move:
        assert seen.seat is not None, "a spectator does not move"
        return game.kernel.choose(seen.state, seen.seat, self.number, rng)


RANDOM = KernelBot("random", loops.RANDOM)  # any legal move, all equally likely
EASY = KernelBot("easy", loops.EASY)  # greedy among a random half of its moves
GREEDY = KernelBot("greedy", loops.GREEDY)  # the move with the best evaluation one step ahead
KERNEL_LEVELS: Mapping[str, KernelBot] = {level.name: level for level in (RANDOM, EASY, GREEDY)}
MEDIUM = Search(nodes=600)  # a few milliseconds; deterministic on any machine
HARD = Search(ms=1000)
SEARCH_BOTS: Mapping[str, Search] = {"medium": MEDIUM, "hard": HARD}
LEVEL_NAMES = (*KERNEL_LEVELS, *SEARCH_BOTS)
REGISTERED: dict[str, Bot] = {}  # by `register`

FUNCTION_SYNTAX = "module:function"
SEARCH_SYNTAX = "search:nodes=N", "search:ms=N"  # lines played per decision, deterministic; or milliseconds
ENTRY_POINT_GROUP = "tablee.bots"
_FUNCTION = re.compile(r"(?!search:)([A-Za-z_][\w.]*):([A-Za-z_]\w*)")
_SEARCH = re.compile(r"search:(nodes|ms)=([1-9][0-9]{0,8})")


def find(name: str) -> Bot:
    """Return the bot of this name."""
    if name in KERNEL_LEVELS:
        return KERNEL_LEVELS[name]
    if name in SEARCH_BOTS:
        return SEARCH_BOTS[name]
    if name in REGISTERED:
        return REGISTERED[name]
    if name.startswith(PROGRAM_PREFIX):
        return program(name.removeprefix(PROGRAM_PREFIX))
    if name in packaged():
        return _load(*packaged()[name])
    budget, function = _SEARCH.fullmatch(name), _FUNCTION.fullmatch(name)
    if budget is None and function:
        return _load(function[1], function[2])
    if budget is None:
        raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(known())))
    amount = int(budget[2])
    return Search(nodes=amount) if budget[1] == "nodes" else Search(ms=amount)


def known() -> tuple[str, ...]:
    """Return the names of all bots, and last the syntax of a search with its own budget, for error messages and help."""
    return (
        *KERNEL_LEVELS,
        *SEARCH_BOTS,
        *REGISTERED,
        *packaged(),
        " or ".join((*SEARCH_SYNTAX, FUNCTION_SYNTAX, f"{PROGRAM_PREFIX}COMMAND")),
    )


@cache
def packaged() -> Mapping[str, tuple[str, str]]:
    """Return module and function of each bot that an installed package names in the entry point group `tablee.bots`."""
    found = metadata.entry_points(group=ENTRY_POINT_GROUP)
    return {entry.name: (entry.module, entry.attr) for entry in found if entry.name not in LEVEL_NAMES}


@cache
def _load(module: str, function: str) -> Bot:
    """Return a function of an importable module."""
    try:
        found = getattr(importlib.import_module(module), function)
    except Exception as error:  # a module of somebody else may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise TableeError(msg("the bot {name} cannot be loaded: {reason}", name=f"{module}:{function}", reason=reason)) from error
    if not callable(found):
        raise TableeError(msg("the bot {name} is no function", name=f"{module}:{function}"))
    return cast(Bot, found)


def register(name: str) -> Callable[[B], B]:
    """Register a bot: `@bots.register("mine")` above a function `(game, seen, rng) -> move`.

    The name is valid wherever this program names a bot, for instance in the arena; also in worker processes, if the function is at the top
    level of the program's file.
    """
    if not re.fullmatch("[a-z][a-z0-9-]*", name) or name in LEVEL_NAMES:
        raise TableeError(msg("a bot cannot be called {name!r}: that is taken, or not small letters, digits and hyphens", name=name))

    def decorate(bot: B) -> B:
        REGISTERED[name] = bot
        return bot

    return decorate


def find_for_table(name: str) -> Bot:
    """Return the bot of this name for a table, where only the named levels are allowed."""
    if name not in LEVEL_NAMES:
        raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(LEVEL_NAMES)))
    return find(name)


def choose(match: Match[S], seat: Seat, bot: Bot, stop: Callable[[], bool] = never_stop) -> Move:
    """Return a bot's move; its random generator follows from the match's seed, so a restart changes nothing."""
    assert match.seed is not None
    if isinstance(bot, Search) and not np and not hasattr(match.game.kernel.loops.rollout, "uses_python"):
        raise TableeError(msg("bots that search need NumPy: pip install numpy"))
    seen, rng = match.game.observe(match.state, seat), fairness.bot_rng(match.seed, len(match.log), seat)
    return bot(match.game, seen, rng, stop) if isinstance(bot, Search) else bot(match.game, seen, rng)


def play_out(match: Match[S], bots: Sequence[Bot]) -> Match[S]:
    """Play a match to its end, one bot per seat."""
    for _ in decisions(match, bots):
        pass
    return match


def decisions(match: Match[S], bots: Sequence[Bot]) -> Iterator[tuple[Seat, Move]]:
    """Play a match to its end, one bot per seat, and yield each decision before its move is played."""
    match.play_nature()
    while match.to_act:
        seat = match.to_act[0]
        move = choose(match, seat, bots[seat])
        yield seat, move
        match.play(seat, move)
        match.play_nature()
