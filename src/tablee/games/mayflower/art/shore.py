"""The shoreline, in map coordinates: column 0 lies between x = 0 and 100, its start spaces follow each other southwards from y = 0.

North and south of the start spaces the sea comes up to column 1, with only a strip of beach before it.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from math import cos, pi, sin

from tablee.games.mayflower.art.geometry import Line, Point, curve
from tablee.games.mayflower.faces import Coast

STEP = 5.0
STRAND = 6.0  # the beach beyond the board
REACH = {"town": 71.0, "road": 53.0, "plain": 65.0}  # x of the shore at the middle of each kind of space
BETWEEN = 59.0  # x of the shore between two spaces
QUAY = 19.0  # distance of a town's quay from the borders of its space


@cache
def _knots(coast: Coast) -> tuple[Point, ...]:
    """Return (y, x) of the capes and bays."""
    end = 100.0 * len(coast.spaces)
    spaces = [knot for row, space in enumerate(coast.spaces) for knot in ((100.0 * row, BETWEEN), (100.0 * row + 50, REACH[space.kind]))]
    return (
        (-30, STRAND),
        (-4, 9.0),
        (14, 42.0),
        (32, 60.0),
        *spaces[1:],
        (end - 32, 60.0),
        (end - 14, 42.0),
        (end + 4, 9.0),
        (end + 30, STRAND),
    )


def shore_x(coast: Coast, y: float, rough: float = 1.0) -> float:
    """Return x of the shore at this height; `rough` 0 leaves out the small coves."""
    knots = _knots(coast)
    at = bisect_right([knot[0] for knot in knots], y)
    if at in (0, len(knots)):
        base = STRAND
    else:
        (above, left), (below, right) = knots[at - 1], knots[at]
        base = left + (right - left) * (1 - cos(pi * (y - above) / (below - above))) / 2
    coves = 2.6 * sin(y / 9.1 + 1) + 1.9 * sin(y / 4.3 + y / 31) + 1.3 * sin(y / 2.3 + 2)
    return base + rough * coves * min(1.0, base / 40)


def shore(coast: Coast, top: float, bottom: float, rough: float = 1.0, out: float = 0.0) -> Line:
    """Return the shoreline from north to south, or a line that follows it at the distance `out` at sea."""
    steps = max(1, round((bottom - top) / STEP))
    heights = (top + (bottom - top) * step / steps for step in range(steps + 1))
    return [(shore_x(coast, y, rough) + out, y) for y in heights]


def town_walls(coast: Coast, row: int) -> tuple[Line, Line]:
    """Return a coast town's two walls, between the corners of its west edge and its quay; the town lies to the right of each."""
    top, bottom = 100.0 * row, 100.0 * row + 100
    north_end, south_end = (shore_x(coast, top + QUAY), top + QUAY), (shore_x(coast, bottom - QUAY), bottom - QUAY)
    north = curve((0, top), (18, top + 13), (34, top + QUAY - 3), north_end)
    south = curve(south_end, (34, bottom - QUAY + 3), (18, bottom - 13), (0, bottom))
    return north, south


def town_ring(coast: Coast, row: int) -> Line:
    north, south = town_walls(coast, row)
    return [*north, *shore(coast, north[-1][1], south[0][1])[1:-1], *south]


def harbour_road(coast: Coast, row: int) -> Line:
    y = 100.0 * row + 50
    end = shore_x(coast, y) - 3
    return curve((0, y), (end / 2, y), (end / 2, y + 3), (end, y))


def plain_ring(coast: Coast, top: float, bottom: float) -> Line:
    return [(0, top), *shore(coast, top, bottom), (0, bottom)]
