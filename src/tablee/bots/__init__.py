"""Bots play any game through its interface. A bot is a function from what its seat may know to one of its legal moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from tablee.core import fairness
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Seat, Seen
from tablee.core.match import Match
from tablee.core.words import say

Bot = Callable[[Game, Seen, Sequence[Move], random.Random], Move]


def play_random(game: Game, seen: Seen, legal: Sequence[Move], rng: random.Random) -> Move:
    """Any legal move, all equally likely."""
    return legal[rng.randrange(len(legal))]


def play_greedy(game: Game, seen: Seen, legal: Sequence[Move], rng: random.Random) -> Move:
    """The move after which the room's own appraisal of the seat is highest; equal ones by lot."""
    if len(legal) == 1:
        return legal[0]
    assert seen.seat is not None
    state = game.imagine(seen, rng)
    worth = [game.appraise(game.apply(state, seen.seat, move).state, seen.seat) for move in legal]
    best = max(worth)
    return rng.choice([move for move, value in zip(legal, worth, strict=True) if value == best])


LEVELS: Mapping[str, Bot] = {"random": play_random, "greedy": play_greedy}


def find(level: str) -> Bot:
    if level not in LEVELS:
        raise TableeError(say("there is no bot {level!r}; there are: {known}", level=level, known=", ".join(LEVELS)))
    return LEVELS[level]


def choose(match: Match, seat: Seat, bot: Bot) -> Move:
    """What this bot does here; its luck follows from the match's seed, so a restart changes nothing."""
    assert match.seed is not None
    rng = fairness.bot_rng(match.seed, len(match.log), seat)
    return bot(match.game, match.game.observe(match.state, seat), match.legal(seat), rng)


def play_out(match: Match, bots: Sequence[Bot]) -> Match:
    """Plays a match to its end, one bot per seat."""
    match.play_nature()
    while match.to_act:
        seat = match.to_act[0]
        match.play(seat, choose(match, seat, bots[seat]))
        match.play_nature()
    return match
