"""Upper bounds for Rolling Village alone: python -m bench.village_bound --sequences 40 --beam 100.

By Brown, Smith and Sun (2010) no agent scores more on average than the mean over all dice of the most that a plan which knows them makes of
Σ r_t + E_w h(s_t, w) - h(s_t, w_t), for any function h of the sheet s_t before roll w_t. Two figures are printed, each with its 95 %
interval over sampled dice:

proven     no penalty (h = 0), and the maximum relaxed: every project counts in every round, wherever the dice allow it
estimated  h = the learned value after the best whole round, and the maximum searched by a beam, which may miss it: the true
           bound of this h is at or above
"""

from __future__ import annotations

import argparse
import heapq
import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, combinations
from typing import Any, NamedTuple

from tablee import games
from tablee.arena import LocalExecutor
from tablee.arena.tally import interval_of_mean
from tablee.core.contract import NATURE, POINT
from tablee.core.game import Game
from tablee.core.rng import make_rng
from tablee.games.rolling_village.box import CELLS, COLUMNS, ROWS
from tablee.games.rolling_village.notation import ROLL_MOVE

TIES = 1, 2  # key of the generator that breaks ties: h is a function


class PlannedSheet(NamedTuple):
    """Moves of the rounds so far: the value of the sheet with all penalties, the penalties, and the state."""

    total: float
    penalties: float
    state: Any


class Relaxation:
    """The inner problem of one game: `beam` plans survive a round, each continues by its best `turns` turns."""

    def __init__(self, game: Game[Any], beam: int, turns: int, penalty_beam: int) -> None:
        self.game, self.kernel, self.beam, self.penalty_beam = game, game.kernel, beam, penalty_beam
        self.start, self.workspace = game.setup(1, {"setup_types": "different"}), game.kernel.workspace()
        self._turns, self._penalty_turns = game.kernel.beam(turns), game.kernel.beam(penalty_beam)

    def __call__(self, number: int) -> tuple[float, float]:
        """Return what is proven and what is estimated for the dice of this number, in points."""
        rolls = random_rolls(self.game, number)
        return proven(self.game, rolls), self.estimated(rolls)

    def estimated(self, rolls: Sequence[int]) -> float:
        plans = [PlannedSheet(0, 0, self.start)]
        for roll in rolls:
            best: dict[Any, PlannedSheet] = {}
            for plan in plans:
                for key, later in self._continue(plan, roll):
                    if key not in best or best[key].total < later.total:
                        best[key] = later
            plans = heapq.nlargest(self.beam, best.values(), key=lambda plan: plan.total)
        return plans[0].total / POINT

    def _continue(self, plan: PlannedSheet, roll: int) -> Iterator[tuple[Any, PlannedSheet]]:
        """Yield the sheets after the best turns of a round, with what their future depends on."""
        penalties = plan.penalties + self.penalty(plan.state, roll)
        rolled = self.kernel.apply(plan.state, NATURE, roll)
        for turn in self.kernel.turns(rolled, 0, self.workspace, make_rng(TIES), self._turns):
            state = rolled.copy()
            for move in turn.moves[: turn.steps]:
                self.kernel.rules.apply(self.kernel.box, state, 0, move)
            yield (*state.marks[0], state.bonus[0]), PlannedSheet(turn.points + penalties, penalties, state)

    def penalty(self, state: Any, roll: int) -> float:
        """Return E_w h(state, w) - h(state, roll); 0 on average over the rolls, whatever h is."""
        if not self.penalty_beam:
            return 0.0
        odds = self.game.odds(state)
        values = {move: self.value_after(state, move) for move, _ in odds}
        return sum(weight * values[move] for move, weight in odds) / sum(weight for _, weight in odds) - values[roll]

    def value_after(self, state: Any, roll: int) -> int:
        """Return h: the value after the best whole turn, in thousandths of a point."""
        rolled = self.kernel.apply(state, NATURE, roll)
        return max(turn.points for turn in self.kernel.turns(rolled, 0, self.workspace, make_rng(TIES), self._penalty_turns))


def random_rolls(game: Game[Any], number: int) -> list[int]:
    """Return the dice of a game: of the set-up and of every round."""
    moves, weights = zip(*game.odds(game.setup(1, {"setup_types": "different"})), strict=True)
    return random.Random(number).choices(moves, weights, k=game.kernel.box.rounds + 1)


def proven(game: Game[Any], rolls: Sequence[int]) -> int:
    """Return points that nobody exceeds with these dice.

    A round scores at most the printed points that so many projects can cover, and every double brings a park that counts.
    """
    box, points = game.kernel.box, 0
    own, free = [0] * COLUMNS, 0  # projects by the column that a die named; projects and parks that may stand anywhere
    for turn, roll in enumerate(rolls):
        high, low = divmod(roll - ROLL_MOVE, 6)
        own[high] += 1
        if high != low or turn == 0:
            own[low] += 1
        else:
            free, points = free + 1, points + box.park_points
        free += box.is_bonus[turn]
        if turn:
            points += most_covered(box, own, free)
    return points


def most_covered(box: Any, own: Sequence[int], free: int) -> int:
    """Return the most printed points under these projects, for every choice of the columns that are full.

    A die names a column; its project stands elsewhere only if that column is full.
    """
    printed = [sorted((box.printed[cell] for cell in range(column, CELLS, COLUMNS)), reverse=True) for column in range(COLUMNS)]
    sums, best = [[0, *accumulate(column)] for column in printed], 0
    for count in range(COLUMNS + 1):
        for full in combinations(range(COLUMNS), count):
            others = [column for column in range(COLUMNS) if column not in full and own[column] <= ROWS]
            left = sum(own) + free - ROWS * count - sum(own[column] for column in others)
            if len(others) + count < COLUMNS or left < 0:
                continue
            more = sorted((points for column in others for points in printed[column][own[column] :]), reverse=True)[:left]
            best = max(best, sum(sums[column][ROWS] for column in full) + sum(sums[column][own[column]] for column in others) + sum(more))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", type=int, default=40, help="of dice (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="the dice are those of the numbers SEED, SEED + 1 ... (default: 1)")
    parser.add_argument("--beam", type=int, default=100, help="plans that survive a round (default: 100)")
    parser.add_argument("--turns", type=int, default=16, help="turns that continue a plan (default: 16)")
    parser.add_argument("--penalty-beam", type=int, default=4, help="width of the search in h; 0: no penalty (default: 4)")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    make = partial(Relaxation, games.find("rolling-village"), args.beam, args.turns, args.penalty_beam)
    found = list(LocalExecutor(args.jobs).map(make, range(args.seed, args.seed + args.sequences)))
    for name, values in zip(("proven   ", "estimated"), zip(*found, strict=True), strict=True):
        low, high = interval_of_mean(values)
        print(f"{name}  at most {sum(values) / len(values):.2f} points ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
