"""Generator of a room's `score_benchmark.json`: each level's solo scores over many seeds, for the end page of a solo game.

    python -m bench.score_benchmark GAME [--games 10000] [--jobs 2] [--notes .score-benchmark]

In place of a second, `hard` has a node budget here (`server/table/coaching.py`), so that the figures are reproducible. A run takes
hours and resumes where it was interrupted.
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
from tablee.server.table.coaching import BENCHMARK_FILE, HARD_BUDGET

SEED = 1
NAMES = {level: level for level in bots.LEVEL_NAMES} | {"hard": f"search:nodes={HARD_BUDGET.nodes}"}


def alone(key: str, count: int) -> Tournament:
    """Return a tournament of solo games of each level, with common seeds."""
    plans = tuple(Plan.of(games.find(key), 1, (name,), {}, SEED) for name in NAMES.values())
    return Tournament(plans, tuple(NAMES.values()), count)


def distribution(results: Results) -> dict[str, Any]:
    scores = results.scores[:, 0]
    return {"games": len(results), "scores": {str(score): count for score, count in sorted(Counter(scores.tolist()).items())}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--notes", type=Path, default=Path(".score-benchmark"))
    chosen = parser.parse_args()
    played, levels = play(alone(chosen.game, chosen.games), chosen.jobs, chosen.notes / f"{chosen.game}.jsonl"), {}
    for place, level in enumerate(NAMES):
        results = Results.join(found for chunk, found in played.items() if chunk.plan_index == place)
        levels[level] = distribution(results)
        print(f"{level:>8} {len(results):>6} games, mean {np.mean(results.scores):.2f}, spread {np.std(results.scores):.1f}")
    command = f"python -m bench.score_benchmark {chosen.game} --games {chosen.games}"
    made = {"command": command, "seed": SEED, "hard": NAMES["hard"], "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    write_text(games.folder(chosen.game) / BENCHMARK_FILE, json.dumps({"made": made, "levels": levels}, indent=1) + "\n")


if __name__ == "__main__":
    main()
