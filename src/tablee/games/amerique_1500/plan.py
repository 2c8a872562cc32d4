"""A seat's plan, for the evaluations: the requests to serve, the items to craft for their discs, and the gains of its cards.

A plan is a matrix. Its rows hold amounts by good, in 24ths so that the average of a deck is an integer; the seventh column stands for goods
of choice. LACK is what the plan asks for less what the seat has: below zero it is a surplus.
"""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.core.struct import Array, Grid, Struct, array_field, field
from tablee.games.amerique_1500.box import (
    DECK,
    DWELLING,
    EXCHANGE,
    FACES,
    FEAST,
    GIFTS,
    INPUTS,
    KINDS,
    MAX_SEATS,
    MOST_ITEMS,
    MOST_TOOLS,
    NEIGHBOURS,
    NONE,
    REQUESTS,
    TOOL,
    WIN_UNITS,
    Box,
)
from tablee.games.amerique_1500.cards import EXCHANGE_HANDS, EXCHANGE_TAKES, FEAST_TAKES, best_tool, gift_of
from tablee.games.amerique_1500.craft import to_make
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, team_discs, team_target
from tablee.games.amerique_1500.requests import free_discs
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import receive

ANY = KINDS
COLUMNS = KINDS + 1
UNITS_PER_GOOD = DECK
HALF_GOOD = UNITS_PER_GOOD // 2

LACK, HAND, DECK_CARD, DIE, REST, DRAW, COUNTS = range(7)  # DECK_CARD: one card drawn; REST and DRAW: see pace.py
WANTED, TO_CRAFT, MADE, CARDS = range(4)  # in row COUNTS: discs to place, items to craft, a mask of those crafted, cards to play

CACHE_COLUMNS = 6  # of `rival_cache` (rivals.py)
CACHED_GOODS, CACHED_CARDS, CACHED_FAIR, CACHED_TURN, CACHED_TURNS, CACHE_CHECK = range(CACHE_COLUMNS)

CARDS_AHEAD = 8  # cards that a tool will still improve, at the start of a game
TRAVEL_BONUS, DWELLING_BONUS = 10, 8  # measured against a tool's extra goods per deck


class Scratch(Struct):
    """Scratch memory of the evaluations."""

    viewer: int = field()  # seat whose hand may be read (R1)
    plan: Grid = array_field(COUNTS + 1, COLUMNS)
    inputs: Array = array_field(INPUTS, bits=32)  # of the networks (network_inputs.py)
    hidden: Array = array_field(WIN_UNITS, bits=32)  # sums of the hidden layer
    rival_cache: Grid = array_field(MAX_SEATS, CACHE_COLUMNS)  # by other seat: its last known position, and its turns (rivals.py)
    soonest: int = field()  # fewest turns of a rival, in millionths
    rivals_value: int = field()  # combined value of the rivals, in millionths of a turn
    bonus: Array = array_field(MOST_ITEMS)  # by item not yet crafted: the extra goods that it brings per deck of cards


@jit
def make_plan(box: Box, state: State, scratch: Scratch, seat: int, item: int) -> None:
    """Make the plan of a seat, as if it first paid for this item (or NONE)."""
    plan = scratch.plan
    plan[COUNTS, WANTED] = discs_wanted(box, state, seat)
    plan[COUNTS, TO_CRAFT] = max(0, plan[COUNTS, WANTED] - free_discs(state, seat) - (item != NONE))
    plan[COUNTS, MADE] = state.made[seat] | (1 << item if item != NONE else 0)
    count_goods(state, seat, plan[LACK])
    if item != NONE:
        add_cost(plan[LACK], box.item_cost[item])
    plan_requests(box, state, seat, plan)
    tool_bonus(box, state, seat, plan[COUNTS, MADE], scratch.bonus)
    plan_items(box, state, seat, plan, scratch.bonus)
    deck_gain(box, state, seat, plan)
    unknown_gain(state, seat, seat == scratch.viewer, plan)
    if seat == scratch.viewer:
        hand_gain(box, state, seat, plan)
    for column in range(COLUMNS):
        plan[DIE, column] = box.die_gain[state.seats, column]
    lock_taken(state, seat, plan[LACK])


