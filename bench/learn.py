"""Learns the weights of Rolling Village's insight by fitted dynamic programming, from the last round back to the first. Sheets are taken
from games of the insight itself, half of them with slips; what a sheet with n rounds to come is worth is the mean over all rolls of the
best turn, by the weights for n - 1 rounds; the weights for n are the least squares' fit to that. No playouts, so hardly any noise.
Games and sheets are spread over processes or a cluster as the games of `tablee simulate` are; the weights are the same everywhere.

    python -m bench.learn [--sheets 3000] [--times 2] [--seed 1] [--jobs J] [--cluster ADDRESS]
                          [--out src/tablee/games/rolling_village/insight.json]
"""

from __future__ import annotations

import argparse
import json
from datetime import date
from pathlib import Path

from bench.learning import Learner
from tablee.cli.where import ask_place, place

OUT = Path("src/tablee/games/rolling_village/insight.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=3000)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    ask_place(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    with place(chosen) as where:
        learner = Learner(chosen.seed, where)
        for time in range(chosen.times):
            sheets = learner.sheets(chosen.sheets, time)
            for left in range(1, learner.rounds + 1):
                learner.learn(sheets[left], left)
    made_by = f"python -m bench.learn --sheets {chosen.sheets} --times {chosen.times} --seed {chosen.seed}"
    rows = ",\n    ".join(json.dumps(row) for row in learner.weights)
    made_on = date.today().isoformat()
    chosen.out.write_text(
        f'{{\n  "made_by": "{made_by}",\n  "made_on": "{made_on}",\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
