"""Learns the weights of Rolling Village's insight by fitted dynamic programming, from the last round back to the first. Sheets are taken
from games of the insight itself, most of them with slips, and besides them what else might have stood there. What a sheet with n rounds to
come is worth is the mean over all rolls of the best turn, by the weights for n - 1 rounds; the weights for n are the network's fit to that.
No playouts, so hardly any noise. Each time thrice as many games are played, by what was learned the time before: a value must be right
where whoever goes by it looks. Games and sheets are spread over processes or a cluster as the games of `tablee simulate` are; a GPU judges
sheets far more quickly.

    python -m bench.train_rolling_village [--games 20000] [--times 3] [--seed 1] [--jobs J] [--cluster ADDRESS] [--gpu]
                          [--out src/tablee/games/rolling_village/learned_value.json]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.fitting import provenance, write_weights
from bench.rolling_village_training import Learner
from tablee.cli.executor_options import add_executor_arguments, open_executor

OUT = Path("src/tablee/games/rolling_village/learned_value.json")
GAMES_GROWTH = 3  # times as many games as the time before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="of the last time")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gpu", action="store_true")
    add_executor_arguments(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    made_by = (
        f"python -m bench.train_rolling_village --games {chosen.games} --times {chosen.times} --seed {chosen.seed}{' --gpu' * chosen.gpu}"
    )
    with open_executor(chosen) as where:
        learner = Learner(chosen.seed, where, chosen.gpu)
        for time in range(chosen.times):
            sheets = learner.sheets(max(1, chosen.games // GAMES_GROWTH ** (chosen.times - 1 - time)), time)
            for left in range(1, learner.rounds + 1):
                learner.learn(sheets[left], left)
            write_weights(chosen.out, provenance(made_by), learner.weights[1:])


if __name__ == "__main__":
    main()
