"""A seat's plan, for the greedy bot: which requests to serve, which items to craft for their discs, and what its cards will bring.

A plan is a sheet of numbers. Its rows hold amounts by good, in 24ths so that the average of a deck is a whole number; the seventh
column stands for goods of choice. LACK is what the plan asks for less what is there: below zero it is a surplus.
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

CACHE_COLUMNS = 6  # what is remembered of another seat (rivals.py):
CACHED_GOODS, CACHED_CARDS, CACHED_FAIR, CACHED_TURN, CACHED_TURNS, CACHE_CHECK = range(CACHE_COLUMNS)

CARDS_AHEAD = 8  # cards that a tool will still serve for, at the start of a game
TRAVEL_BONUS, DWELLING_BONUS = 10, 8  # measured against a tool's extra goods per deck


class Scratch(Struct):
    """Room to plan on."""

    viewer: int = field()  # whose hand may be looked at (R1)
    plan: Grid = array_field(COUNTS + 1, COLUMNS)
    inputs: Array = array_field(INPUTS, bits=32)  # of a seat (network_inputs.py),
    hidden: Array = array_field(WIN_UNITS, bits=32)  # and added up
    rival_cache: Grid = array_field(
        MAX_SEATS, CACHE_COLUMNS
    )  # of each other seat what it had when last looked at, and its turns (rivals.py);
    soonest: int = field()  # in millionths of a turn, the fewest of them,
    rivals_value: int = field()  # and what they are all worth together
    bonus: Array = array_field(MOST_ITEMS)  # for each item not yet crafted, the extra goods it brings per deck of cards


@jit
def make_plan(box: Box, state: State, scratch: Scratch, seat: int, item: int) -> None:
    """The plan of a seat, as if it paid for this item first (or NONE)."""
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
    """How many discs this seat still means to place: its own three, or an equal share of what the team lacks."""
    wanted = DISCS_TO_WIN - popcount(state.placed[seat])
    if state.together:
        wanted = (team_target(state) - team_discs(state) + state.seats - 1) // state.seats
    room = popcount(state.demands & ~state.placed[seat])
    discs = popcount(box.board[state.society[seat], state.full]) - popcount(state.placed[seat])
    return max(0, min(wanted, room, discs))


@jit
def count_goods(state: State, seat: int, lack: Array) -> None:
    """What is there, and what is owed to the seat: a neighbour gives what nobody needs, so it counts half."""
    for good in range(KINDS):
        lack[good] = -UNITS_PER_GOOD * state.goods[seat, good]
    lack[ANY] = -UNITS_PER_GOOD * state.picks[seat]
    if seat == state.active:
        lack[ANY] += UNITS_PER_GOOD * state.handing - HALF_GOOD * popcount(state.owes)


@jit
def added_lack(lack: Array, cost: Array) -> int:
    """How much more is missing if this has to be paid too."""
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
    """Of all choices of so many requests the one for which least is missing."""
    waiting, side = state.demands & ~state.placed[seat], state.full << REQUESTS
    best, least, choice = 0, 1 << 30, waiting
    while choice:
        if popcount(choice) == plan[COUNTS, WANTED]:
            short = shortfall(plan[LACK], box.menu[side | choice])
            if short < least:
                best, least = choice, short
        choice = (choice - 1) & waiting
    add_cost(plan[LACK], box.menu[side | best])


@jit
def shortfall(lack: Array, cost: Array) -> int:
    """What is missing to pay this."""
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
    """The items whose discs the plan needs: cheap ones that make the deck richer."""
    waiting = to_make(box, state, seat) & ~plan[COUNTS, MADE]
    for _ in range(plan[COUNTS, TO_CRAFT]):
        best, least = 0, 1 << 30
        for item in range(box.items):
            if waiting >> item & 1:
                price = added_lack(plan[LACK], box.item_cost[item]) - CARDS_AHEAD * bonus[item]
                if price < least:
                    best, least = item, price
        waiting &= ~(1 << best)
        add_cost(plan[LACK], box.item_cost[best])


@jit
def add_card(box: Box, card: int, made: int, times: int, gain: Array) -> None:
    """What a card brings, so many times. Two neighbours' gifts are worth one good of choice, or the reserve's between two players."""
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
    """What one unknown card of the deck brings on average."""
    society = state.society[seat]
    for column in range(COLUMNS):
        plan[DECK_CARD, column] = box.plain_gain[society, column]
    for slot in range(box.slots[society]):
        if box.card_tool[box.card_at[society, slot], 0] != NONE:
            add_card(box, box.card_at[society, slot], plan[COUNTS, MADE], box.copies[society, slot], plan[DECK_CARD])


@jit
def hand_gain(box: Box, state: State, seat: int, plan: Grid) -> None:
    """What the cards of the hand bring that can be played."""
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
    """Cards about to be drawn, and those of a hand that may not be looked at, bring what the deck brings."""
    unknown = state.draws[seat] if own else state.draws[seat] + state.held[seat]
    for column in range(COLUMNS):
        plan[HAND, column] = unknown * plan[DECK_CARD, column]
    plan[COUNTS, CARDS] = unknown


@jit
def lock_taken(state: State, seat: int, lack: Array) -> None:
    """A8: what was taken in the barter under way is no surplus to give again."""
    if state.active == seat:
        for good in range(KINDS):
            if state.taken >> good & 1:
                lack[good] = max(0, lack[good])


@jit
def missing(lack: Array) -> int:
    """Goods that the plan asks for and the seat does not have."""
    count = lack[ANY]
    for good in range(KINDS):
        count += max(0, lack[good])
    return max(0, count) // UNITS_PER_GOOD


def precompute_gains(box: Box) -> None:
    """What every plan counts on, worked out when the box is opened: cards that no tool betters, and half of what the die brings in a
    round; the other half comes too late or is not what is missing."""
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
