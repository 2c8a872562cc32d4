"""The figures of a simulation: who won how often and by how much, each with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from tablee.cli.simulation import Result

SURE = 1.959964  # standard errors in a 95 % interval


def tally(results: Sequence[Result]) -> dict[str, Any]:
    seats = range(len(results[0].scores))
    shares = [fmean(_share(result, seat) for result in results) for seat in seats]
    scores = [[result.scores[seat] for result in results] for seat in seats]
    lengths = [result.lines for result in results]
    return {
        "wins": [sum(seat in result.winners for result in results) for seat in seats],
        "shares": [round(share, 6) for share in shares],
        "share_intervals": [interval_of_share(share, len(results)) for share in shares],
        "mean_scores": [round(fmean(each), 4) for each in scores],
        "score_intervals": [interval_of_mean(each) for each in scores],
        "won_together": _won_together(results),
        "lengths": {"mean": round(fmean(lengths), 2), "least": min(lengths), "most": max(lengths)},
    }


def _share(result: Result, seat: int) -> float:
    """A win shared by two is half a win for each."""
    return 1 / len(result.winners) if seat in result.winners else 0.0


def _won_together(results: Sequence[Result]) -> dict[str, Any] | None:
    """For games in which the table plays together against the game."""
    if results[0].won is None:
        return None
    won = sum(result.won is True for result in results)
    share = won / len(results)
    return {"wins": won, "share": round(share, 6), "interval": interval_of_share(share, len(results))}


def interval_of_share(share: float, count: int) -> list[float]:
    """Wilson's interval, which stays between 0 and 1 and is honest about few games."""
    scale = 1 + SURE**2 / count
    middle = (share + SURE**2 / (2 * count)) / scale
    half = SURE * sqrt(share * (1 - share) / count + SURE**2 / (4 * count**2)) / scale
    return [round(max(0.0, middle - half), 6), round(min(1.0, middle + half), 6)]


def interval_of_mean(values: Sequence[int]) -> list[float]:
    half = SURE * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return [round(fmean(values) - half, 4), round(fmean(values) + half, 4)]
