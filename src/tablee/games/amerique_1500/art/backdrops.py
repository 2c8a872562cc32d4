"""The land behind a card's drawing: sky, ground and plants, without ink so that the drawing stands out."""

from __future__ import annotations

from tablee.games.amerique_1500.art.shapes import Svg, dot, put, shape, slab, stroke, symbol, use


def sky(fill: str = "sky") -> Svg:
    return slab(0, 0, 100, 100, fill, edge=False)


def sun(x: float = 80, y: float = 20, radius: float = 10) -> Svg:
    return dot(x, y, radius, "sun", edge=False)


def ground(fill: str, height: float = 72) -> Svg:
    return shape(f"M0 {height + 4}Q28 {height - 6} 56 {height + 1}T100 {height - 2}V100H0Z", fill, edge=False)


def hill(fill: str, height: float = 62) -> Svg:
    return shape(f"M0 {height}Q22 {height - 14} 46 {height - 2}T100 {height - 8}V100H0Z", fill, edge=False)


def field() -> Svg:
    furrows = "".join(stroke(f"M{x} 100Q{50 + (x - 50) * 0.55} 88 {50 + (x - 50) * 0.35} 78", "furrow", 2) for x in (-6, 20, 50, 80, 106))
    return sky() + sun() + hill("far") + ground("grass", 74) + furrows


def peak(x: float, y: float, size: float = 1) -> Svg:
    mountain = shape("M-34 60L-6 6Q0 0 6 6L34 60Z", "peak", edge=False)
    return put(mountain + shape("M-15 23L-6 6Q0 0 6 6L15 23L8 19L2 26L-5 19Z", "snow", edge=False), x, y, size)


def mountains() -> Svg:
    return sky() + sun(16, 18, 9) + peak(76, 14) + peak(34, 24, 0.9) + ground("grass", 74)


def pine(x: float, y: float, size: float = 1, fill: str = "pine") -> Svg:
    """Draw a conifer that stands on (x, y), 40 high."""
    return put(shape("M0 -40L9 -24H5L13 -11H7L15 0H-15L-7 -11H-13L-5 -24H-9Z", fill, edge=False), x, y, size)


def woods() -> Svg:
    row = "".join(pine(x, 74, size) for x, size in ((6, 1.2), (24, 0.9), (42, 1.1), (60, 0.85), (78, 1.15), (96, 0.95)))
    return sky() + sun(70, 18, 9) + row + ground("grass", 74)


def waves(top: float, rows: int, ink: str = "wave") -> Svg:
    """Draw rows of short waves from `top` down, every second row offset."""
    wave = "q5 -4 10 0t10 0"
    lines = "".join(f"M{start} {top + row * 9}{wave}" for row in range(rows) for start in range(-4 - row % 2 * 18, 100, 36))
    return stroke(lines, ink, 1.6)


def water(top: float, fill: str = "water") -> Svg:
    return slab(0, top, 100, 100 - top, fill, edge=False) + waves(top + 8, int((96 - top) // 9))


def lake() -> Svg:
    return sky() + sun(78, 18, 9) + hill("far", 46) + water(44)


def under_water(fill: str) -> Svg:
    """Draw the water below the surface, behind fish."""
    weed = "c-5 -8 5 -14 0 -24c-4 -7 3 -10 0 -16"
    weeds = stroke(f"M12 100{weed}M20 104{weed}M88 101{weed}M94 106{weed}", "weed", 4)
    bubbles = "".join(
        dot(x, y, radius, "wave", edge=False) for x, y, radius in ((18, 30, 2.5), (23, 22, 1.8), (84, 26, 2.2), (80, 17, 1.5))
    )
    bottom = shape("M0 92Q24 84 52 91T100 88V100H0Z", "sand", edge=False)
    return sky(fill) + shape("M0 0H100V10Q87 15 75 10T50 10T25 10T0 10Z", "sky", edge=False) + weeds + bubbles + bottom


def berg(x: float, y: float, size: float = 1) -> Svg:
    block = shape("M-22 0L-14 -16L-4 -20L2 -13L12 -18L22 0Z", "snow", edge=False)
    return put(block + shape("M2 -13L12 -18L22 0H8Z", "ice", edge=False), x, y, size)


def ice() -> Svg:
    """Draw the Arctic coast in winter: open water behind, snow in front."""
    sea = slab(0, 48, 100, 30, "water", edge=False)
    return sky() + sun(20, 22, 8) + sea + berg(24, 50, 0.9) + berg(76, 50, 1.1) + waves(58, 2) + ground("snow", 70)


def tundra() -> Svg:
    patches = shape("M8 84q12 -5 26 0q-12 4 -26 0M66 91q10 -4 22 0q-10 4 -22 0M70 63q8 -4 18 -1q-8 4 -18 1", "snow", edge=False)
    return sky() + sun(78, 20, 8) + hill("far", 60) + ground("moss", 70) + patches


def shore() -> Svg:
    return sky() + sun(78, 18, 9) + water(40, "deep") + shape("M0 66Q30 56 58 66T100 62V100H0Z", "sand", edge=False)


def night() -> Svg:
    stars = "".join(
        dot(x, y, 1.1, "snow", edge=False) for x, y in ((10, 14), (26, 8), (40, 18), (58, 8), (74, 16), (90, 9), (92, 30), (8, 34))
    )
    return sky("night") + dot(82, 22, 7, "sun", edge=False) + stars + ground("dusk", 74)


def fair() -> Svg:
    """Draw the open ground on which people meet."""
    return sky("dawn") + sun(50, 16, 10) + hill("far", 52) + ground("grass", 66)


def pond() -> Svg:
    return lake() + ground("grass", 80)


BACKDROPS = {
    "field": field,
    "mountains": mountains,
    "woods": woods,
    "lake": lake,
    "pond": pond,
    "river": lambda: under_water("water"),
    "sea": lambda: under_water("deep"),
    "ice": ice,
    "tundra": tundra,
    "shore": shore,
    "night": night,
    "fair": fair,
}


def backdrop(key: str) -> Svg:
    """Show one of the lands, behind the drawing that follows."""
    return use(f"backdrop-{key}", 0, 0, 100)


def symbols() -> list[str]:
    return [symbol(f"backdrop-{key}", draw()) for key, draw in BACKDROPS.items()]
