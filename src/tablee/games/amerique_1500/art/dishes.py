"""Requests of the great fair: eight dishes, each in the vessel in which it is served."""

from __future__ import annotations

from tablee.games.amerique_1500.art.animals import fish
from tablee.games.amerique_1500.art.homes import thatch
from tablee.games.amerique_1500.art.plants import ear
from tablee.games.amerique_1500.art.shapes import Svg, dot, flame, leaf, oval, put, shape, slab, steam, stick, stroke


def joint(x: float, y: float, size: float = 1, turn: float = 0) -> Svg:
    """Draw a roast leg with its bone."""
    bone = stick("M12 0H28", "cream", 4) + dot(29, -3, 3.6, "cream") + dot(29, 3, 3.6, "cream")
    return put(bone + oval(0, 0, 16, 12, "clay") + stroke("M-8 -4q5 -5 11 -3", "blush", 2.4), x, y, size, turn)


def clay_bowl(fill: str = "clay", band: str = "cream") -> Svg:
    """Draw a wide bowl whose rim lies at height 52."""
    bowl = shape("M8 52H92C92 76 76 90 50 90S8 76 8 52Z", fill)
    return bowl + stroke("M13 66q6 -7 12 0t12 0t12 0t12 0t12 0t12 0", band, 3)


def pemmican() -> Svg:
    inside = oval(50, 52, 42, 11, "cream")
    top = "".join(dot(x, y, 5, fill) for x, y, fill in ((24, 50, "berry"), (35, 55, "red"), (38, 47, "berry"), (28, 44, "red")))
    return clay_bowl() + inside + top + joint(62, 48, 0.8, -24)


def chowder() -> Svg:
    pot = shape("M10 46C4 66 16 90 50 90S96 66 90 46Z", "earth") + stroke("M12 64Q50 74 88 64", "tan", 3)
    soup = (
        oval(50, 46, 40, 11, "sprout")
        + put(fish("snow", "slate", "slate"), 18, 14, 0.62, 0)
        + dot(30, 50, 4, "berry")
        + dot(70, 51, 4, "berry")
    )
    spoon = stick("M76 46L94 16", "wood", 4)
    return steam(38, 24, 0.9) + pot + spoon + soup


def harvest() -> Svg:
    heap = (
        ear(30, 56, 0.8, -16)
        + ear(52, 54, 0.9, 4)
        + "".join(dot(x, y, 7.5, fill) for x, y, fill in ((68, 44, "berry"), (80, 48, "berry"), (74, 36, "berry"), (14, 50, "red")))
    )
    body = (
        shape("M6 52H94L82 92H18Z", "tan")
        + stroke("M9 62H91M12 72H88M15 82H85", "earth", 2)
        + stroke("M26 54L32 92M42 54L44 92M58 54L56 92M74 54L68 92", "earth", 2)
    )
    return heap + body + slab(3, 48, 94, 9, "wood", soft=4)


def smoke() -> Svg:
    rack = stick("M14 92L20 14M86 92L80 14", "wood", 4) + stick("M8 20H92", "wood", 4)
    catch = put(fish("orange", "clay", "red"), 17, 100, 0.5, -90) + put(fish("orange", "clay", "red"), 56, 100, 0.5, -90)
    strips = "".join(shape(f"M{x} 20c-2 10 2 18 -1 28c3 3 7 3 9 0c-1 -10 2 -18 0 -28Z", "red") for x in (26, 66))
    return (
        steam(50, 70, 1)
        + rack
        + put(strips, 0, 0)
        + put(catch, 0, -42)
        + flame(50, 94, 0.6)
        + stroke("M36 94L64 90M36 90L64 94", "bark", 3.4)
    )


def stew() -> Svg:
    fire = flame(32, 97, 0.55) + flame(68, 97, 0.55) + flame(50, 98, 0.62)
    pot = shape("M14 38C6 54 12 82 50 82S94 54 86 38Z", "clay") + stroke("M12 56l8 -7l8 7l8 -7l8 7l8 -7l8 7l8 -7l8 7l8 -7", "cream", 2.6)
    food = (
        oval(50, 38, 36, 10, "earth")
        + joint(38, 34, 0.72, -30)
        + "".join(dot(x, y, 4, "corn") for x, y in ((56, 40), (64, 36), (72, 40), (60, 44), (24, 40)))
    )
    return steam(54, 20, 0.75) + fire + pot + food


def platter() -> Svg:
    board = oval(50, 66, 47, 24, "wood") + oval(50, 64, 39, 18, "tan")
    return (
        board
        + ear(30, 56, 0.56, -30)
        + ear(70, 56, 0.56, 30)
        + put(fish("snow", "slate", "slate"), 8, 20, 0.84)
        + leaf(28, 82, 18, 70)
        + leaf(76, 80, 18, -70)
    )


def banquet() -> Svg:
    mat = shape("M2 92L14 28H86L98 92Z", "rose") + stroke(
        "M4 86H96M6 77l6 5l6 -5l6 5l6 -5l6 5l6 -5l6 5l6 -5l6 5l6 -5l6 5l6 -5l6 5l6 -5l4 3", "gold", 2.4
    )
    meat = oval(28, 52, 22, 9, "wood") + joint(22, 44, 0.8, -12)
    fishes = oval(72, 50, 24, 9, "stone") + put(fish("orange", "clay", "red"), 48, 22, 0.48)
    bowl = put(
        clay_bowl("clay")
        + "".join(dot(x, 46, 9, fill) for x, fill in ((24, "berry"), (42, "berry"), (60, "berry"), (76, "corn")))
        + oval(50, 53, 42, 6, "clay"),
        28,
        36,
        0.44,
    )
    return mat + meat + fishes + bowl


def market() -> Svg:
    roof = stick("M12 92V26M88 92V26", "wood", 4) + thatch(2, 98, 6, 30)
    table = (
        slab(4, 66, 92, 9, "wood", soft=3) + shape("M10 75H90V92H10Z", "tan") + stroke("M10 84q8 -6 16 0t16 0t16 0t16 0t16 0", "red", 2.4)
    )
    goods = (
        ear(22, 66, 0.5, -10)
        + ear(34, 66, 0.54, 8)
        + joint(54, 57, 0.66)
        + put(fish("water", "deep", "deep"), 62, 36, 0.36)
        + dot(70, 60, 4, "berry")
        + dot(78, 61, 4, "berry")
        + dot(86, 61, 4, "berry")
    )
    return roof + goods + table


REQUESTS = {
    "pemmican": pemmican,
    "chowder": chowder,
    "harvest": harvest,
    "smoke": smoke,
    "stew": stew,
    "platter": platter,
    "banquet": banquet,
    "market": market,
}
