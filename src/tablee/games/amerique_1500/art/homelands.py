"""The land of each society: a wide drawing, 200 by 100, with a dwelling, a means of travel and a person."""

from __future__ import annotations

from collections.abc import Callable

from tablee.games.amerique_1500.art import animals, backdrops, homes, items, materials
from tablee.games.amerique_1500.art.people import standing
from tablee.games.amerique_1500.art.plants import ear
from tablee.games.amerique_1500.art.shapes import Svg, put, shape, slab, stick, stroke, symbol


def wide(fill: str, top: float = 0) -> Svg:
    return slab(0, top, 200, 100 - top, fill, edge=False)


def slope(fill: str, height: float) -> Svg:
    return shape(f"M0 {height + 3}Q50 {height - 8} 100 {height}T200 {height - 2}V100H0Z", fill, edge=False)


def andes() -> Svg:
    """Draw snowy peaks over terraced fields, a stone house, llamas on the road."""
    peaks = "".join(
        backdrops.peak(x, y, size) for x, y, size in ((28, 22, 0.9), (104, 16, 1), (66, 8, 1.2), (176, 20, 1.1), (140, 6, 1.25))
    )
    steps = "".join(
        shape(f"M{110 + 7 * row} {80 - 7 * row}Q160 {72 - 7 * row} 200 {76 - 7 * row}V100H96Z", fill, edge=False) + _wall(row)
        for row, fill in ((3, "leaf"), (2, "sprout"), (1, "leaf"), (0, "sprout"))
    )
    scenery = wide("sky") + backdrops.sun(182, 14, 8) + peaks + slope("grass", 70) + steps
    return scenery + put(homes.stone_house(), 104, 38, 0.58) + put(items.llamas(), 14, 42, 0.56) + standing("incas", 90, 95, 0.52)


def _wall(row: int) -> Svg:
    return stroke(f"M{110 + 7 * row} {80 - 7 * row}Q160 {72 - 7 * row} 200 {76 - 7 * row}", "stone", 2.4)


def arctic() -> Svg:
    """Draw the frozen shore: an igloo, a sled and its dogs, a seal by the open water."""
    bergs = "".join(backdrops.berg(x, 46, size) for x, size in ((20, 0.9), (70, 1.2), (128, 0.8), (176, 1.3)))
    waves = put(backdrops.waves(52, 2), 0) + put(backdrops.waves(52, 2), 100)
    scenery = wide("sky") + backdrops.sun(36, 18, 8) + bergs + wide("water", 46) + waves + slope("snow", 66)
    return (
        scenery
        + put(homes.igloo(), 118, 32, 0.66)
        + put(items.sled(), 48, 48, 0.56)
        + put(animals.seal_alone(), 4, 46, 0.44)
        + standing("inuits", 110, 94, 0.52)
    )


def longhouses() -> Svg:
    """Draw a village behind its palisade, the three sisters growing before it."""
    trees = "".join(
        backdrops.pine(x, 66, size)
        for x, size in ((8, 1.2), (30, 0.9), (56, 1.2), (84, 0.9), (116, 1.1), (150, 1.2), (178, 0.95), (196, 1.2))
    )
    posts = stick("".join(f"M{x} 70V50" for x in range(3, 200, 7)), "wood", 3)
    scenery = wide("sky") + backdrops.sun(102, 16, 8) + trees + slope("grass", 64) + posts
    maize = ear(18, 94, 0.5, -8) + ear(36, 97, 0.58, 6) + ear(156, 96, 0.5, -6) + ear(174, 98, 0.56, 6)
    return scenery + put(homes.longhouse(), 56, 30, 0.62) + maize + standing("iroquois", 132, 94, 0.52)


def northern_forest() -> Svg:
    """Draw a clearing by the lake: a wigwam, birches, a canoe drawn up on the shore."""
    trees = "".join(
        backdrops.pine(x, 54, size) for x, size in ((6, 1), (26, 0.8), (48, 1.05), (120, 0.8), (140, 1.1), (166, 0.9), (190, 1.1))
    )
    birches = put(materials.birch(0, 9), 92, 0, 0.86) + put(materials.birch(0, 7), 184, -8)
    shore = shape("M70 100C84 74 120 66 200 68V100Z", "grass", edge=False)
    scenery = wide("sky") + backdrops.sun(74, 16, 8) + trees + wide("water", 54) + put(backdrops.waves(62, 4), 0) + shore + birches
    return scenery + put(homes.wigwam(), 114, 36, 0.6) + put(items.canoe(), 14, 44, 0.6) + standing("algonquiens", 106, 95, 0.52)


def somewhere() -> Svg:
    return wide("sky") + backdrops.sun(160, 20, 10) + slope("far", 60) + slope("grass", 74)


LANDS: dict[str, Callable[[], Svg]] = {"incas": andes, "inuits": arctic, "iroquois": longhouses, "algonquiens": northern_forest}


def land_of(society: str) -> str:
    return symbol(f"land-{society}", LANDS.get(society, somewhere)(), 200, 100)
