"""Micro-benchmark of undo at the end of a long random game, in microseconds.

Measures `can_undo` (fastest and slowest seat), the undo of the last line, the position in the middle, and a replay of the whole log.

    python bench/undo.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import NATURE, Game, Seat
from tablee.core.match import Match

GAMES, TRIES, LONG_ENOUGH = 5, 3, 0.05


def long_game(game: Game) -> Match:
    """Return the longest of a few random games, cut at its last line that can be undone."""
    seats = game.seats[-1]
    whole = [bots.play_out(Match(game, seats, {}, fairness.seed_for(3, number)), [bots.RANDOM] * seats) for number in range(GAMES)]
    match = max(whole, key=lambda each: len(each.log))
    lines = [match.at(count) for count in range(len(match.log) - 40, len(match.log))]
    return [each for each in lines if each.log[-1].seat != NATURE and each.can_undo(each.log[-1].seat)][-1]


def microseconds(function: Callable[..., object], *args: object) -> float:
    """Return the best of a few measurements, each repeated for at least `LONG_ENOUGH` seconds."""
    best = float("inf")
    for _ in range(TRIES):
        repeats, began = 0, time.perf_counter()
        while (took := time.perf_counter() - began) < LONG_ENOUGH:
            function(*args)
            repeats += 1
        best = min(best, took / repeats)
    return best * 1e6


def measure(match: Match) -> str:
    checks = [microseconds(match.can_undo, Seat(seat)) for seat in range(match.seats)]
    undone = microseconds(match.undone, match.log[-1].seat)
    middle = microseconds(match.at, len(match.log) // 2)
    replay = microseconds(Match.replay, match.game, match.seats, dict(match.options), match.lines())
    return f"{len(match.log):6} {min(checks):9.0f} -{max(checks):6.0f} {undone:9.0f} {middle:10.0f} {replay:9.0f}"


def main() -> None:
    print(f"{'':16}  lines         can_undo    undone   at(n//2)    replay")
    for key in games.known():
        print(f"{key:16} {measure(long_game(games.find(key)))}")


if __name__ == "__main__":
    main()
