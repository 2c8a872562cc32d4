"""Observations and actions for learners: the own hand, and everything that lies open."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.tensors import Action, Field, offset_of, size_of
from tablee.games.examples.orchard.box import KINDS, MAX_SEATS, Box
from tablee.games.examples.orchard.state import State

TABLE = (
    Field("active", (1,), 0, MAX_SEATS - 1, "whose turn it is, seats after the one that looks"),
    Field("left", (1,), 0, KINDS, "cards in the deck"),
    Field("hand", (KINDS,), 0, 1, "the own hand"),
    Field("sold", (KINDS,), 0, 1, "cards that were sold"),
)
SEAT = (
    Field("held", (1,), 0, KINDS, "cards in the hand"),
    Field("sales", (1,), 0, KINDS, "cards that it has sold"),
    Field("row", (KINDS,), 0, 1, "cards that it has planted"),
)
ACTIONS = (Action("plant", KINDS, "`plant`, card by card"), Action("sell", KINDS, "`sell`, card by card"))
LEFT, HAND, SOLD = (offset_of(TABLE, name) for name in ("left", "hand", "sold"))
SALES, ROW = (offset_of(SEAT, name) for name in ("sales", "row"))
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE), size_of(SEAT)


@jit
def observe(box: Box, state: State, half: int, seat: int, out: Array) -> None:
    out[0], out[LEFT] = (state.active - seat) % state.seats, state.left
    for card in range(KINDS):
        out[HAND + card], out[SOLD + card] = state.hand[seat, card], state.sold[card]
    for place in range(state.seats):
        start, other = SEATS_OFFSET + place * SEAT_SIZE, (seat + place) % state.seats
        out[start], out[start + SALES] = state.held[other], state.sales[other]
        for card in range(KINDS):
            out[start + ROW + card] = state.row[other, card]
