"""Hidden information: a seat knows everything but the hands of the others and the deck (O1)."""

from __future__ import annotations

from tablee.core.cards import deal_hands, hide_hands
from tablee.core.jit import jit
from tablee.core.rng import Rng
from tablee.games.examples.orchard.box import Box
from tablee.games.examples.orchard.state import State

SECRETS = True


@jit
def redact(box: Box, state: State, seat: int) -> None:
    hide_hands(state.hand, state.deck, state.seats, seat)


@jit
def determinize(box: Box, state: State, seat: int, rng: Rng) -> None:
    deal_hands(state.hand, state.deck, state.held, state.seats, seat, rng)
