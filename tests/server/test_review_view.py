"""The drawing of a finished game's curves: 100 wide, 40 high, however many stops the slider has."""

from __future__ import annotations

from tablee.server.table.clock import ClockReading
from tablee.server.view.review_view import CoachView


def test_a_curve_goes_from_edge_to_edge() -> None:
    coach = CoachView(100, "win", [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]], [], [1], agrees=False, advice=[], luck=[])
    assert coach.line(0, 3) == "0.0,20.00 50.0,1.00 100.0,39.00"
    assert [coach.across(turn, 3) for turn in coach.turning_points] == [50.0]
    assert coach.across(0, 1) == 0  # a game of one turn


def test_a_clock_shows_minutes_and_seconds() -> None:
    assert [ClockReading(left, runs=False, since=0).minutes for left in (0, 61_999, 600_000)] == ["0:00", "1:01", "10:00"]