@jit
def discs_wanted(box: Box, state: State, seat: int) -> int:
    """Return how many discs the seat still aims to place: its own three, or an equal share of what the team lacks."""
    wanted = DISCS_TO_WIN - popcount(state.placed[seat])
    if state.together:
        wanted = (team_target(state) - team_discs(state) + state.seats - 1) // state.seats
    room = popcount(state.demands & ~state.placed[seat])
    discs = popcount(box.board[state.society[seat], state.full]) - popcount(state.placed[seat])
    return max(0, min(wanted, room, discs))


@jit
def count_goods(state: State, seat: int, lack: Array) -> None:
    """Write the goods that the seat has or is owed; a neighbour gives what it needs least, so that good counts half."""
    for good in range(KINDS):
        lack[good] = -UNITS_PER_GOOD * state.goods[seat, good]
    lack[ANY] = -UNITS_PER_GOOD * state.picks[seat]
    if seat == state.active:
        lack[ANY] += UNITS_PER_GOOD * state.handing - HALF_GOOD * popcount(state.owes)


@jit
def added_lack(lack: Array, cost: Array) -> int:
    """Return how much more is missing if this cost has to be paid too."""
    added = 0
    for good in range(KINDS):
        if cost[good]:
            added += max(0, lack[good] + UNITS_PER_GOOD * cost[good]) - max(0, lack[good])
    return added


@jit
def add_cost(lack: Array, cost: Array) -> None:
    for good in range(KINDS):
        lack[good] += UNITS_PER_GOOD * cost[good]


@jit
def plan_requests(box: Box, state: State, seat: int, plan: Grid) -> None:
    """Add the cost of the set of requests for which least is missing, of all sets of the wanted size."""
    unserved, side = state.demands & ~state.placed[seat], state.full << REQUESTS
    best, least, choice = 0, 1 << 30, unserved
    while choice:
        if popcount(choice) == plan[COUNTS, WANTED]:
            short = shortfall(plan[LACK], box.menu[side | choice])
            if short < least:
                best, least = choice, short
        choice = (choice - 1) & unserved
    add_cost(plan[LACK], box.menu[side | best])


@jit
def shortfall(lack: Array, cost: Array) -> int:
    """Return what is missing to pay this cost."""
    short = 0
    for good in range(KINDS):
        short += max(0, lack[good] + UNITS_PER_GOOD * cost[good])
    return short


@jit
def tool_bonus(box: Box, state: State, seat: int, made: int, bonus: Array) -> None:
    society = state.society[seat]
    for item in range(box.items):
        kind = box.item_kind[item]
        bonus[item] = 0 if kind == TOOL else DWELLING_BONUS if kind == DWELLING else TRAVEL_BONUS
    for slot in range(box.slots[society]):
        card = box.card_at[society, slot]
        if box.card_tool[card, 0] == NONE:
            continue
        now = box.gift_size[gift_of(box, card, made)]
        for place in range(MOST_TOOLS):
            tool = box.card_tool[card, place]
            if tool != NONE and not made >> tool & 1:
                bonus[tool] += box.copies[society, slot] * max(0, box.gift_size[card * GIFTS + 1 + place] - now)


@jit
def plan_items(box: Box, state: State, seat: int, plan: Grid, bonus: Array) -> None:
    """Add the costs of the items whose discs the plan needs: cheap ones that improve the deck."""
    uncrafted = to_make(box, state, seat) & ~plan[COUNTS, MADE]
    for _ in range(plan[COUNTS, TO_CRAFT]):
        best, least = 0, 1 << 30
        for item in range(box.items):
            if uncrafted >> item & 1:
                price = added_lack(plan[LACK], box.item_cost[item]) - CARDS_AHEAD * bonus[item]
                if price < least:
                    best, least = item, price
        uncrafted &= ~(1 << best)
        add_cost(plan[LACK], box.item_cost[best])


