"""Luck and skill in finished games: how much of a result the draws gave, by the evaluation of the game.

The luck of a draw is the value of the position after it, minus the mean of the values after all draws that were possible, by their odds. A
drawn tile is worth what can be made of it, so a position is valued where greedy play leads before the next draw.
Luck is 0 on average whatever the evaluation is; a better one explains more of the result. Everything is in integers, the units of
`WHOLE_SHARE` or, alone, of POINT, so luck and skill add up to the result exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.game import NATURE, Game
from tablee.core.loops import GREEDY_DETERMINIZED, lowest_seat
from tablee.core.match import Line, Match
from tablee.core.rng import make_rng

TIES = 1, 2  # key of the generator that breaks ties: the value of a position is always the same


class Balance(NamedTuple):
    """Result of a seat, and what luck and skill contributed; in integer units."""

    result: int  # the share of the win or, alone, the points
    luck: int

    @property
    def skill(self) -> int:
        return self.result - self.luck


class Reduction(NamedTuple):
    """What taking luck out does to the mean result of some games."""

    mean: float  # of results
    adjusted: float  # mean of results without luck
    half: float  # half of the 95 % interval of `mean`
    adjusted_half: float  # the same of `adjusted`

    @property
    def fewer_games(self) -> float:
        """Return how many times fewer games give the same interval."""
        return (self.half / self.adjusted_half) ** 2 if self.adjusted_half else 1.0


def unit(seats: int) -> int:
    """Return what counts as 1 in a balance."""
    return WHOLE_SHARE if seats > 1 else POINT


def balances(match: Match) -> list[Balance]:
    """Return the balance of every seat of a finished game."""
    drawn = draws(match.game, match.at(0).state, match.log)
    results = values(match.game, match.state)
    return [Balance(result, sum(luck[seat] for _, luck in drawn)) for seat, result in enumerate(results)]


def draws(game: Game[Any], start: Any, log: Iterable[Line]) -> list[tuple[int, list[int]]]:
    """Return the line of every draw, and its luck by seat."""
    state, found = start.copy(), []
    for number, line in enumerate(log):
        after = game.kernel.apply(state, line.seat, line.move)
        if line.seat == NATURE:
            found.append((number, luck_of(game, state, after)))
        state = after
    return found


def luck_of(game: Game[Any], before: Any, after: Any) -> list[int]:
    """Return the luck by seat of the draw between these positions."""
    odds = game.odds(before)
    total = sum(weight for _, weight in odds)
    possible = [(weight, values(game, game.kernel.apply(before, NATURE, move))) for move, weight in odds]
    means = [sum(weight * each[seat] for weight, each in possible) // total for seat in range(before.seats)]
    return [value - mean for value, mean in zip(values(game, after), means, strict=True)]


def values(game: Game[Any], state: Any) -> list[int]:
    """Return the value of a position, or the result, by seat: that of the next draw or end after greedy play."""
    kernel, found = game.kernel, []
    later, workspace, rng = state.copy(), kernel.workspace(), make_rng(TIES)
    while (seats := kernel.to_act(later)) > 0:
        seat = lowest_seat(seats)
        kernel.rules.apply(kernel.box, later, seat, kernel.loops.choose(kernel.box, later, seat, GREEDY_DETERMINIZED, workspace, rng))
    for seat in range(state.seats):
        kernel.loops.evaluate(kernel.box, later, workspace.scratch, seat, workspace.values)
        found.append(workspace.values[SHARE] if state.seats > 1 else workspace.values[POINTS])
    return found


def reduction(found: Iterable[Balance], seats: int) -> Reduction:
    """Return the mean result of a bot in some games with and without luck, and both intervals."""
    rows = np.array([(each.result, each.skill) for each in found]) / unit(seats)
    half, adjusted_half = 1.96 * rows.std(0, ddof=1) / len(rows) ** 0.5
    mean, adjusted = rows.mean(0)
    return Reduction(float(mean), float(adjusted), float(half), float(adjusted_half))
