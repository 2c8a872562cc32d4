"""Items of the craft boards: tools and means of travel, without a backdrop."""

from __future__ import annotations

from tablee.games.amerique_1500.art.animals import camel
from tablee.games.amerique_1500.art.materials import arrowhead
from tablee.games.amerique_1500.art.shapes import Svg, dot, oval, put, shape, slab, stick, stroke


def binding(x: float, y: float, turn: float, fill: str = "cream") -> Svg:
    """Draw the cord that ties a head to its handle."""
    return put(slab(-5, -7, 10, 14, fill, soft=2) + stroke("M-5 -2.5H5M-5 2.5H5", width=1.5), x, y, 1, turn)


def bow() -> Svg:
    arch = stick("M24 8C62 16 84 38 92 76", "wood", 5.5)
    string = stroke("M24 8L92 76", "smoke", 2)
    arrow = stick("M14 86L72 28", "tan", 2.6) + put(arrowhead(0, 0, 0.62), 76, 24, 1, 45)
    feathers = shape("M14 86L6 84L16 74L24 76ZM14 86L16 94L26 84L24 76Z", "red")
    return string + arrow + feathers + arch + put(slab(-4, -8, 8, 16, "red", soft=2), 68, 32, 1, -45)


def basket() -> Svg:
    handle = stick("M20 48C20 0 80 0 80 48", "wood", 4)
    body = shape("M12 46H88L78 90Q50 96 22 90Z", "tan")
    weave = stroke("M15 58Q50 64 85 58M18 70Q50 76 82 70M20 82Q50 88 80 82M32 48L36 92M50 49V94M68 48L64 92", "earth", 2)
    berries = "".join(dot(x, 44, 8, fill) for x, fill in ((26, "berry"), (42, "red"), (58, "berry"), (74, "red")))
    return (
        handle
        + berries
        + body
        + weave
        + slab(8, 42, 84, 9, "clay", soft=4)
        + stroke("M20 43l6 7M36 43l6 7M52 43l6 7M68 43l6 7", "cream", 2)
    )


def hoe() -> Svg:
    handle = stick("M20 92L68 22", "wood", 6)
    blade = shape("M60 14L76 12C92 24 96 44 90 62C80 60 70 46 62 34Z", "cream") + stroke("M80 26Q88 40 86 52", "tan", 2)
    return blade + handle + binding(66, 25, 34, "clay") + shape("M2 96C6 88 14 84 22 87C30 84 42 88 46 96Z", "earth")


def axe() -> Svg:
    handle = stick("M26 94L62 16", "wood", 7)
    head = shape("M40 24C52 18 60 20 70 26C82 30 92 42 92 56C80 58 66 54 58 46L42 40Z", "stone") + stroke(
        "M84 42Q88 50 87 54M72 34l8 6", "snow", 2
    )
    return head + handle + binding(55, 32, 25, "clay")


def harpoon() -> Svg:
    shaft = stick("M10 92L68 32", "wood", 4.6)
    point = shape("M94 6L88 26L82 23L84 30L74 34L66 28L70 18L77 19L74 14Z", "cream")
    rope = stroke("M70 30C86 46 66 54 76 64C88 76 62 88 48 78C40 72 48 62 56 68", "clay", 3)
    return rope + shaft + point + binding(40, 61, 44, "red")


def spear() -> Svg:
    shaft = stick("M8 94L66 34", "wood", 5)
    tassel = shape("M60 40L48 42L52 48L46 54L54 54L58 58Z", "red")
    return shaft + tassel + put(arrowhead(0, 0, 1.15), 76, 24, 1, 45) + binding(62, 38, 45)


def canoe() -> Svg:
    hull = shape("M4 42C10 44 14 50 18 54Q50 62 82 54C86 50 90 44 96 42C98 60 88 76 78 80Q50 86 22 80C12 76 2 60 4 42Z", "tan")
    marks = stroke("M22 62v14M36 66v14M50 67v14M64 66v14M78 62v14", "bark", 1.8) + stroke("M16 58Q50 68 84 58", "bark", 2.4)
    seams = stroke("M7 50l7 4M5 58l8 2M93 50l-7 4M95 58l-8 2", "bark", 2.2)
    paddle = stick("M38 58L66 14", "wood", 3.4) + shape("M64 20C64 10 70 2 76 2C80 8 76 18 70 24Z", "wood")
    return paddle + hull + marks + seams + stroke("M4 90q8 -5 16 0t16 0t16 0t16 0t16 0", "deep", 2.6)


