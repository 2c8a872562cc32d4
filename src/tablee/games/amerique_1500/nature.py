"""Chance: who begins, which requests lie open, the nature die (A7) and the cards dealt.

Decks are counts: no order is drawn in advance.
"""

from __future__ import annotations

from tablee.core.cards import move_card, pour, size
from tablee.core.chance import list_equal
from tablee.core.jit import jit, popcount
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import DECK, FACES, MOST_CARDS, NONE, REQUESTS, Box
from tablee.games.amerique_1500.cooperative import warn
from tablee.games.amerique_1500.notation import DEAL, DEMAND, LOTS, ROLLS
from tablee.games.amerique_1500.requests import OPEN_REQUESTS
from tablee.games.amerique_1500.state import ACT, DEMANDS, LOT, ROLL, State
from tablee.games.amerique_1500.stock import receive

FIRST_HAND = 3  # A5


@jit
def next_to_draw(state: State) -> int:
    """Return the seat that is dealt the next card, clockwise from the active seat; NONE if no card is due."""
    for step in range(state.seats):
        seat = (state.active + step) % state.seats
        if state.draws[seat]:
            return seat
    return NONE


@jit
def drop_vain_draws(state: State) -> None:
    """Cancel draws where deck and discard pile are both empty (R4)."""
    for seat in range(state.seats):
        if state.draws[seat] and state.held[seat] == DECK:
            state.draws[seat] = 0


@jit
def odds(box: Box, state: State, out: Array, weights: Array) -> int:
    """Write nature's outcomes with their integer weights, and return their number."""
    seat = next_to_draw(state)
    if seat != NONE:
        return list_deals(box, state, seat, out, weights)
    if state.phase == ROLL:
        return list_equal(out, weights, ROLLS + 1, FACES)
    if state.phase == LOT:
        return list_equal(out, weights, LOTS, state.seats)
    return list_demands(state, out, weights)


@jit
def list_demands(state: State, out: Array, weights: Array) -> int:
    count = 0
    for request in range(REQUESTS):
        if not state.demands >> request & 1:
            out[count], weights[count] = DEMAND + request, 1
            count += 1
    return count


@jit
def list_deals(box: Box, state: State, seat: int, out: Array, weights: Array) -> int:
    """Write the cards that may be dealt; an empty deck is the shuffled discard pile (A8, R8)."""
    society, reshuffled, count = state.society[seat], size(state.deck[seat]) == 0, 0
    for slot in range(box.slots[society]):
        copies = state.discard[seat, slot] if reshuffled else state.deck[seat, slot]
        if copies:
            out[count] = DEAL + seat * MOST_CARDS + box.card_at[society, slot]
            weights[count] = copies
            count += 1
    return count


@jit
def apply_nature(box: Box, state: State, move: int) -> None:
    if move >= DEAL:
        deal(box, state, (move - DEAL) // MOST_CARDS, (move - DEAL) % MOST_CARDS)
    elif move >= DEMAND:
        open_request(state, move - DEMAND)
    elif move >= ROLLS:
        roll(box, state, move - ROLLS)
    else:
        state.first = state.active = move - LOTS  # A6
        state.phase = DEMANDS


@jit
def open_request(state: State, request: int) -> None:
    """Open a request; after the fifth, deal three cards to every seat (A5)."""
    state.demands |= 1 << request
    if popcount(state.demands) == OPEN_REQUESTS:
        state.phase = ROLL
        for seat in range(state.seats):
            state.draws[seat] = FIRST_HAND


@jit
def roll(box: Box, state: State, face: int) -> None:
    """Give the bonus of the face to every seat or to the active one (A7)."""
    state.die = face
    for seat in range(state.seats):
        if seat == state.active or box.die_all[face]:
            receive(state.goods[seat], box.die_goods[face])
            state.draws[seat] = box.die_cards[face]
            state.picks[seat] = box.die_food[face]
    warn(state)
    state.phase = ACT


@jit
def deal(box: Box, state: State, seat: int, card: int) -> None:
    if size(state.deck[seat]) == 0:
        pour(state.discard[seat], state.deck[seat])
    slot = box.slot_of[state.society[seat], card]
    move_card(state.deck[seat], state.hand[seat], slot)
    state.held[seat] += 1
    state.draws[seat] -= 1
