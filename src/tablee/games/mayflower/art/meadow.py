"""The grass under the tiles: one pattern that repeats over the whole map and not with the tiles, so meadows run on across every border."""

from __future__ import annotations

from math import cos, pi, sin

from tablee.games.mayflower.art.geometry import Line, Point, short
from tablee.games.mayflower.art.layout import seeded_rng

WIDE, HIGH = 430, 370  # no multiple of a tile, so neighbouring tiles never look alike


def meadow() -> str:
    """The pattern `meadow`; fill a rectangle in map coordinates with it."""
    washes = "".join(_everywhere(_wash(number), "wash-b" if number % 2 else "wash-a") for number in range(11))
    tufts = f'<path class="grass" d="{"".join(_tuft(x, y, size) for x, y, size in _sown())}"/>'
    ground = f'<rect class="ground" width="{WIDE}" height="{HIGH}"/>'
    return f'<pattern id="meadow" width="{WIDE}" height="{HIGH}" patternUnits="userSpaceOnUse">{ground}{washes}{tufts}</pattern>'


def _wash(number: int) -> Line:
    """A blot of another green, as a brush leaves it."""
    dice = seeded_rng("meadow", f"wash {number}")
    x, y, radius = dice.uniform(0, WIDE), dice.uniform(0, HIGH), dice.uniform(30, 70)
    reach = [radius * dice.uniform(0.65, 1.15) for _ in range(8)]
    return [(x + 1.5 * r * cos(pi * i / 4), y + 0.8 * r * sin(pi * i / 4)) for i, r in enumerate(reach)]


def _everywhere(ring: Line, kind: str) -> str:
    """The blot, and again beyond each side of the pattern that it crosses."""
    moves = [(dx, dy) for dx in (-WIDE, 0, WIDE) for dy in (-HIGH, 0, HIGH) if _touches(ring, dx, dy)]
    return f'<path class="{kind}" d="{"".join(_smooth([(x + dx, y + dy) for x, y in ring]) for dx, dy in moves)}"/>'


def _touches(ring: Line, dx: float, dy: float) -> bool:
    xs, ys = [x + dx for x, _ in ring], [y + dy for _, y in ring]
    return min(xs) < WIDE + 20 and max(xs) > -20 and min(ys) < HIGH + 20 and max(ys) > -20


def _smooth(ring: Line) -> str:
    """A closed curve around the ring's corners."""
    halves = [_between(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    turns = "".join(f"Q{_spot(corner)} {_spot(half)}" for corner, half in zip(ring, halves, strict=True))
    return f"M{_spot(halves[-1])}{turns}Z"


def _between(a: Point, b: Point) -> Point:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _spot(point: Point) -> str:
    return f"{short(point[0])} {short(point[1])}"


def _sown() -> list[tuple[float, float, float]]:
    """Tufts of grass in a loose grid, each somewhere in its own bed."""
    dice = seeded_rng("meadow", "tufts")
    beds = [(x, y) for y in range(0, HIGH - 20, 24) for x in range(0, WIDE - 20, 26)]
    return [(x + dice.uniform(5, 20), y + dice.uniform(6, 19), dice.uniform(0.7, 1.2)) for x, y in beds if dice.random() < 0.7]


def _tuft(x: float, y: float, size: float) -> str:
    blades = ((-2.2, -2.0), (-0.4, -3.2), (1.6, -2.4))
    return "".join(f"M{short(x + lean * 0.5)} {short(y)}l{short(lean * size * 0.6)} {short(rise * size)}" for lean, rise in blades)
