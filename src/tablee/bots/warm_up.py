"""Compiling happens when a rule is first used. One game of each room uses them all, and the machine code stays on disk."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import Game, Seat
from tablee.core.match import Match
from tablee.core.rule import PLAIN, cache_folder

Tell = Callable[[str, int, int], None]  # (the room being compiled, rooms done, rooms in all)


def warm_up(tell: Tell) -> None:
    rooms = games.known()
    for done, key in enumerate(rooms):
        tell(key, done, len(rooms))
        use_every_rule(games.find(key))
    tell("", len(rooms), len(rooms))


def use_every_rule(game: Game) -> None:
    """The rules as the table, the bots and the benchmark call them."""
    seats = game.seats[min(1, len(game.seats) - 1)]
    match = Match(game, seats, {}, fairness.seed_for(0, 0))
    bots.play_out(match, [bots.play_greedy, bots.play_random] * seats)
    for seat in (None, Seat(0)):
        game.view(game.observe(match.state, seat))
    game.draw(match.state)
    game.random_games(seats, match.options, 1, 0)
    if not PLAIN:
        _mark(game).touch()


def is_warm(game: Game) -> bool:
    """Whether this version of the room's rules has been compiled on this computer."""
    return PLAIN or _mark(game).exists()


def _mark(game: Game) -> Path:
    return cache_folder(f"{games.__name__}.{game.key.replace('-', '_')}.rules") / "warm"


if __name__ == "__main__":
    use_every_rule(games.find(sys.argv[1]))
