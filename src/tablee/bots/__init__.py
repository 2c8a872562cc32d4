"""Bots play any game. A bot is a function from what its seat may know to one of its legal moves; the levels play inside the kernel, and the
others have a budget in their name: `search:nodes=2000`, or `search:ms=250`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablee.bots.search import Search
from tablee.core import fairness, loops
from tablee.core.cells import Array
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Seat, Seen
from tablee.core.match import Match
from tablee.core.words import say

Bot = Callable[[Game, Seen, Array], Move]  # the last is the bot's luck


@dataclass(frozen=True)
class Level:
    """A bot that the generic loops know by its number."""

    name: str
    number: int

    def __call__(self, game: Game, seen: Seen, luck: Array) -> Move:
        assert seen.seat is not None, "a spectator does not move"
        return game.kernel.choose(seen.state, seen.seat, self.number, luck)


RANDOM = Level("random", loops.RANDOM)  # any legal move, all equally likely
GREEDY = Level("greedy", loops.GREEDY)  # the move after which the position promises its seat most
LEVELS: Mapping[str, Level] = {level.name: level for level in (RANDOM, GREEDY)}


WITH_A_BUDGET = "search:nodes=N", "search:ms=N"  # lines to be played for each move, the same everywhere; or milliseconds
_SEARCH = re.compile(r"search:(nodes|ms)=([1-9][0-9]{0,8})")


def find(name: str) -> Bot:
    """The bot of this name."""
    if name in LEVELS:
        return LEVELS[name]
    budget = _SEARCH.fullmatch(name)
    if budget is None:
        raise TableeError(say("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(known())))
    amount = int(budget[2])
    return Search(nodes=amount) if budget[1] == "nodes" else Search(ms=amount)


def known() -> tuple[str, ...]:
    """How bots are written."""
    return *LEVELS, " or ".join(WITH_A_BUDGET)


def find_level(name: str) -> Level:
    """The same where only a level may sit down: their moves cost nothing worth counting."""
    if name not in LEVELS:
        raise TableeError(say("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(LEVELS)))
    return LEVELS[name]


def choose(match: Match, seat: Seat, bot: Bot) -> Move:
    """What this bot does here; its luck follows from the match's seed, so a restart changes nothing."""
    assert match.seed is not None
    return bot(match.game, match.game.observe(match.state, seat), fairness.bot_luck(match.seed, len(match.log), seat))


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
