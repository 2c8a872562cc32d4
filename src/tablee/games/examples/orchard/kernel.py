"""The rules: nature deals up to a full hand, then the active seat plants or sells a card (O1-O5)."""

from __future__ import annotations

from tablee.core.cards import list_cards, list_draws, move_card
from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.game import Options
from tablee.core.jit import jit
from tablee.core.lead_value import lead_value
from tablee.core.most_points import most_points
from tablee.core.struct import Array, fill
from tablee.games.examples.orchard.box import FRUITS, KINDS, RANKS, Box
from tablee.games.examples.orchard.hidden_information import SECRETS, determinize, redact
from tablee.games.examples.orchard.notation import DEAL, PLANT, SELL
from tablee.games.examples.orchard.state import State

__all__ = ["MOST_MOVES", "SECRETS", "apply", "determinize", "legal", "odds", "redact", "score", "to_act", "value", "wins"]
MOST_MOVES = 2 * KINDS
NOBODY = -1
SUITS = len(FRUITS)


def setup(seats: int, options: Options) -> State:
    state = State()
    state.seats, state.left = seats, KINDS
    fill(state.deck, 1)
    return state


@jit
def next_to_draw(box: Box, state: State) -> int:
    """Return the seat that is dealt the next card, or NOBODY (O1, O2)."""
    if state.left:
        for seat in range(state.seats):
            if state.held[seat] < box.hand:
                return seat
    return NOBODY


@jit
def to_act(box: Box, state: State) -> int:
    if next_to_draw(box, state) != NOBODY:
        return NATURE_NEXT
    return 1 << state.active if state.held[state.active] else OVER


@jit
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    count = list_cards(state.hand[seat], PLANT, out, 0)
    return list_cards(state.hand[seat], SELL, out, count)


@jit
def odds(box: Box, state: State, out: Array, weights: Array) -> int:
    return list_draws(state.deck, DEAL + next_to_draw(box, state) * KINDS, out, weights)


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    if move >= DEAL:
        owner = (move - DEAL) // KINDS
        move_card(state.deck, state.hand[owner], (move - DEAL) % KINDS)
        state.held[owner] += 1
        state.left -= 1
        return
    if move >= SELL:
        move_card(state.hand[seat], state.sold, move - SELL)
        state.sales[seat] += 1  # O3
    else:
        move_card(state.hand[seat], state.row[seat], move - PLANT)
    state.held[seat] -= 1
    state.active = (state.active + 1) % state.seats


@jit
def row_sum(state: State, seat: int, suit: int) -> int:
    points = 0
    for rank in range(RANKS):
        points += (rank + 1) * state.row[seat, suit * RANKS + rank]
    return points


@jit
def score(box: Box, state: State, seat: int) -> int:
    """Return the points of sales (O3) and of the fruits in which no other row is larger (O4)."""
    points = box.sale * state.sales[seat]
    for suit in range(SUITS):
        own = row_sum(state, seat, suit)
        for other in range(state.seats):
            if row_sum(state, other, suit) > own:
                own = 0
        points += own
    return points


wins = most_points(__name__, score)  # O5
value = lead_value(__name__, score, spread=8)


def conserved(state: State) -> list[int]:
    """Return how many there are of each card, wherever it lies."""
    piles = [state.deck, state.sold, *state.hand, *state.row]
    return [sum(pile[card] for pile in piles) for card in range(KINDS)]


def progress(state: State) -> tuple[int, int]:
    """Return the cards that are planted or sold, of all."""
    return KINDS - state.left - sum(state.held), KINDS
