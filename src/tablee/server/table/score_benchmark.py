"""Benchmark of a score in a game for one: the score distribution of each level, from the room's `score_benchmark.json`.

{"made": {"command", "seed", "hard", "date"}, "levels": {"greedy": {"games": 10000, "scores": {"71": 312, ...}}}}
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tablee import games
from tablee.bots.search import Search

BENCHMARK_FILE = "score_benchmark.json"
HARD_BUDGET = Search(nodes=8_000)  # nodes instead of a second: reproducible on every machine, and quick


@cache
def _score_counts(key: str) -> dict[str, dict[int, int]]:
    """Return for each level how many games ended with each score."""
    file = games.folder(key) / BENCHMARK_FILE
    if not file.exists():
        return {}
    levels: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["levels"]
    return {level: {int(score): count for score, count in found["scores"].items()} for level, found in levels.items()}


def percent_beaten(key: str, score: int) -> dict[str, int]:
    """Return for each level the percentage of its games with a lower score."""
    return {level: percent_below(counts, score) for level, counts in _score_counts(key).items()}


def percent_below(counts: dict[int, int], score: int) -> int:
    """Return the percentage of games with a lower score; ties count half."""
    below = sum(count for made, count in counts.items() if made < score) + counts.get(score, 0) / 2
    return round(100 * below / sum(counts.values()))
