"""Value of farms in Mayflower: the win share of a bot that values farms PERCENT more (or less) against the unchanged bot.

Also the points from farms and the farmers of each. Every seed is played from both seats.

    python -m bench.farms [--games 4000] [--liking PERCENT]... [--seed 1]             # greedy, compiled batches
    python -m bench.farms --nodes 600 [--games 200] [--liking PERCENT]... [--seed 1]  # a search with a node budget
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tablee import bots, games
from tablee.arena.tally import interval_of_share
from tablee.bots.search import Search
from tablee.core import fairness
from tablee.core.batch import Batch
from tablee.core.game import Game, Move, Observation, choose_options
from tablee.core.loops import GREEDY, GREEDY_FOR_SEARCH
from tablee.core.match import Line, Match
from tablee.core.rng import Rng
from tablee.games.mayflower import open_box
from tablee.games.mayflower.box import FARM, INPUTS, INPUTS_PER_KIND, INPUTS_PER_PHASE, PLAIN, SETTLERS
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.learned_value import EXPECTED, MILLION
from tablee.games.mayflower.notation import SETTLE_FARM
from tablee.games.mayflower.state import State

SEATS = 2
FARM_BONUSES = (-100, -50, 0, 50, 100, 200, 400)


class FarmResult(NamedTuple):
    """One game: the changed bot's share of the win, and the farm points and farmers of both bots."""

    share: float
    points: tuple[int, int]
    farmers: tuple[int, int]


def with_farm_bonus(percent: int, learned: bool) -> Game[State]:
    """Return the game with farms worth `percent` more to its learned value, on top of the learned weights or of zeros."""
    game = open_box(games.find("mayflower").components)
    weights, farm = game.kernel.box.learned_weights, SETTLERS + INPUTS_PER_KIND * (FARM - PLAIN) + EXPECTED
    tiles = sum(game.kernel.box.copies) + SPACES  # a weight is multiplied by the tiles left or by the tiles laid; their sum is constant
    for place in range(INPUTS):
        weights[place] = weights[place] * learned + (place % INPUTS_PER_PHASE == farm) * percent * MILLION // 100 // tiles
    return game


def by_greedy(percent: int, seeds: list[bytes]) -> Iterator[FarmResult]:
    """Play greedy with the farm bonus as its only learned weight against greedy."""
    game = with_farm_bonus(percent, learned=False)
    start = game.setup(SEATS, choose_options(game, SEATS, {}))
    for seat in range(SEATS):
        batch = Batch(game, start, seeds, keep_logs=True)
        batch.play([GREEDY_FOR_SEARCH if each == seat else GREEDY for each in range(SEATS)])
        for number, outcome in enumerate(batch.outcomes()):
            yield _played(seat, outcome.winners, batch.states[number], batch.log(number))


def by_search(percent: int, seeds: list[bytes], nodes: int) -> Iterator[FarmResult]:
    other, search = with_farm_bonus(percent, learned=True), Search(nodes=nodes)

    def changed(_: Game[Any], seen: Observation[Any], rng: Rng) -> Move:
        return search(other, seen, rng)

    for seed in seeds:
        for seat in range(SEATS):
            match = Match(games.find("mayflower"), SEATS, {}, seed)
            bots.play_out(match, [changed if each == seat else search for each in range(SEATS)])
            assert match.outcome is not None
            yield _played(seat, match.outcome.winners, match.state, match.log)


def _played(seat: int, winners: tuple[int, ...], state: State, log: list[Line]) -> FarmResult:
    farmers = [sum(line.seat == each and line.move == SETTLE_FARM for line in log) for each in (seat, 1 - seat)]
    points = [int(state.earned[each, FARM]) for each in (seat, 1 - seat)]
    return FarmResult((seat in winners) / len(winners), (points[0], points[1]), (farmers[0], farmers[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--liking", type=int, action="append")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    seeds = [fairness.seed_for(chosen.seed, number) for number in range(1, chosen.games // SEATS + 1)]
    print(f"search with {chosen.nodes} nodes" if chosen.nodes else "greedy", f"{SEATS * len(seeds)} games from seed {chosen.seed}")
    for percent in chosen.liking or FARM_BONUSES:
        found = list(by_search(percent, seeds, chosen.nodes) if chosen.nodes else by_greedy(percent, seeds))
        share = float(np.mean([each.share for each in found]))
        points, farmers = (np.mean([getattr(each, name) for each in found], axis=0).round(2) for name in ("points", "farmers"))
        print(f"{percent:+} %: wins {share:.3f}, 95 % {interval_of_share(share, len(found))};", end=" ")
        print(f"points from farms {points[0]} (the other {points[1]}), farmers {farmers[0]} ({farmers[1]})", flush=True)


if __name__ == "__main__":
    main()
