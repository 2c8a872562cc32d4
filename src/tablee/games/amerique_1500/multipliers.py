"""The pieces of a real box (A20): whether its cubes and its x3 / x5 cards can lay out the players' goods.

A multiplier card lies in front of one player. One cube on its x3 side stands for three goods of that kind and of that player, on its x5
side for five: it saves two or four cubes, and shows three or five goods, never another number. A card has both sides, so the six cards are
six of either. The program itself needs none of this: its reserve never runs out (A2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablee.games.amerique_1500.box import GOODS

CUBES = dict(zip(GOODS, (16, 16, 16, 16, 15, 7), strict=True))  # in the booklet's list of contents
CARDS = 6
FIVE, THREE = 5, 3


def cards_needed(stocks: Iterable[Sequence[int]], spare: Sequence[int] = (0,) * len(GOODS)) -> int | None:
    """Return the fewest cards with which the cubes lay out all stocks and the special reserve at once; None if no number suffices.

    Use x5 sides first: each saves twice as many cubes as x3, and x5 sides with at most one x3 save at least as much of a stock as x3 alone.
    """
    needed = 0
    for owned, reserved, cubes in zip(zip(*stocks, strict=True), spare, CUBES.values(), strict=True):
        short = sum(owned) + reserved - cubes
        if short <= 0:
            continue
        fives = min(sum(amount // FIVE for amount in owned), -(-short // (FIVE - 1)))
        threes = -(-max(0, short - (FIVE - 1) * fives) // (THREE - 1))
        if threes > sum(amount % FIVE >= THREE for amount in owned):
            return None
        needed += fives + threes
    return needed


def suffices(stocks: Iterable[Sequence[int]], spare: Sequence[int] = (0,) * len(GOODS)) -> bool:
    needed = cards_needed(stocks, spare)
    return needed is not None and needed <= CARDS
