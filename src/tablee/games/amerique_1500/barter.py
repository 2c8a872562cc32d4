"""Barter (A8): goods for goods of the reserve, any number of times.

Goods taken in a barter are not given again in it, so it ends (R10).
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import KINDS, TRAVEL, Box
from tablee.games.amerique_1500.notation import PAIR, SWAP
from tablee.games.amerique_1500.state import State

# Where a good that lies in the barter may not be tapped: what was taken is not given, and what was given not taken (R10, A8).
LOCKS = {"take": "own", "give": "reserve"}


@jit
def ratio(box: Box, full: int, made: int) -> int:
    """Return the goods given for one: 1 in the quick game, 2 in the full game (A8), 1 with any means of travel (A15)."""
    return 1 if not full or made & box.of_kind[TRAVEL] else 2


@jit
def givable(state: State, seat: int, good: int) -> int:
    return 0 if state.taken >> good & 1 else state.goods[seat, good]


@jit
def can_swap(box: Box, state: State, seat: int) -> bool:
    """Return whether the seat can give as many goods as the ratio asks for (R5)."""
    count = 0
    for good in range(KINDS):
        count += givable(state, seat, good)
    return count >= ratio(box, state.full, state.made[seat])


@jit
def list_swaps(box: Box, state: State, seat: int, out: Array) -> int:
    if ratio(box, state.full, state.made[seat]) == 1:
        return list_singles(state, seat, out)
    return list_pairs(state, seat, out)


@jit
def list_singles(state: State, seat: int, out: Array) -> int:
    count = 0
    for given in range(KINDS):
        if givable(state, seat, given):
            for taken in range(KINDS):
                if taken != given:
                    out[count] = SWAP + given * KINDS + taken
                    count += 1
    return count


@jit
def list_pairs(state: State, seat: int, out: Array) -> int:
    """Write the swaps of two goods for one; the smaller of the two comes first, so that one swap has one number."""
    count = 0
    for first in range(KINDS):
        for second in range(first, KINDS):
            if not givable(state, seat, first) or givable(state, seat, second) < (2 if second == first else 1):
                continue
            for taken in range(KINDS):
                if taken not in (first, second):
                    out[count] = PAIR + (first * KINDS + second) * KINDS + taken
                    count += 1
    return count


@jit
def swap(state: State, seat: int, move: int) -> None:
    if move >= PAIR:
        state.goods[seat, (move - PAIR) // KINDS**2] -= 1
        state.goods[seat, (move - PAIR) // KINDS % KINDS] -= 1
        taken = (move - PAIR) % KINDS
    else:
        state.goods[seat, (move - SWAP) // KINDS] -= 1
        taken = (move - SWAP) % KINDS
    state.goods[seat, taken] += 1
    state.taken |= 1 << taken
    state.done += 1
