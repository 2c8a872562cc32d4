"""Bots play any game. A bot is a function from what its seat may know to one of its legal moves. The levels play inside the kernel; those
that think are a search with a budget, which may also stand in the name: `search:nodes=2000`, or `search:ms=250`.

A server lets them think in a thread of their own. The compiled loops let other threads run meanwhile, and `stop` is asked every few
milliseconds: once it says yes, the bot answers at once with its best move so far.

    stop = threading.Event()
    move = await asyncio.to_thread(bots.choose, match, seat, bots.find("hard"), stop.is_set)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tablee.bots.search import Search, never_stop
from tablee.core import fairness, loops
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Observation, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.struct import Array

Bot = Callable[[Game, Observation, Array], Move]  # the last is the bot's luck
B = TypeVar("B", bound=Bot)


@dataclass(frozen=True)
class Level:
    """A bot that the generic loops know by its number."""

    name: str
    number: int

    def __call__(self, game: Game, seen: Observation, rng: Array) -> Move:
        assert seen.seat is not None, "a spectator does not move"
        return game.kernel.choose(seen.state, seen.seat, self.number, rng)


RANDOM = Level("random", loops.RANDOM)  # any legal move, all equally likely
EASY = Level("easy", loops.EASY)  # greedy that overlooks every other move
GREEDY = Level("greedy", loops.GREEDY)  # the move after which the position promises its seat most
LEVELS: Mapping[str, Level] = {level.name: level for level in (RANDOM, EASY, GREEDY)}
MEDIUM = Search(nodes=600)  # a few milliseconds, the same moves everywhere
HARD = Search(ms=1000)  # a second
SEARCH_BOTS: Mapping[str, Search] = {"medium": MEDIUM, "hard": HARD}
TABLE_BOTS = (*LEVELS, *SEARCH_BOTS)
REGISTERED: dict[str, Bot] = {}  # bots of this program's own

SEARCH_SYNTAX = "search:nodes=N", "search:ms=N"  # lines to be played for each move, the same everywhere; or milliseconds
_SEARCH = re.compile(r"search:(nodes|ms)=([1-9][0-9]{0,8})")


def find(name: str) -> Bot:
    """The bot of this name."""
    if name in LEVELS:
        return LEVELS[name]
    if name in SEARCH_BOTS:
        return SEARCH_BOTS[name]
    if name in REGISTERED:
        return REGISTERED[name]
    budget = _SEARCH.fullmatch(name)
    if budget is None:
        raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(known())))
    amount = int(budget[2])
    return Search(nodes=amount) if budget[1] == "nodes" else Search(ms=amount)


def known() -> tuple[str, ...]:
    """How bots are written."""
    return *LEVELS, *SEARCH_BOTS, *REGISTERED, " or ".join(SEARCH_SYNTAX)


def register(name: str) -> Callable[[B], B]:
    """`@bots.introduce("mine")` above a function `(game, seen, luck) -> move`: from then on the bot is known by that name wherever this
    program names one, for instance in the arena; also in its worker processes, if it stands at the top level of the program's file."""
    if not re.fullmatch("[a-z][a-z0-9-]*", name) or name in TABLE_BOTS:
        raise TableeError(msg("a bot cannot be called {name!r}: that is taken, or not small letters, digits and hyphens", name=name))

    def remember(bot: B) -> B:
        REGISTERED[name] = bot
        return bot

    return remember


def find_for_table(name: str) -> Bot:
    """The same for a table, where a bot is known by its level alone."""
    if name not in TABLE_BOTS:
        raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(TABLE_BOTS)))
    return find(name)


def choose(match: Match, seat: Seat, bot: Bot, stop: Callable[[], bool] = never_stop) -> Move:
    """What this bot does here; its luck follows from the match's seed, so a restart changes nothing. A search may be told to stop."""
    assert match.seed is not None
    seen, luck = match.game.observe(match.state, seat), fairness.bot_rng(match.seed, len(match.log), seat)
    return bot(match.game, seen, luck, stop) if isinstance(bot, Search) else bot(match.game, seen, luck)


def play_out(match: Match, bots: Sequence[Bot]) -> Match:
    """Plays a match to its end, one bot per seat."""
    for _ in decisions(match, bots):
        pass
    return match


def decisions(match: Match, bots: Sequence[Bot]) -> Iterator[tuple[Seat, Move]]:
    """The same, for whoever wants to look at every position in which somebody chooses: each is shown before its move is made."""
    match.play_nature()
    while match.to_act:
        seat = match.to_act[0]
        move = choose(match, seat, bots[seat])
        yield seat, move
        match.play(seat, move)
        match.play_nature()
