"""Luck and skill in finished games: how much of a result the draws gave, by the evaluation of the game.

The luck of a draw is the value of the position after it, minus the mean of the values after all draws that were possible, by their odds. A
drawn tile is worth what can be made of it, so a position is valued where greedy play leads before the next draw.
Luck is 0 on average whatever the evaluation is; a better one explains more of the result. Everything is in integers, the units of
`WHOLE_SHARE` or, alone, of POINT, so luck and skill add up to the result exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tablee.core.contract import OVER, POINT, POINTS, SHARE, WHOLE_SHARE
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


def unit(seats: int) -> int:
    """Return what counts as 1 in a balance."""
    return WHOLE_SHARE if seats > 1 else POINT


def balances(match: Match) -> list[Balance]:
    """Return the balance of every seat of a finished game."""
    luck = total_luck(match.game, match.at(0).state, match.log)
    return [Balance(*each) for each in zip(values(match.game, match.state), luck, strict=True)]


def total_luck(game: Game[Any], start: Any, log: Iterable[Line]) -> list[int]:
    """Return the luck of every seat in all draws of a game."""
    total = [0] * start.seats
    for _, before, after in draws(game, start, log):
        total = [sum(pair) for pair in zip(total, luck_of(game, before, after), strict=True)]
    return total


def luck_at(match: Match, line: int) -> list[float]:
    """Return the luck by seat of the draw at this line of a match, as a share of the win or, alone, in points."""
    found = luck_of(match.game, match.at(line).state, match.at(line + 1).state)
    return [luck / unit(match.seats) for luck in found]


def draws(game: Game[Any], start: Any, log: Iterable[Line]) -> Iterator[tuple[int, Any, Any]]:
    """Yield the line of every draw, and the positions before and after it."""
    state = start
    for number, line in enumerate(log):
        after = game.kernel.apply(state, line.seat, line.move)
        if line.seat == NATURE:
            yield number, state, after
        state = after


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
    together = kernel.to_act(later) == OVER and game.is_cooperative(later)  # then each has a part of the win that counts whole here
    for seat in range(state.seats):
        kernel.loops.evaluate(kernel.box, later, workspace.scratch, seat, workspace.values)
        found.append(workspace.values[SHARE] * (state.seats if together else 1) if state.seats > 1 else workspace.values[POINTS])
    return found
