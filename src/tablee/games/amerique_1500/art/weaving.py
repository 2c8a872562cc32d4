"""Signs of the four societies: a border from weaving, sewing, bead or bark work, and an emblem recognisable by its shape alone."""

from __future__ import annotations

from collections.abc import Callable

from tablee.games.amerique_1500.art.shapes import Svg, colour, dot, oval, put, shape, slab, stick, stroke, symbol

WIDE, HIGH = 32, 16  # one repeat of a border


def _steps() -> Svg:
    """Draw Andean weaving: a stair that climbs and descends, and a square with a square inside."""
    stair = shape("M0 16V12H4V8H8V4H12V0H16V4H20V8H24V12H28V16Z", "red", edge=False)
    return (
        slab(0, 0, WIDE, HIGH, "incas", edge=False)
        + stair
        + slab(10, 9, 8, 5, "gold", edge=False)
        + slab(28, 1, 8, 6, "gold", edge=False)
        + slab(-4, 1, 8, 6, "gold", edge=False)
    )


def _points() -> Svg:
    """Draw sealskin sewing: dark points and bands let into light skin."""
    points = shape("M0 4L4 11H-4ZM8 4L12 11H4ZM16 4L20 11H12ZM24 4L28 11H20ZM32 4L36 11H28Z", "slate", edge=False)
    return (
        slab(0, 0, WIDE, HIGH, "inuits", edge=False)
        + slab(0, 0, WIDE, 2, "slate", edge=False)
        + points
        + slab(0, 13, WIDE, 1.6, "deep", edge=False)
    )


def _beads() -> Svg:
    """Draw shell beads strung in rows: a light diamond on dark ground, bead by bead."""
    beads = [(column, row) for row in range(5) for column in range(8)]
    light = [(column, row) for column, row in beads if abs(column - 3.5) + abs(row - 2) < 3]
    return slab(0, 0, WIDE, HIGH, "ink", edge=False) + _strung(sorted(set(beads) - set(light)), "iroquois") + _strung(light, "snow")


def _strung(beads: list[tuple[int, int]], fill: str) -> Svg:
    return stroke("".join(f"M{column * 4 + 1.3:g} {row * 3.2 + 1.6:.3g}h1.4" for column, row in beads), fill, 2.3)


def _curves() -> Svg:
    """Draw double curves: two tendrils that turn away from one another."""
    curve = "M16 15V11M16 11C10 11 5 9 5 5.5C5 2.5 9.5 2.5 9.5 5M16 11C22 11 27 9 27 5.5C27 2.5 22.5 2.5 22.5 5"
    return (
        slab(0, 0, WIDE, HIGH, "algonquiens", edge=False)
        + stroke(curve, "cream", 1.8)
        + dot(16, 5.5, 1.8, "cream", edge=False)
        + dot(0, 11.5, 1.7, "gold", edge=False)
        + dot(32, 11.5, 1.7, "gold", edge=False)
    )


def _plain() -> Svg:
    return slab(0, 0, WIDE, HIGH, "wood", edge=False) + stroke("M0 8H32", "cream", 2)


def _cross() -> Svg:
    """Draw the stepped cross of the Andes."""
    return shape("M17 4H31V11H38V17H44V31H38V37H31V44H17V37H10V31H4V17H10V11H17Z", "gold") + dot(24, 24, 6, "red")


def _cairn() -> Svg:
    """Draw an inuksuk, the stones that show the way."""
    feet = slab(12, 33, 9, 11, "slate", soft=2) + slab(27, 33, 9, 11, "slate", soft=2)
    return feet + slab(10, 25, 28, 8.5, "stone", soft=3) + slab(4, 17, 40, 8.5, "slate", soft=3) + slab(16, 4, 16, 12.5, "stone", soft=4)


def _tree() -> Svg:
    """Draw the white pine under which the nations made peace."""
    roots = stroke("M24 42L12 46M24 42L36 46M24 42V46", width=2.6)
    return roots + slab(21, 34, 6, 9, "bark") + shape("M24 2L32 13H29L37 23H33L42 35H6L15 23H11L19 13H16Z", "pine")


def _boat() -> Svg:
    """Draw a canoe of birch bark."""
    hull = shape("M2 17C6 18 8 22 11 24Q24 27 37 24C40 22 42 18 46 17C47 28 42 35 37 37Q24 40 11 37C6 35 1 28 2 17Z", "tan")
    return stick("M20 26L32 6", "wood", 2) + hull + stroke("M9 26Q24 31 39 26M14 30v6M24 31v7M34 30v6", "bark", 1.8)


def _seed() -> Svg:
    return oval(24, 24, 16, 16, "cream")


BORDERS: dict[str, Callable[[], Svg]] = {"incas": _steps, "inuits": _points, "iroquois": _beads, "algonquiens": _curves}
EMBLEMS: dict[str, Callable[[], Svg]] = {"incas": _cross, "inuits": _cairn, "iroquois": _tree, "algonquiens": _boat}
RIMS = {"incas": "3 3", "inuits": "0.1 4", "iroquois": "7 2.5 1 2.5", "algonquiens": "9 4"}  # dashes around a disc


def ground(society: str) -> str:
    """Return the society's colour; wood for one that an owner adds."""
    return society if society in BORDERS else "wood"


def pattern(society: str) -> str:
    """Return a fill pattern for a strip 16 high: `<rect height="16" fill="url(#border-incas)"/>`."""
    tile = BORDERS.get(society, _plain)()
    size = f'width="{WIDE}" height="{HIGH}"'
    return f'<pattern id="border-{society}" {size} patternUnits="userSpaceOnUse" fill="none" stroke-linecap="round">{tile}</pattern>'


def emblem(society: str) -> Svg:
    """Draw the society's emblem, 48 by 48."""
    return EMBLEMS.get(society, _seed)()


def rim(society: str, radius: float, width: float) -> Svg:
    dashes = RIMS.get(society, "1 0")
    thread = colour("slate" if society == "inuits" else "cream")
    return f'<circle cx="24" cy="24" r="{radius}" stroke="{thread}" stroke-width="{width}" stroke-dasharray="{dashes}"/>'


def disc(society: str) -> Svg:
    """Draw a disc of 48 by 48: colour, a rim with its own dashes, the emblem."""
    return (
        dot(24, 24, 22.5, ground(society))
        + rim(society, 18.4, 1.4)
        + dot(24, 24, 14, "cream", edge=False)
        + put(emblem(society), 11, 11, 0.54)
    )


def pawn(society: str) -> Svg:
    """Draw the player's pawn, 40 by 56, with the emblem on its body."""
    base = shape("M6 52C6 44 12 42 13 36L16 24H24L27 36C28 42 34 44 34 52Q20 56 6 52Z", ground(society))
    return base + dot(20, 14, 11, ground(society)) + put(emblem(society), 11.5, 31, 0.36)


def back(society: str) -> Svg:
    """Draw the back of a card, 64 by 96."""
    strip = f'<path d="M0 0H64V16H0ZM0 80H64V96H0Z" fill="url(#border-{society})"/>'
    return slab(0, 0, 64, 96, ground(society), edge=False) + strip + dot(32, 48, 23, "cream") + put(emblem(society), 13, 29, 0.79)


def symbols(society: str) -> list[str]:
    return [
        symbol(f"emblem-{society}", emblem(society), 48, 48),
        symbol(f"disc-{society}", disc(society), 48, 48),
        symbol(f"pawn-{society}", pawn(society), 40, 56),
        symbol(f"back-{society}", back(society), 64, 96),
    ]
