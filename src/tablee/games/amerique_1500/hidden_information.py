"""Hidden information: a seat knows everything on the table, its own hand, and the sizes of the other hands (R1).

`redact` puts a hidden hand back into its deck, because only their union is known; `determinize` deals such a hand again.
"""

from __future__ import annotations

from tablee.core.cards import deal_unseen, pour
from tablee.core.jit import jit
from tablee.core.rng import Rng
from tablee.games.amerique_1500.box import Box
from tablee.games.amerique_1500.state import State

SECRETS = True


@jit
def redact(box: Box, state: State, seat: int) -> None:
    for other in range(state.seats):
        if other != seat:
            pour(state.hand[other], state.deck[other])


@jit
def determinize(box: Box, state: State, seat: int, rng: Rng) -> None:
    """Deal every hidden hand at random from the cards that it may hold."""
    for other in range(state.seats):
        if other != seat:
            deal_unseen(state.deck[other], state.hand[other], state.held[other], rng)
