"""The figures of many games."""

from __future__ import annotations

import numpy as np

from tablee.arena import Results, tally
from tablee.arena.tally import interval_of_mean, interval_of_share


def results(scores: list[list[int]], winners: list[int], lines: list[int], together: bool = False) -> Results:
    return Results(np.array(scores), np.array(winners), np.array(lines), together)


def test_a_tally_shares_a_shared_win() -> None:
    found = tally(results([[5, 5], [7, 5]], [0b11, 0b01], [10, 12]))
    assert found["wins"] == [2, 1]
    assert found["shares"] == [0.75, 0.25]
    assert found["mean_scores"] == [6, 5]
    assert found["won_together"] is None
    assert found["lengths"] == {"mean": 11, "least": 10, "most": 12}


def test_a_tally_of_a_game_played_together() -> None:
    found = tally(results([[5, 5], [5, 5]], [0b11, 0], [10, 10], together=True))
    assert found["won_together"] == {"wins": 1, "share": 0.5, "interval": interval_of_share(0.5, 2)}


def test_intervals_are_the_known_ones() -> None:
    assert interval_of_share(0.5, 100) == [0.403832, 0.596168]
    assert interval_of_share(0.0, 10) == [0.0, 0.277533]
    assert interval_of_mean([1, 2, 3, 4, 5]) == [1.6141, 4.3859]
    assert interval_of_mean([7]) == [7.0, 7.0]
