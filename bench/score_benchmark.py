"""What each level scores alone, over many seeds: writes the room's `score_benchmark.json`, which the end page of a game for one compares with.

    python -m bench.score_benchmark GAME [--games 10000] [--jobs 2] [--notes .yardstick]

The second that `hard` has is here a budget of nodes (`server/table/score_benchmark.py`), so that whoever runs this again gets the same figures.
It takes hours, and goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench.ladder import play
from tablee import bots, games
from tablee.arena import Plan, Results, Tournament
from tablee.core.files import write_text
from tablee.server.table.score_benchmark import BENCHMARK_FILE, HARD_BUDGET

SEED = 1
NAMES = {level: level for level in bots.TABLE_BOTS} | {"hard": f"search:nodes={HARD_BUDGET.nodes}"}


def alone(key: str, count: int) -> Tournament:
    """Each level by itself, all with the same luck."""
    plans = tuple(Plan.of(games.find(key), 1, (name,), {}, SEED) for name in NAMES.values())
    return Tournament(plans, tuple(NAMES.values()), count)


def distribution(results: Results) -> dict[str, Any]:
    scores = results.scores[:, 0]
    return {"games": len(results), "scores": {str(made): often for made, often in sorted(Counter(scores.tolist()).items())}}


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("game")
    wanted.add_argument("--games", type=int, default=10_000)
    wanted.add_argument("--jobs", type=int, default=2)
    wanted.add_argument("--notes", type=Path, default=Path(".yardstick"))
    asked = wanted.parse_args()
    played, levels = play(alone(asked.game, asked.games), asked.jobs, asked.notes / f"{asked.game}.jsonl"), {}
    for place, level in enumerate(NAMES):
        results = Results.join(found for handful, found in played.items() if handful.plan_index == place)
        levels[level] = distribution(results)
        print(f"{level:>8} {len(results):>6} games, mean {np.mean(results.scores):.2f}, spread {np.std(results.scores):.1f}")
    command = f"python -m bench.score_benchmark {asked.game} --games {asked.games}"
    made = {"command": command, "seed": SEED, "hard": NAMES["hard"], "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    write_text(games.folder(asked.game) / BENCHMARK_FILE, json.dumps({"made": made, "levels": levels}, indent=1) + "\n")


if __name__ == "__main__":
    main()
