"""How fast one game's rules are in this process. Run as a program it prints the figures as JSON, so that `bench` can ask for them
compiled and, with TABLEE_PLAIN=1, interpreted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import Game, Move, Seat, State, choose_options
from tablee.core.match import Match

LONG_ENOUGH = 0.6  # seconds of work behind each figure


def measure(game: Game, seats: int) -> dict[str, Any]:
    options = choose_options(game, seats, {})
    game.random_games(seats, options, 1, 0)
    played, moves, seconds = 1, 0, 0.0
    while seconds < LONG_ENOUGH:
        played *= 2
        began = time.perf_counter()
        moves = game.random_games(seats, options, played, 1)
        seconds = time.perf_counter() - began
    return {
        "seats": seats,
        "games_per_second": round(played / seconds, 1),
        "positions_per_second": round(moves / seconds),
        "move_microseconds": round(1e6 * _seconds_per_call(_one_game_through_python(game, seats)), 2),
    }


def _one_game_through_python(game: Game, seats: int) -> list[Callable[[], Any]]:
    """`legal` and `apply` at every decision of a random game, as the table and the bots call them."""
    match = Match(game, seats, {}, fairness.seed_for(3, 3))
    match.play_nature()
    calls: list[Callable[[], Any]] = []
    while match.to_act:
        seat, state = match.to_act[0], match.state
        move = bots.choose(match, seat, bots.play_random)
        calls.append(partial(_legal_and_apply, game, state, seat, move))
        match.play(seat, move)
        match.play_nature()
    return calls


def _legal_and_apply(game: Game, state: State, seat: Seat, move: Move) -> None:
    game.legal(state, seat)
    game.apply(state, seat, move)


def _seconds_per_call(calls: list[Callable[[], Any]]) -> float:
    rounds, began = 0, time.perf_counter()
    while time.perf_counter() - began < LONG_ENOUGH:
        for call in calls:
            call()
        rounds += 1
    return (time.perf_counter() - began) / (rounds * len(calls))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(games.find(sys.argv[1]), int(sys.argv[2]))))
