"""Hidden information: a seat knows everything on the table, its own hand, and the sizes of the other hands (R1).

`redact` puts a hidden hand back into its deck, because only their union is known; `determinize` deals such a hand again.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.rng import Rng, randbelow
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
def determinize(box: Box, state: State, seat: int, rng: Rng) -> None:
    """Deal every hidden hand at random from the cards that it may hold."""
    for other in range(state.seats):
        if other != seat:
            deal_unseen(box, state, other, rng)


@jit
def deal_unseen(box: Box, state: State, seat: int, rng: Rng) -> None:
    """Deal a hand card by card: of `left` cards `due` are in the hand, so all hands are equally likely."""
    left, due = cards_in(state.deck[seat]), state.held[seat]
    for slot in range(box.slots[state.society[seat]]):
        for _ in range(state.deck[seat, slot]):
            if randbelow(rng, left) < due:
                state.deck[seat, slot] -= 1
                state.hand[seat, slot] += 1
                due -= 1
            left -= 1
