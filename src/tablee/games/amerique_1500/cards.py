"""Playing cards (A8, A11-A14): a card goes onto the owner's discard pile and gives what it shows, more with the right tool."""

from __future__ import annotations

from tablee.core.rule import Array, rule
from tablee.games.amerique_1500.box import EXCHANGE, FEAST, MAX_SEATS, MOST_TOOLS, NEIGHBOURS, NONE, SIMPLE, Box
from tablee.games.amerique_1500.craft import dwellings
from tablee.games.amerique_1500.notation import PLAY, PLAY_TO
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import receive, total

CARDS_A_TURN = 2
FEAST_TAKES = 3
EXCHANGE_HANDS, EXCHANGE_TAKES = 2, 4


@rule
def plays(box: Box, made: int) -> int:
    """A8, A16: how many cards one Play cards action allows."""
    return CARDS_A_TURN + dwellings(box, made)


@rule
def best_tool(box: Box, card: int, made: int) -> int:
    """A11: of the card's tools that were crafted, the one that gives most (its place on the card), or NONE."""
    best, most = NONE, 0
    for place in range(MOST_TOOLS):
        tool = box.card_tool[card, place]
        if tool != NONE and made >> tool & 1 and box.more_total[card * MOST_TOOLS + place] > most:
            best, most = place, box.more_total[card * MOST_TOOLS + place]
    return best


@rule
def gift(box: Box, card: int, made: int) -> Array:
    """A11: what a card gives to somebody who has crafted these items; nothing if it is a hunt without a weapon."""
    place = best_tool(box, card, made)
    if place == NONE:
        return box.card_gives[card]
    return box.card_more[card * MOST_TOOLS + place]


@rule
def playable(box: Box, state: State, seat: int, card: int) -> bool:
    """R2: a hunt needs a weapon, an exchange two goods to give."""
    if box.card_special[card] == EXCHANGE:
        return total(state.goods[seat]) >= EXCHANGE_HANDS
    return not box.card_needs[card] or best_tool(box, card, state.made[seat]) != NONE


@rule
def can_play(box: Box, state: State, seat: int) -> bool:
    society = state.society[seat]
    for slot in range(box.slots[society]):
        if state.hand[seat, slot] and playable(box, state, seat, box.card_at[society, slot]):
            return True
    return False


@rule
def list_plays(box: Box, state: State, seat: int, out: Array) -> int:
    society, count = state.society[seat], 0
    for slot in range(box.slots[society]):
        card = box.card_at[society, slot]
        if not state.hand[seat, slot] or not playable(box, state, seat, card):
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


@rule
def play(box: Box, state: State, seat: int, move: int) -> None:
    card = (move - PLAY_TO) // MAX_SEATS if move >= PLAY_TO else move - PLAY
    slot = box.slot_of[state.society[seat], card]
    state.hand[seat, slot] -= 1
    state.held[seat] -= 1
    state.discard[seat, slot] += 1
    state.done += 1
    special = box.card_special[card]
    if special == SIMPLE:
        receive(state.goods[seat], gift(box, card, state.made[seat]))
    elif special == FEAST:  # A12
        state.picks[seat] = FEAST_TAKES
    elif special == NEIGHBOURS:
        call_neighbours(state, seat)
    else:  # A14
        state.partner = (move - PLAY_TO) % MAX_SEATS
        state.handing = EXCHANGE_HANDS
        state.picks[seat] = EXCHANGE_TAKES


@rule
def call_neighbours(state: State, seat: int) -> None:
    """A13: everybody else who has anything owes a good; between two players the reserve adds one."""
    for other in range(state.seats):
        if other != seat and total(state.goods[other]):
            state.owes[other] = 1
    if state.seats == 2:
        state.picks[seat] = 1
