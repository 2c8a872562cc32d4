"""Figures of many games, each with its 95 % interval: wins, shares of the wins, scores and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from tablee.arena.plan_runner import Results

Z_95 = 1.959964  # standard errors in a 95 % interval


def tally(results: Results) -> dict[str, Any]:
    count, seats = len(results), results.scores.shape[1]
    won = results.winners[:, None] >> np.arange(seats) & 1
    shares = shares_of(results.winners, seats).mean(axis=0)
    return {
        "wins": won.sum(axis=0).tolist(),
        "shares": [round(float(share), 6) for share in shares],
        "share_intervals": [interval_of_share(float(share), count) for share in shares],
        "mean_scores": [round(float(mean), 4) for mean in results.scores.mean(axis=0)],
        "score_intervals": [interval_of_mean(results.scores[:, seat]) for seat in range(seats)],
        "won_together": _won_together(results),
        "lengths": {
            "mean": round(float(results.lines.mean()), 2),
            "least": int(results.lines.min()),
            "most": int(results.lines.max()),
        },
    }


def shares_of(winners: Any, seats: int) -> Any:
    """Return each seat's share of the win by game: a win shared by two is half a win for each."""
    won = winners[:, None] >> np.arange(seats) & 1
    return won / np.maximum(1, won.sum(axis=1))[:, None]


def _won_together(results: Results) -> dict[str, Any] | None:
    """Return the figures of a co-operative game, None for any other."""
    if not results.together:
        return None
    won = int((results.winners != 0).sum())
    share = won / len(results)
    return {"wins": won, "share": round(share, 6), "interval": interval_of_share(share, len(results))}


def interval_of_share(share: float, count: int) -> list[float]:
    """Return the Wilson score interval: within [0, 1], and wide enough for few games."""
    scale = 1 + Z_95**2 / count
    middle = (share + Z_95**2 / (2 * count)) / scale
    half = Z_95 * sqrt(share * (1 - share) / count + Z_95**2 / (4 * count**2)) / scale
    return [round(max(0.0, middle - half), 6), round(min(1.0, middle + half), 6)]


def interval_of_mean(values: Sequence[int] | Any) -> list[float]:
    """Return the interval mean ± Z_95 · standard error."""
    mean = float(np.mean(values))
    half = Z_95 * float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0
    return [round(mean - half, 4), round(mean + half, 4)]
