"""Pieces of every player's board: the nature die and its bonuses, the four actions, a hand of cards, an empty place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablee.games.amerique_1500.art import backdrops
from tablee.games.amerique_1500.art.goods import SHAPES, small
from tablee.games.amerique_1500.art.items import axe
from tablee.games.amerique_1500.art.shapes import Svg, dot, put, shape, slab, stick, stroke, symbol

PIPS = {
    1: ((24, 24),),
    2: ((14, 14), (34, 34)),
    3: ((13, 13), (24, 24), (35, 35)),
    4: ((14, 14), (34, 14), (14, 34), (34, 34)),
    5: ((13, 13), (35, 13), (24, 24), (13, 35), (35, 35)),
    6: ((14, 12), (34, 12), (14, 24), (34, 24), (14, 36), (34, 36)),
}


def die(face: int) -> Svg:
    """Draw a die, 48 by 48: faces 1 to 3 leaf green, for everybody, 4 to 6 gold, for one (A7); face 0 is not thrown yet."""
    if face == 0:
        asks = stroke("M17 18C17 8 32 9 31 18C31 24 24 23 24 30M24 37.5v.3", "ink", 4.4)
        return slab(2, 2, 44, 44, "cream", soft=9) + asks
    return slab(2, 2, 44, 44, "sprout" if face <= 3 else "corn", soft=9) + "".join(dot(x, y, 4.4, "ink", edge=False) for x, y in PIPS[face])


def card(x: float, y: float, turn: float = 0, size: float = 1) -> Svg:
    """Draw a small card face down, 16 by 22 around (x, y)."""
    return put(slab(-8, -11, 16, 22, "cream", soft=2.5) + shape("M0 -6L5 0L0 6L-5 0Z", "red"), x, y, size, turn)


def person(x: float, y: float, fill: str) -> Svg:
    """Draw a head and shoulders that stand on (x, y)."""
    return put(shape("M-8 0C-8 -9 8 -9 8 0Z", fill) + dot(0, -12, 5, fill), x, y)


def crowd(everybody: bool) -> Svg:
    if not everybody:
        return person(12, 25, "gold")
    return put(person(5, 21, "stone") + person(19, 21, "stone"), 0, 2) + person(12, 26, "gold")


FIELD, THING = 62, 30  # width beside the people, and width of a cube or a card


def bonus(face: Mapping[str, Any]) -> Svg:
    """Draw the bonus of a face, 96 by 32: one person or several, then cubes, cards or the four foods."""
    things = [small(good, 0, 0, 28) for good in face.get("goods", "") if good in SHAPES]
    things += [card(13, 16, 0, 1.15)] * int(face.get("cards", 0))
    things += [any_food()] * int(face.get("food", 0))
    step = min(30, (FIELD - THING) / max(len(things) - 1, 1))  # the last one ends inside the drawing
    return put(crowd(bool(face.get("all"))), 3, 2) + "".join(put(thing, 32 + step * i, 2) for i, thing in enumerate(things))


def any_food() -> Svg:
    """Draw a cube in the colours of the four foods, for a food of choice."""
    quarters = (("G", "M2 4h12v12h-12Z"), ("M", "M14 4h12v12h-12Z"), ("F", "M2 16h12v12h-12Z"), ("C", "M14 16h12v12h-12Z"))
    mark = stroke("M10.5 12.5C10.5 7.5 18 8 17.5 12.5C17.5 15.5 14 15.5 14 19M14 23.2v0.2", "cream", 3)
    return "".join(shape(d, f"good-{good}", edge=False) for good, d in quarters) + stroke("M2 4h24v24h-24Z") + mark


def explore() -> Svg:
    path = shape("M34 100C50 86 30 78 48 68C56 63 52 58 50 55L56 55C62 62 66 66 58 73C48 82 78 88 74 100Z", "sand", edge=False)
    prints = "".join(
        put(shape("M0 0C-4 -1 -5 -8 0 -10S5 -1 0 0Z", "earth"), x, y, size, turn)
        for x, y, size, turn in ((46, 96, 1.1, -12), (58, 90, 1, 14), (46, 82, 0.9, 10))
    )
    return (
        backdrops.sky()
        + backdrops.sun(20, 22, 11)
        + backdrops.peak(70, 12, 1)
        + backdrops.peak(36, 26, 0.8)
        + backdrops.ground("grass", 60)
        + path
        + prints
        + backdrops.pine(14, 82, 0.8)
        + backdrops.pine(90, 88, 0.9)
    )


def barter() -> Svg:
    to = shape("M14 36C22 14 56 8 74 22L80 14L88 40L62 38L68 30C54 20 34 24 28 38Z", "gold")
    fro = put(to, 100, 100, 1, 180)
    return backdrops.sky("dawn") + to + fro + small("M", 8, 40, 34) + small("W", 58, 26, 34)


def play_cards() -> Svg:
    left = put(slab(-22, -32, 44, 64, "cream", soft=6) + small("F", -14, -14, 28), 36, 54, 1, -14)
    right = put(slab(-22, -32, 44, 64, "cream", soft=6) + small("C", -14, -14, 28), 64, 52, 1, 12)
    return backdrops.sky("sky") + left + right


def craft() -> Svg:
    stump = (
        shape("M10 96L16 72H84L90 96Z", "bark")
        + shape("M14 72Q50 60 86 72Q50 84 14 72Z", "tan")
        + stroke("M34 72Q50 66 66 72Q50 77 34 72Z", "bark", 1.6)
    )
    sparks = stroke("M74 58l10 -6M78 66l12 0M66 52l4 -10", "gold", 3.4)
    return backdrops.sky("dawn") + stump + put(axe(), 86, 0, 0.74, 12, flip=True) + sparks + stick("M18 66L40 58", "wood", 5)


ACTIONS = {"explore": explore, "barter": barter, "cards": play_cards, "craft": craft}


def first() -> Svg:
    """Draw the first player's sun, 48 by 48."""
    rays = "".join(put(shape("M-4 -14L0 -22L4 -14Z", "gold"), 24, 24, 1, turn) for turn in range(0, 360, 45))
    return (
        rays
        + dot(24, 24, 12.5, "sun")
        + dot(20, 22, 1.4, "ink", edge=False)
        + dot(28, 22, 1.4, "ink", edge=False)
        + stroke("M19 27q5 5 10 0")
    )


def symbols(faces: Mapping[str, Mapping[str, Any]]) -> list[str]:
    found = [symbol(f"die-{face}", die(face), 48, 48) for face in (0, *PIPS)]
    found += [symbol(f"bonus-{face}", bonus(what), 96, 32) for face, what in faces.items()]
    found += [symbol(f"action-{action}", draw()) for action, draw in ACTIONS.items()]
    return [*found, symbol("first", first(), 48, 48), symbol("any-food", any_food(), 28, 32)]