def snowshoe(x: float, turn: float) -> Svg:
    net = "M-11 -22L11 -8M11 -22L-11 -8M-13 -6L13 10M13 -6L-13 10M-10 14L6 24M10 14L-6 24"
    frame = oval(0, -2, 15, 32, "cream") + stroke(net, "earth", 1.6) + stroke("M-14 -8H14M-13 12H13", "earth", 3)
    hoop = stick("M0 44V30C-12 28 -16 10 -16 -4C-16 -22 -10 -36 0 -36S16 -22 16 -4C16 10 12 28 0 30", "wood", 3.4)
    return put(frame + hoop + stroke("M-7 0Q0 -6 7 0", "red", 4), x, 48, 1.08, turn)


def snowshoes() -> Svg:
    return snowshoe(30, -10) + snowshoe(70, 10)


def kayak() -> Svg:
    paddle = stick("M26 22L74 62", "wood", 3.4) + shape("M28 26L12 18C8 12 12 8 18 12L32 22ZM72 58L88 68C92 74 88 78 82 74L68 62Z", "wood")
    hull = shape("M2 56C24 50 38 48 50 48S76 50 98 56C82 74 66 78 50 78S18 74 2 56Z", "stone")
    hole = oval(50, 55, 15, 5, "hair") + stroke("M35 56Q50 64 65 56", "cream", 2)
    return hull + stroke("M12 61Q50 76 88 61", "slate", 2.2) + hole + paddle + stroke("M4 88q8 -5 16 0t16 0t16 0t16 0t16 0", "deep", 2.6)


def dog(x: float, y: float, size: float = 1, fill: str = "stone") -> Svg:
    legs = stick("M-8 -10L-12 0M-2 -10V0M14 -10L11 0M18 -10L21 0", fill, 2.6)
    body = shape(
        "M-24 -24L-18 -28L-17 -34L-11 -29C-4 -26 6 -24 16 -24C22 -28 24 -36 30 -32C32 -26 26 -18 22 -12C14 -6 0 -6 -8 -8"
        "C-13 -12 -14 -17 -15 -19Q-22 -18 -24 -24Z",
        fill,
    )
    return put(legs + body + dot(-17, -25, 1.3, "ink", edge=False) + stroke("M-9 -27Q-5 -18 -8 -9", "red", 2.6), x, y, size)


def sled() -> Svg:
    runner = stick("M44 78C38 78 37 72 40 68M44 78H96", "wood", 3.6) + stick("M54 76V66M70 76V66M86 76V66M46 66H94M92 66V38", "wood", 3)
    load = shape("M50 64C48 52 56 48 66 50C76 44 90 50 88 64Z", "tan") + stroke("M58 50L60 64M76 48L74 64", "red", 2.6)
    trace = stroke("M20 52Q34 62 44 70", "red", 1.8) + stroke("M30 66Q36 68 42 70", "red", 1.8)
    return stroke("M2 86H98", "ice", 6) + trace + runner + load + dog(28, 60, 0.72, "slate") + dog(22, 84, 0.86, "snow")


def llamas() -> Svg:
    pack = (
        shape("M50 46C58 40 74 40 80 46L82 64Q66 70 50 64Z", "red")
        + stroke("M50 52H81M50 58H82", "gold", 2.6)
        + stroke("M58 44v24M72 44v24", "cream", 2)
    )
    return put(camel("tan") + pack, 38, 6, 0.62) + put(camel("snow") + pack, -7, 17, 0.86) + stroke("M30 46Q46 52 52 28", "red", 2)


ITEMS = {
    "bow": bow,
    "basket": basket,
    "hoe": hoe,
    "axe": axe,
    "harpoon": harpoon,
    "spear": spear,
    "canoe": canoe,
    "snowshoes": snowshoes,
    "kayak": kayak,
    "sled": sled,
    "llamas": llamas,
}
