"""The cards: four fruits with the numbers 1 to 6 (O1), and the numbers that a table may correct."""

from __future__ import annotations

from tablee.core.cards import Cards
from tablee.core.components import Components
from tablee.core.i18n import mark
from tablee.core.struct import Struct, field

MAX_SEATS = 4
FRUITS = {"apple": mark("Apple {rank}"), "pear": mark("Pear {rank}"), "plum": mark("Plum {rank}"), "cherry": mark("Cherry {rank}")}
RANKS = 6
CARDS = Cards.suited(FRUITS, range(1, RANKS + 1))
KINDS = len(CARDS.keys)


class Box(Struct):
    hand: int = field()
    sale: int = field()


def load(components: Components) -> Box:
    """Read the box and check it; a fault names its line."""
    box = Box()
    box.hand = components.get_int("orchard", "hand", 1, KINDS // MAX_SEATS)
    box.sale = components.get_int("orchard", "sale", 0, 20)
    return box
