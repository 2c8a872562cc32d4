"""Requests (A9): a free disc goes on a request that holds none of the seat's, for the goods that it asks for.

A seat places at most two discs a turn.
"""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.games.amerique_1500.box import REQUESTS, Box
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import covers, pay

OPEN_REQUESTS = 5  # A5
DISCS_A_TURN = 2


@jit
def free_discs(state: State, seat: int) -> int:
    """Return the seat's free discs: a crafted item's disc is free until it lies on a request (A8)."""
    return popcount(state.made[seat]) - popcount(state.placed[seat])


@jit
def asked(state: State, request: int) -> int:
    """Return the row of `box.request_cost` for the side of the card in play (A3)."""
    return state.full * REQUESTS + request


@jit
def servable(box: Box, state: State, seat: int) -> int:
    """Return the mask of the requests for which the seat has a free disc and the goods."""
    found = 0
    if free_discs(state, seat) == 0:
        return found
    unserved = state.demands & ~state.placed[seat]
    for request in range(REQUESTS):
        if unserved >> request & 1 and covers(state.goods[seat], box.request_cost[asked(state, request)]):
            found |= 1 << request
    return found


@jit
def serve(box: Box, state: State, seat: int, request: int) -> None:
    pay(state.goods[seat], box.request_cost[asked(state, request)])
    state.placed[seat] |= 1 << request
    state.done += 1
