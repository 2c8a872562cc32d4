"""Games to test on: the box, and whole or begun matches from lines of the log."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tablee.core import components
from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Move, Seat
from tablee.core.match import Match, read_line
from tablee.games.mayflower import open_box
from tablee.games.mayflower.box import Pieces, unpack

COMPONENTS = components.load(Path(__file__).parents[1] / "components.toml")
GAME = open_box(COMPONENTS)
PIECES: Pieces = unpack(COMPONENTS)


def play(lines: str, seats: int = 2, **options: str | int) -> Match:
    """A match after these lines, seat 0 first."""
    match = Match(GAME, seats, {"first": 0, **options})
    for line in lines.strip().splitlines():
        say_line(match, line.strip())
    return match


def say_line(match: Match, text: str) -> list[str]:
    """Plays a line and returns what is told of it."""
    line = read_line(GAME, text)
    return [str(event.sentence) for event in match.play(line.seat, line.move).events]


def legal(match: Match) -> list[str]:
    seat = match.to_act[0]
    return [GAME.show(move) for move in match.legal(seat)]


def refused(match: Match, text: str) -> str:
    try:
        say_line(match, text)
    except Refusal as refusal:
        return str(refusal)
    raise AssertionError(f"{text} was allowed")


def random_play(seats: int, seed: int, settle: bool = True, **options: str | int) -> Iterator[Match]:
    """A match at each of its positions; settlers are put down half of the time, rather on roads and towns than on plains."""
    rng, match = random.Random(seed), Match(GAME, seats, options)
    while match.to_act:
        yield match
        seat = match.to_act[0]
        match.play(seat, _choose(match, seat, rng, settle))
    yield match


def _choose(match: Match, seat: Seat, rng: random.Random, settle: bool) -> Move:
    if seat == NATURE:
        odds = GAME.odds(match.state)
        return rng.choices([move for move, _ in odds], [weight for _, weight in odds])[0]
    moves = match.legal(seat)
    bold = [move for move in moves if GAME.show(move).startswith(("settle road", "settle town", "settle farm"))]
    return rng.choice(bold if settle and bold and rng.random() < 0.7 else moves)
