"""Cards of building materials: wood and stone."""

from __future__ import annotations

from tablee.games.amerique_1500.art import backdrops
from tablee.games.amerique_1500.art.backdrops import backdrop
from tablee.games.amerique_1500.art.shapes import Svg, oval, put, shape, slab, stick, stroke


def conifer(x: float, y: float, size: float = 1) -> Svg:
    """Draw a fir that stands on (x, y), 70 high."""
    trunk = slab(-4, -10, 8, 10, "bark")
    tiers = "".join(shape(d, "pine") for d in ("M0 -44L24 -10H-24Z", "M0 -58L19 -28H-19Z", "M0 -72L14 -44H-14Z"))
    return put(trunk + tiers, x, y, size)


def broadleaf(x: float, y: float, size: float = 1, fill: str = "leaf") -> Svg:
    trunk = stick("M0 0V-30M0 -18L10 -30M0 -22L-9 -32", "bark", 5)
    crown = shape("M-8 -26C-26 -24 -30 -42 -20 -48C-22 -62 -6 -68 2 -61C14 -68 28 -58 23 -46C32 -38 24 -24 10 -27Q0 -22 -8 -26Z", fill)
    return put(trunk + crown, x, y, size)


def crown(x: float, y: float, size: float) -> Svg:
    puffs = shape("M-18 6C-26 4 -24 -8 -15 -8C-15 -18 -1 -20 3 -13C12 -18 22 -10 18 -2C24 4 18 10 10 8C6 12 -12 12 -18 6Z", "moss")
    return put(puffs + stroke("M-10 -3q4 -5 9 -2M4 2q4 -4 8 -1", "sprout", 2.2), x, y, size)


def grove() -> Svg:
    """Draw queñua trees of the high Andes: red, twisted trunks under small crowns."""
    near = stick("M62 94C74 78 52 68 62 46M63 64Q76 58 80 48M60 72Q50 66 48 60", "clay", 6.5)
    far = stick("M22 88C16 76 28 68 22 54M23 68Q32 64 34 58", "clay", 5)
    return backdrop("mountains") + far + crown(22, 50, 0.9) + near + crown(48, 56, 0.62) + crown(82, 46, 0.85) + crown(60, 34, 1.25)


def forest() -> Svg:
    return backdrop("woods") + conifer(22, 88, 0.98) + conifer(82, 84, 0.86) + broadleaf(52, 94, 1.12)


def driftwood() -> Svg:
    trunk = stick("M12 82C30 72 46 78 62 66S84 54 92 56M44 74C46 62 40 56 44 46M66 64C70 52 78 48 78 38M26 76L18 64", "stone", 9)
    grain = stroke("M20 79C32 74 44 77 58 69M70 61q8 -4 16 -4", "slate", 1.8)
    other = stick("M40 92C56 86 70 90 88 82M66 88L76 94", "tan", 7)
    return backdrop("shore") + trunk + grain + other + stroke("M2 60q6 -4 12 0t12 0", "snow", 2.4)


def birch(x: float, width: float) -> Svg:
    trunk = shape(f"M{x} -4Q{x + 2} 50 {x - 2} 104H{x + width + 2}Q{x + width - 2} 50 {x + width} -4Z", "snow")
    long = width * 0.4
    marks = "".join(f"M{x + (1 if row % 2 else width - long - 1)} {10 + row * 14}h{long}" for row in range(7))
    return trunk + stroke(marks, width=2.6)


def birch_bark() -> Svg:
    roll = slab(44, 56, 46, 26, "tan", soft=3, turn=-8) + put(
        oval(0, 0, 7, 13, "cream") + stroke("M0 6C-4 4 -4 -5 0 -6C3 -5 3 2 0 2"), 45, 72, 1, -8
    )
    marks = stroke("M60 62l7 -1M72 70l8 -1M62 76l7 -1M80 58l5 -1", "bark", 2.4) + stroke("M56 58l4 24M78 54l4 24", "red", 2.6)
    return backdrop("woods") + birch(10, 20) + birch(78, 12) + roll + marks


def block(x: float, y: float, width: float, height: float, fill: str = "stone") -> Svg:
    return slab(x, y, width, height, fill, soft=3) + stroke(f"M{x + 4} {y + 4}h{width * 0.4}", "snow", 1.8)


def quarry() -> Svg:
    cliff = shape("M0 40L14 22L30 28L40 12L58 24L64 44L100 60V100H0Z", "peak", edge=False) + stroke(
        "M14 22L20 40L12 54M40 12L44 34L36 48M58 24L54 40", "slate", 1.8
    )
    wall = (
        block(34, 74, 26, 18)
        + block(62, 74, 30, 18, "snow")
        + block(46, 56, 30, 17)
        + block(8, 78, 24, 15, "snow")
        + block(56, 40, 18, 15, "snow")
    )
    hammer = put(stick("M0 0L20 20", "wood", 4) + oval(0, 0, 9, 7, "slate", turn=45), 16, 54)
    return backdrops.sky() + backdrops.sun(82, 18, 10) + cliff + backdrops.ground("grass", 86) + wall + hammer


def lamp(x: float, y: float, size: float = 1) -> Svg:
    """Draw a qulliq, the half-moon lamp of soapstone, its wick of moss alight."""
    flames = "".join(
        shape(f"M{dx} 0C{dx - 5} -4 {dx - 2} -9 {dx} -14C{dx + 2} -9 {dx + 5} -4 {dx} 0Z", "fire") for dx in (-22, -11, 0, 11, 22)
    )
    bowl = shape("M-36 -2H36C34 14 18 20 0 20S-34 14 -36 -2Z", "slate") + oval(0, -2, 36, 5, "stone")
    return put(bowl + put(flames, 0, -1) + stroke("M-20 10q20 8 40 0", "stone", 2), x, y, size)


def soapstone() -> Svg:
    lump = (
        shape("M54 92L50 74L62 60L80 58L94 70L96 92Z", "slate") + shape("M62 60L80 58L94 70L76 76L50 74Z", "stone") + stroke("M76 76L78 92")
    )
    return backdrop("ice") + put(lump, -2, -22, 0.96) + lamp(44, 74, 1.05)


def arrowhead(x: float, y: float, size: float = 1, turn: float = 0, fill: str = "slate") -> Svg:
    """Draw a knapped point, notched where the shaft is bound."""
    point = shape("M0 -28C9 -18 13 -6 13 4L7 8L11 16Q0 11 -11 16L-7 8L-13 4C-13 -6 -9 -18 0 -28Z", fill)
    return put(point + stroke("M0 -24V6M0 -8L8 -6M0 -2L-8 0", "smoke", 1.6), x, y, size, turn)


def flint() -> Svg:
    nodule = shape("M8 76C6 62 18 54 30 56C42 52 52 62 50 74C52 86 42 90 30 89C16 91 8 86 8 76Z", "cream") + shape(
        "M17 75C17 66 26 62 34 65C42 66 43 74 39 80C32 84 18 84 17 75Z", "slate"
    )
    chips = shape("M54 92l9 -6l6 6ZM80 92l9 -7l4 7Z", "slate")
    return (
        backdrop("shore")
        + nodule
        + stroke("M23 71l7 3M29 78l6 -4", "smoke", 1.8)
        + arrowhead(73, 64, 1.2, 12)
        + arrowhead(38, 38, 1.05, -16, "clay")
        + chips
    )


CARDS = {
    "grove": grove,
    "forest": forest,
    "driftwood": driftwood,
    "birch_bark": birch_bark,
    "quarry": quarry,
    "soapstone": soapstone,
    "flint": flint,
}
