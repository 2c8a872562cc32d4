"""The grass under the tiles: one pattern for the whole map, independent of the tiles, so that meadows continue across borders."""

from __future__ import annotations

from math import cos, pi, sin

from tablee.games.mayflower.art.geometry import Line, Point, short
from tablee.games.mayflower.art.layout import seeded_rng

WIDE, HIGH = 430, 370  # no multiple of a tile, so neighbouring tiles never look alike


def meadow() -> str:
    """Return the pattern `meadow`, to fill a rectangle in map coordinates."""
    washes = "".join(_everywhere(_wash(number), "wash-b" if number % 2 else "wash-a") for number in range(11))
    tufts = f'<path class="grass" d="{"".join(_tuft(x, y, size) for x, y, size in _sown())}"/>'
    ground = f'<rect class="ground" width="{WIDE}" height="{HIGH}"/>'
    return f'<pattern id="meadow" width="{WIDE}" height="{HIGH}" patternUnits="userSpaceOnUse">{ground}{washes}{tufts}</pattern>'


def _wash(number: int) -> Line:
    """Return the outline of a random blot in another shade of green."""
    rng = seeded_rng("meadow", f"wash {number}")
    x, y, radius = rng.uniform(0, WIDE), rng.uniform(0, HIGH), rng.uniform(30, 70)
    reach = [radius * rng.uniform(0.65, 1.15) for _ in range(8)]
    return [(x + 1.5 * r * cos(pi * i / 4), y + 0.8 * r * sin(pi * i / 4)) for i, r in enumerate(reach)]


def _everywhere(ring: Line, kind: str) -> str:
    """Return the blot as an SVG path, repeated at the opposite side of the pattern where it crosses an edge, so that the pattern tiles."""
    moves = [(dx, dy) for dx in (-WIDE, 0, WIDE) for dy in (-HIGH, 0, HIGH) if _touches(ring, dx, dy)]
    return f'<path class="{kind}" d="{"".join(_smooth([(x + dx, y + dy) for x, y in ring]) for dx, dy in moves)}"/>'


def _touches(ring: Line, dx: float, dy: float) -> bool:
    xs, ys = [x + dx for x, _ in ring], [y + dy for _, y in ring]
    return min(xs) < WIDE + 20 and max(xs) > -20 and min(ys) < HIGH + 20 and max(ys) > -20


def _smooth(ring: Line) -> str:
    """Return a closed smooth curve along the ring's corners."""
    halves = [_between(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    turns = "".join(f"Q{_spot(corner)} {_spot(half)}" for corner, half in zip(ring, halves, strict=True))
    return f"M{_spot(halves[-1])}{turns}Z"


def _between(a: Point, b: Point) -> Point:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _spot(point: Point) -> str:
    return f"{short(point[0])} {short(point[1])}"


def _sown() -> list[tuple[float, float, float]]:
    """Return x, y and size of the tufts of grass, one at random in most cells of a loose grid."""
    rng = seeded_rng("meadow", "tufts")
    cells = [(x, y) for y in range(0, HIGH - 20, 24) for x in range(0, WIDE - 20, 26)]
    return [(x + rng.uniform(5, 20), y + rng.uniform(6, 19), rng.uniform(0.7, 1.2)) for x, y in cells if rng.random() < 0.7]


def _tuft(x: float, y: float, size: float) -> str:
    blades = ((-2.2, -2.0), (-0.4, -3.2), (1.6, -2.4))
    return "".join(f"M{short(x + lean * 0.5)} {short(y)}l{short(lean * size * 0.6)} {short(rise * size)}" for lean, rise in blades)