@jit
def add_card(box: Box, card: int, made: int, times: int, gain: Array) -> None:
    """Add the gain of a card, `times` times; Good neighbours counts as 3/2 goods of choice."""
    special = box.card_special[card]
    if special == FEAST:
        gain[ANY] += times * FEAST_TAKES
    elif special == EXCHANGE:
        gain[ANY] += times * (EXCHANGE_TAKES - EXCHANGE_HANDS)
    elif special == NEIGHBOURS:
        gain[ANY] += times * 3 // 2
    else:
        row = gift_of(box, card, made)
        for good in range(KINDS):
            gain[good] += times * box.gift[row, good]


@jit
def deck_gain(box: Box, state: State, seat: int, plan: Grid) -> None:
    """Write the average gain of one unknown card of the deck."""
    society = state.society[seat]
    for column in range(COLUMNS):
        plan[DECK_CARD, column] = box.plain_gain[society, column]
    for slot in range(box.slots[society]):
        if box.card_tool[box.card_at[society, slot], 0] != NONE:
            add_card(box, box.card_at[society, slot], plan[COUNTS, MADE], box.copies[society, slot], plan[DECK_CARD])


@jit
def hand_gain(box: Box, state: State, seat: int, plan: Grid) -> None:
    """Add the gain of the playable cards in the hand."""
    society, made = state.society[seat], plan[COUNTS, MADE]
    for slot in range(box.slots[society]):
        count = state.hand[seat, slot]
        if count:
            card = box.card_at[society, slot]
            add_card(box, card, made, UNITS_PER_GOOD * count, plan[HAND])
            if not box.card_needs[card] or best_tool(box, card, made) != NONE:
                plan[COUNTS, CARDS] += count


@jit
def unknown_gain(state: State, seat: int, own: bool, plan: Grid) -> None:
    """Write the gain of unknown cards, as of average cards of the deck: cards about to be drawn, and hands of other seats."""
    unknown = state.draws[seat] if own else state.draws[seat] + state.held[seat]
    for column in range(COLUMNS):
        plan[HAND, column] = unknown * plan[DECK_CARD, column]
    plan[COUNTS, CARDS] = unknown


@jit
def lock_taken(state: State, seat: int, lack: Array) -> None:
    """Clear the surplus of goods taken in the barter under way: they are not given again (A8)."""
    if state.active == seat:
        for good in range(KINDS):
            if state.taken >> good & 1:
                lack[good] = max(0, lack[good])


@jit
def missing(lack: Array) -> int:
    """Return the number of goods that the plan asks for and the seat does not have."""
    count = lack[ANY]
    for good in range(KINDS):
        count += max(0, lack[good])
    return max(0, count) // UNITS_PER_GOOD


def precompute_gains(box: Box) -> None:
    """Precompute the parts of a plan that depend on the box alone: cards that no tool improves, sums of requests, and the die.

    Only half of the die's goods in a round count; the other half comes too late or is not what is missing.
    """
    for society in range(MAX_SEATS):
        for slot in range(box.slots[society]):
            card = box.card_at[society, slot]
            if box.card_tool[card, 0] == NONE:
                add_card(box, card, 0, box.copies[society, slot], box.plain_gain[society])
    for choice in range(2 << REQUESTS):
        for request in range(REQUESTS):
            if choice >> request & 1:
                receive(box.menu[choice], box.request_cost[(choice >> REQUESTS) * REQUESTS + request])
    for seats in range(2, MAX_SEATS + 1):
        for face in range(1, FACES + 1):
            rolls = seats if box.die_all[face] else 1
            for good in range(KINDS):
                box.die_gain[seats, good] += rolls * box.die_goods[face, good] * HALF_GOOD // FACES
            box.die_gain[seats, ANY] += rolls * box.die_food[face] * HALF_GOOD // FACES
