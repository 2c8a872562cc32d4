"""Craft (A8): an item's cost goes back to the reserve, its disc comes off, and the item works from now on."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.games.amerique_1500.box import DWELLING, TRAVEL, Box
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import covers, pay


@jit
def travels(box: Box, made: int) -> int:
    """Return how many of these crafted items are means of travel (A15)."""
    return popcount(made & box.of_kind[TRAVEL])


@jit
def dwellings(box: Box, made: int) -> int:
    return popcount(made & box.of_kind[DWELLING])


@jit
def crafts(box: Box, made: int) -> int:
    """Return how many items one Craft action makes; a dwelling made in the same action counts (A16)."""
    return 1 + dwellings(box, made)


@jit
def to_make(box: Box, state: State, seat: int) -> int:
    """Return the mask of the items on the seat's board that still hold their disc."""
    return box.board[state.society[seat], state.full] & ~state.made[seat]


@jit
def makeable(box: Box, state: State, seat: int) -> int:
    """Return the mask of the items still to be crafted that the seat can pay for."""
    uncrafted, found = to_make(box, state, seat), 0
    for item in range(box.items):
        if uncrafted >> item & 1 and covers(state.goods[seat], box.item_cost[item]):
            found |= 1 << item
    return found


@jit
def make(box: Box, state: State, seat: int, item: int) -> None:
    pay(state.goods[seat], box.item_cost[item])
    state.made[seat] |= 1 << item
    state.done += 1
