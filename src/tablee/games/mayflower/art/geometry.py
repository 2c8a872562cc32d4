"""Geometry on a tile of 100 by 100, y downwards: a line is a list of points, sampled finely enough to look curved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import atan2, cos, dist, hypot, pi, sin
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:  # where NumPy is not installed, prepared drawings take the place of what needs it
    from tablee.core.optional_numpy import np

    Floats = Any

Point = tuple[float, float]
Line = list[Point]

SIZE = 100.0
CENTRE: Point = (50.0, 50.0)
CORNERS: tuple[Point, ...] = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))  # edge i runs from corner i to corner i + 1
MIDDLES: tuple[Point, ...] = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
STEPS = 13  # points per curve


def turned(line: Line, quarters: int) -> Line:
    """Return the line turned clockwise about the middle of the tile."""
    for _ in range(quarters % 4):
        line = [(SIZE - y, x) for x, y in line]
    return line


def curve(*controls: Point) -> Line:
    """Sample cubic Bézier curves joined end to end: a start, then two handles and an end for each."""
    line = [controls[0]]
    for i in range(0, len(controls) - 1, 3):
        line += [_bezier(controls[i : i + 4], step / STEPS) for step in range(1, STEPS + 1)]
    return line


def _bezier(controls: Sequence[Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, controls, strict=True)) for axis in (0, 1))
    return (x, y)


def circle(centre: Point, radius: float, start: float = 0.0, points: int = 24) -> Line:
    """Return a circle, clockwise on the page and open: the first point is not repeated."""
    angles = (start + 2 * pi * step / points for step in range(points))
    return [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles]


def beside(line: Line, offset: float) -> Line:
    """Return the line moved by `offset` to its right-hand side."""
    moved = []
    for i, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
        length = hypot(bx - ax, by - ay) or 1.0
        moved.append((x - offset * (by - ay) / length, y + offset * (bx - ax) / length))
    return moved


def along(line: Line, share: float) -> Point:
    """Return the point at a share of the line's length."""
    left = share * length(line)
    for a, b in pairwise(line):
        step = dist(a, b)
        if left <= step and step:
            return (a[0] + (b[0] - a[0]) * left / step, a[1] + (b[1] - a[1]) * left / step)
        left -= step
    return line[-1]


def length(line: Line) -> float:
    return sum(dist(a, b) for a, b in pairwise(line))


def heading(a: Point, b: Point) -> float:
    return atan2(b[1] - a[1], b[0] - a[0])


def area(ring: Line) -> float:
    """Return the signed area: positive where the ring runs clockwise on the page."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)) / 2


def spread(points: Sequence[Point]) -> Floats:
    return np.array(points, dtype=np.float64).reshape(-1, 2)


@cache
def grid(step: float) -> Floats:
    """Return a grid of points over the whole tile."""
    ticks = np.arange(step, SIZE, step)
    points = np.array([(x, y) for y in ticks for x in ticks], dtype=np.float64)
    points.flags.writeable = False
    return points


def distances(points: Floats, line: Line) -> Floats:
    """Return the distance of each point from the line."""
    ends = spread(line)
    (ax, ay), (sx, sy) = ends[:-1].T, np.diff(ends, axis=0).T
    x, y = points[:, 0, None] - ax, points[:, 1, None] - ay
    share = np.clip((x * sx + y * sy) / np.maximum(sx**2 + sy**2, 1e-9), 0.0, 1.0)
    nearest: Floats = np.sqrt(((x - share * sx) ** 2 + (y - share * sy) ** 2).min(axis=1))
    return nearest


def inside(points: Floats, ring: Line) -> NDArray[np.bool_]:
    """Return which points lie in the ring (even-odd)."""
    found = np.zeros(len(points), dtype=bool)
    x, y = points[:, 0], points[:, 1]
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if ay != by:
            crosses = (ay > y) != (by > y)
            found ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return found


def path(line: Line, closed: bool = False) -> str:
    """Return the line as the `d` of an SVG path, to a tenth of a unit."""
    spots: list[str] = []
    for x, y in line:
        spot = f"{short(x)} {short(y)}"
        if not spots or spots[-1] != spot:
            spots.append(spot)
    return f"M{'L'.join(spots)}{'Z' if closed else ''}"


def short(number: float) -> str:
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text not in ("-0.0", "0.0") else "0"
