"""The three special cards, on which people meet: a feast, good neighbours, an exchange."""

from __future__ import annotations

from tablee.games.amerique_1500.art import backdrops
from tablee.games.amerique_1500.art.backdrops import backdrop
from tablee.games.amerique_1500.art.goods import small
from tablee.games.amerique_1500.art.people import standing
from tablee.games.amerique_1500.art.shapes import Svg, dot, flame, oval, put, shape, stick, stroke


def drum(x: float, y: float, size: float = 1) -> Svg:
    body = shape("M-18 0V16C-18 24 18 24 18 16V0Z", "clay") + stroke("M-18 14L-9 3L0 18L9 3L18 14", "cream", 2)
    return put(body + oval(0, 0, 18, 6, "cream"), x, y, size)


def feast() -> Svg:
    logs = stick("M34 92L62 86M38 86L66 92", "bark", 5)
    fire = put(logs, 0, -3) + flame(50, 86, 1.3)
    return (
        backdrop("night")
        + standing("incas", 16, 84, 0.6)
        + standing("algonquiens", 84, 84, 0.6)
        + fire
        + drum(20, 88, 0.62)
        + bowl_of_food(80, 93)
    )


def bowl_of_food(x: float, y: float) -> Svg:
    heap = dot(-6, -8, 5, "corn") + dot(5, -8, 5, "red") + dot(0, -11, 5, "berry")
    return put(heap + shape("M-15 -7H15C14 3 8 6 0 6S-14 3 -15 -7Z", "wood"), x, y)


def neighbours() -> Svg:
    row = (("inuits", 14, 0), ("incas", 38, 4), ("iroquois", 62, 4), ("algonquiens", 86, 0))
    people = "".join(standing(society, x, 76 + down, 0.66) for society, x, down in row)
    gifts = "".join(small(good, x, 76, 20.6) for good, x in (("F", 4), ("C", 28), ("W", 52), ("G", 76)))
    return backdrop("fair") + people + gifts


def exchange() -> Svg:
    mat = shape("M4 34H96V91H4Z", "tan") + stroke("M6 88H94", "red", 3) + stroke("M36.5 40v46", width=2.4)
    fringe = stroke("".join(f"M{x} 91v5M{x} 34v-4" for x in range(8, 96, 7)), width=1.4)
    two = "".join(small(good, x, y, 24.5) for good, x, y in (("M", 9, 37), ("F", 9, 61)))
    four = "".join(small(good, x, y, 24.5) for good, x, y in (("W", 42, 37), ("S", 67, 37), ("C", 42, 61), ("G", 67, 61)))
    arrow = shape("M28 20C42 8 58 8 70 16L72 9L84 24L65 28L67 22C56 16 44 17 34 26Z", "red")
    return backdrops.sky("dawn") + mat + fringe + two + four + arrow


CARDS = {"feast": feast, "neighbours": neighbours, "exchange": exchange}
