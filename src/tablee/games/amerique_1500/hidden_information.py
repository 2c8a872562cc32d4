"""What a seat may know: everything on the table, its own hand, and of another hand only how many cards it holds (R1).

A hidden hand is put back into its deck: what is known of the two is their union. `imagine` deals such a hand again.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.rng import randbelow
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import DECK, Box
from tablee.games.amerique_1500.nature import cards_in
from tablee.games.amerique_1500.state import State

SECRETS = True


@jit
def redact(box: Box, state: State, seat: int) -> None:
    for other in range(state.seats):
        if other != seat:
            for slot in range(DECK):
                state.deck[other, slot] += state.hand[other, slot]
                state.hand[other, slot] = 0


@jit
def determinize(box: Box, state: State, seat: int, rng: Array) -> None:
    """Every hidden hand is dealt anew from what it may be."""
    for other in range(state.seats):
        if other != seat:
            deal_unseen(box, state, other, rng)


@jit
def deal_unseen(box: Box, state: State, seat: int, rng: Array) -> None:
    """Card by card: of `left` cards `due` are in the hand, so each hand is equally likely."""
    left, due = cards_in(state.deck[seat]), state.held[seat]
    for slot in range(box.slots[state.society[seat]]):
        for _ in range(state.deck[seat, slot]):
            if randbelow(rng, left) < due:
                state.deck[seat, slot] -= 1
                state.hand[seat, slot] += 1
                due -= 1
            left -= 1
