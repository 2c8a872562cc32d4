"""State of a table: who plays, and where the cards lie, as counts by kind."""

from __future__ import annotations

from tablee.core.contract import BaseState
from tablee.core.struct import Array, Grid, array_field, field
from tablee.games.examples.orchard.box import KINDS, MAX_SEATS


class State(BaseState):
    active: int = field()
    left: int = field()  # cards in the deck, also where it is hidden
    held: Array = array_field(MAX_SEATS)  # cards in each hand, likewise
    sales: Array = array_field(MAX_SEATS)  # cards that each has sold
    deck: Array = array_field(KINDS, bits=8)
    sold: Array = array_field(KINDS, bits=8)
    hand: Grid = array_field(MAX_SEATS, KINDS, bits=8)
    row: Grid = array_field(MAX_SEATS, KINDS, bits=8)
