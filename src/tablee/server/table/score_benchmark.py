"""How good a result is in a game for one: beside it, what each level scores, as the room's `score_benchmark.json` knows it from many games.

{"made": {"command", "seed", "hard", "date"}, "levels": {"greedy": {"games": 10000, "scores": {"71": 312, ...}}}}
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tablee import games
from tablee.bots.search import Search

BENCHMARK_FILE = "score_benchmark.json"
HARD_BUDGET = Search(nodes=8_000)  # in the place of a second: the same everywhere, and soon done


@cache
def _score_counts(key: str) -> dict[str, dict[int, int]]:
    """How often each level made so many points."""
    file = games.folder(key) / BENCHMARK_FILE
    if not file.exists():
        return {}
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["levels"]
    return {level: {int(score): count for score, count in found["scores"].items()} for level, found in kept.items()}


def percent_beaten(key: str, score: int) -> dict[str, int]:
    """Of each level's games, how many in a hundred had fewer points; half of those that had as many."""
    return {level: round(100 * _count_below(counts, score) / sum(counts.values())) for level, counts in _score_counts(key).items()}


def _count_below(counts: dict[int, int], score: int) -> float:
    return sum(count for made, count in counts.items() if made < score) + counts.get(score, 0) / 2
