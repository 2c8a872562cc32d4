"""Win probability of every seat over the course of a finished game, as numbers and as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablee.bots import coach
from tablee.core.match import Match

POSITIONS = 40  # evaluated in a game by default
COLOURS = (
    "#c0392b",
    "#2471a3",
    "#1e8449",
    "#b7950b",
    "#7d3c98",
    "#a04000",
    "#117a65",
    "#616a6b",
    "#cb4335",
    "#5b2c6f",
    "#0e6655",
    "#784212",
)
WIDE, HIGH, EDGE = 640, 240, 32  # pixels


class CurvePoint(NamedTuple):
    """Win probability of each seat at one position."""

    line: int  # number of log lines before the position
    chances: list[float]


def curve(match: Match, positions: int = POSITIONS, games: int = coach.MIN_PLAYOUTS) -> list[CurvePoint]:
    """Return win probabilities at `positions` evenly spread positions, start and end included, from `games` greedy playouts each."""
    last = len(match.log)
    stops = sorted({last * number // max(1, positions - 1) for number in range(positions)})
    return [CurvePoint(stop, coach.chances(match.at(stop), games)) for stop in stops]


def picture(points: Sequence[CurvePoint]) -> str:
    """Return an SVG with a line for each seat."""
    seats, last = len(points[0].chances), max(1, points[-1].line)

    def at(point: CurvePoint, seat: int) -> str:
        return f"{EDGE + WIDE * point.line / last:.1f},{EDGE + HIGH * (1 - point.chances[seat]):.1f}"

    lines = [
        f'<polyline fill="none" stroke="{COLOURS[seat % len(COLOURS)]}" points="{points_of_seat}"><title>seat {seat}</title></polyline>'
        for seat, points_of_seat in enumerate(" ".join(at(point, seat) for point in points) for seat in range(seats))
    ]
    half = EDGE + HIGH // 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE + 2 * EDGE} {HIGH + 2 * EDGE}" role="img">',
            f'<path d="M{EDGE} {EDGE}v{HIGH}h{WIDE}M{EDGE} {half}h{WIDE}" fill="none" stroke="#888" stroke-dasharray="2 3"/>',
            *lines,
            "</svg>\n",
        ]
    )
