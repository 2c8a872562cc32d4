"""Playing cards (A8, A11-A14).

A card goes onto the owner's discard pile and gives what it shows, more with the right tool.
"""

from __future__ import annotations

from tablee.core.cards import move_card
from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import EXCHANGE, FEAST, GIFTS, MAX_SEATS, MOST_TOOLS, NEIGHBOURS, NONE, SIMPLE, Box
from tablee.games.amerique_1500.craft import dwellings
from tablee.games.amerique_1500.notation import PLAY, PLAY_TO, card_played
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import receive, total

CARDS_A_TURN = 2
FEAST_TAKES = 3
EXCHANGE_HANDS, EXCHANGE_TAKES = 2, 4


@jit
def plays(box: Box, made: int) -> int:
    """Return how many cards one Play cards action allows (A8, A16)."""
    return CARDS_A_TURN + dwellings(box, made)


@jit
def best_tool(box: Box, card: int, made: int) -> int:
    """Return the place on the card of the crafted tool that gives most, or NONE (A11)."""
    best, most = NONE, 0
    for place in range(MOST_TOOLS):
        tool = box.card_tool[card, place]
        if tool != NONE and made >> tool & 1 and box.gift_size[card * GIFTS + 1 + place] > most:
            best, most = place, box.gift_size[card * GIFTS + 1 + place]
    return best


@jit
def gift_of(box: Box, card: int, made: int) -> int:
    """Return the row of `box.gift` that this card gives with these crafted items (A11); a hunt without a weapon gives nothing."""
    place = best_tool(box, card, made)
    return card * GIFTS if place == NONE else card * GIFTS + 1 + place


@jit
def playable(box: Box, state: State, seat: int, slot: int) -> bool:
    """Return whether the card is in the hand and can be played: a hunt needs a weapon, an exchange two goods to give (R2)."""
    card = box.card_at[state.society[seat], slot]
    if not state.hand[seat, slot]:
        return False
    if box.card_special[card] == EXCHANGE:
        return total(state.goods[seat]) >= EXCHANGE_HANDS
    return not box.card_needs[card] or best_tool(box, card, state.made[seat]) != NONE


@jit
def can_play(box: Box, state: State, seat: int) -> bool:
    for slot in range(box.slots[state.society[seat]]):
        if playable(box, state, seat, slot):
            return True
    return False


@jit
def list_plays(box: Box, state: State, seat: int, out: Array) -> int:
    society, count = state.society[seat], 0
    for slot in range(box.slots[society]):
        card = box.card_at[society, slot]
        if not playable(box, state, seat, slot):
            continue
        if box.card_special[card] != EXCHANGE:
            out[count] = PLAY + card
            count += 1
            continue
        for partner in range(state.seats):
            if partner != seat:
                out[count] = PLAY_TO + card * MAX_SEATS + partner
                count += 1
    return count


@jit
def play(box: Box, state: State, seat: int, move: int) -> None:
    card = card_played(move)
    slot = box.slot_of[state.society[seat], card]
    move_card(state.hand[seat], state.discard[seat], slot)
    state.held[seat] -= 1
    state.done += 1
    state.special = box.card_special[card]
    if state.special == SIMPLE:
        receive(state.goods[seat], box.gift[gift_of(box, card, state.made[seat])])
    elif state.special == FEAST:  # A12
        state.picks[seat] = FEAST_TAKES
    elif state.special == NEIGHBOURS:
        call_neighbours(state, seat)
    else:  # A14
        state.partner = (move - PLAY_TO) % MAX_SEATS
        state.handing = EXCHANGE_HANDS
        state.picks[seat] = EXCHANGE_TAKES


@jit
def call_neighbours(state: State, seat: int) -> None:
    """Make every other seat with goods owe one, and add what the reserve gives (A13)."""
    for other in range(state.seats):
        if other != seat and total(state.goods[other]):
            state.owes |= 1 << other
    state.picks[seat] = neighbours_takes(state)


@jit
def neighbours_takes(state: State) -> int:
    """Return how many goods of the reserve good neighbours bring besides: one between two players (A13)."""
    return int(state.seats == 2)
