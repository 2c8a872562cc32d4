"""Requests (A9): a free disc on a request that holds none of yours, for the goods it asks for; at most two discs a turn."""

from __future__ import annotations

from tablee.core.rule import Array, popcount, rule
from tablee.games.amerique_1500.box import REQUESTS, Box
from tablee.games.amerique_1500.notation import SERVE
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import covers, pay

OPEN_REQUESTS = 5  # A5
DISCS_A_TURN = 2


@rule
def free_discs(state: State, seat: int) -> int:
    """A8: a crafted item's disc is free until it lies on a request."""
    return popcount(state.made[seat]) - popcount(state.placed[seat])


@rule
def asked(box: Box, state: State, request: int) -> Array:
    """A3: the goods on the side of the card that is played with."""
    return box.request_cost[state.full * REQUESTS + request]


@rule
def list_serves(box: Box, state: State, seat: int, out: Array) -> int:
    count = 0
    if state.done == DISCS_A_TURN or free_discs(state, seat) == 0:
        return 0
    waiting = state.demands & ~state.placed[seat]
    for request in range(REQUESTS):
        if waiting >> request & 1 and covers(state.goods[seat], asked(box, state, request)):
            out[count] = SERVE + request
            count += 1
    return count


@rule
def can_serve(box: Box, state: State, seat: int) -> bool:
    if state.done == DISCS_A_TURN or free_discs(state, seat) == 0:
        return False
    waiting = state.demands & ~state.placed[seat]
    for request in range(REQUESTS):
        if waiting >> request & 1 and covers(state.goods[seat], asked(box, state, request)):
            return True
    return False


@rule
def serve(box: Box, state: State, seat: int, request: int) -> None:
    pay(state.goods[seat], asked(box, state, request))
    state.placed[seat] |= 1 << request
    state.done += 1
