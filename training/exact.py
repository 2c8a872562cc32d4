"""Exact values of tiny games without hidden information, by expectimax: every draw and every move, to the end.

python -m training.exact mayflower --components docs/research/boxes/tiny-mayflower.toml --seats 2 --option first=0

Prints the value of the start by seat: the points alone, otherwise the share of the wins. Every seat plays for its own value.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import Any

from tablee import games
from tablee.core.contract import NATURE, NATURE_NEXT, OVER
from tablee.core.game import Game, choose_options
from tablee.core.loops import lowest_seat

Values = tuple[Fraction, ...]  # by seat


class Solver:
    """Values of the positions of a game, each computed once."""

    def __init__(self, game: Game[Any]) -> None:
        self.game, self.kernel, self.known = game, game.kernel, dict[bytes, Values]()

    def value(self, state: Any) -> Values:
        seats = self.kernel.to_act(state)
        if seats == OVER:
            return self.result(state)
        key = state.tobytes()
        if key not in self.known:
            self.known[key] = self._after_draw(state) if seats == NATURE_NEXT else self._after_move(state, lowest_seat(seats))
        return self.known[key]

    def result(self, state: Any) -> Values:
        outcome = self.game.outcome(state)
        if state.seats == 1:
            return (Fraction(outcome.scores[0]),)
        return tuple(Fraction(seat in outcome.winners, len(outcome.winners)) for seat in range(state.seats))

    def _after_draw(self, state: Any) -> Values:
        odds = self.game.odds(state)
        found = [(weight, self.value(self.kernel.apply(state, NATURE, move))) for move, weight in odds]
        total = sum(weight for weight, _ in found)
        return tuple(sum((weight * values[seat] for weight, values in found), Fraction()) / total for seat in range(state.seats))

    def _after_move(self, state: Any, seat: int) -> Values:
        found = [self.value(self.kernel.apply(state, seat, move)) for move in self.kernel.legal(state, seat)]
        return max(found, key=lambda values: values[seat])


def option(text: str) -> tuple[str, str | int]:
    key, value = text.split("=")
    return key, int(value) if value.isdigit() else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.known())
    parser.add_argument("--components", type=Path, help="a box; a printed one is far too large")
    parser.add_argument("--seats", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    args = parser.parse_args()
    game = games.find(args.game, args.components)
    options = choose_options(game, args.seats, dict(map(option, args.option)))
    for seat, value in enumerate(Solver(game).value(game.setup(args.seats, options))):
        print(f"seat {seat}: {value} = {float(value):.6f}")


if __name__ == "__main__":
    main()
