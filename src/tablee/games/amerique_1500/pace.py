"""The number of turns that a plan still takes.

A turn is an action, so a plan is priced in actions: crafts, cards drawn and played until the goods are there, and a barter if the right
ones are not. A step under way has its action paid already, so a single swap, play or take is valued by what it leads to.
"""

from __future__ import annotations

from tablee.core.jit import jit, product
from tablee.core.struct import Array, Grid
from tablee.games.amerique_1500.barter import givable, ratio
from tablee.games.amerique_1500.box import KINDS, NONE, Box
from tablee.games.amerique_1500.cards import plays
from tablee.games.amerique_1500.craft import crafts, to_make, travels
from tablee.games.amerique_1500.plan import (
    ANY,
    CARDS,
    COLUMNS,
    COUNTS,
    DECK_CARD,
    DIE,
    DRAW,
    HAND,
    LACK,
    MADE,
    REST,
    TO_CRAFT,
    Scratch,
    discs_wanted,
    make_plan,
    missing,
)
from tablee.games.amerique_1500.state import BARTERING, CRAFTING, PLAYING, State
from tablee.games.amerique_1500.stock import covers
from tablee.games.amerique_1500.turn import CARDS_EXPLORED

TOLERANCE = 0.01  # turns for each missing good, even if a barter will bring it
MAX_PLAN_TURNS = 60.0


@jit
def rough_turns(box: Box, state: State, scratch: Scratch, seat: int) -> float:
    """Return the turns that the plan takes as it stands, without crafting an item first."""
    if discs_wanted(box, state, seat) == 0:
        return 0.0
    make_plan(box, state, scratch, seat, NONE)
    return plan_turns(box, state, seat, scratch.plan)


@jit
def turns_to_go(box: Box, state: State, scratch: Scratch, seat: int) -> float:
    """Return the turns that the plan takes: as it stands or with the best affordable item crafted first, whichever takes fewer."""
    turns = rough_turns(box, state, scratch, seat)
    return with_item(box, state, scratch, seat, turns) if turns > 0 else turns


@jit
def with_item(box: Box, state: State, scratch: Scratch, seat: int, turns: float) -> float:
    """Return `turns`, or the turns with the best item in reach crafted first, if these are fewer."""
    item = best_in_reach(box, state, seat, scratch.bonus)
    if item == NONE:
        return turns
    under_way = is_in(state, seat, CRAFTING) and state.done < crafts(box, state.made[seat])
    crafting = 0.0 if under_way else 1.0 / crafts(box, state.made[seat])
    make_plan(box, state, scratch, seat, item)
    return min(turns, crafting + plan_turns(box, state, seat, scratch.plan))


@jit
def is_in(state: State, seat: int, phase: int) -> bool:
    return state.phase == phase and state.active == seat


@jit
def best_in_reach(box: Box, state: State, seat: int, bonus: Array) -> int:
    """Return the uncrafted item with the highest `bonus` that the seat can pay for, now or after its current barter; NONE without one."""
    uncrafted, best, most = to_make(box, state, seat), NONE, -1
    for item in range(box.items):
        if uncrafted >> item & 1 and bonus[item] > most and in_reach(box, state, seat, item):
            best, most = item, bonus[item]
    return best


@jit
def in_reach(box: Box, state: State, seat: int, item: int) -> bool:
    cost, stock = box.item_cost[item], state.goods[seat]
    if covers(stock, cost):
        return True
    if not is_in(state, seat, BARTERING):
        return False
    short, surplus = 0, 0
    for good in range(KINDS):
        short += max(0, cost[good] - stock[good])
        surplus += max(0, givable(state, seat, good) - cost[good])
    return short * ratio(box, state.full, state.made[seat]) <= surplus


@jit
def plan_turns(box: Box, state: State, seat: int, plan: Grid) -> float:
    """Return the turns of a plan: crafts, then supplies, then a barter unless the right goods come without one."""
    made, wrong = plan[COUNTS, MADE], product(TOLERANCE, missing(plan[LACK]))
    crafting, barter_value = plan[COUNTS, TO_CRAFT] / crafts(box, made), 1.0 / ratio(box, state.full, made)
    bargain = 0.0 if is_in(state, seat, BARTERING) and gap(plan, LACK, HAND, 0.0, barter_value) <= 0 else 1.0
    paid = plays(box, made) - state.done if is_in(state, seat, PLAYING) else 0
    add_gain(plan, LACK, DIE, -crafting)
    straight = supply_turns(box, plan, 0.0, paid)
    add_gain(plan, LACK, DIE, -bargain)
    return wrong + crafting + min(straight, bargain + supply_turns(box, plan, barter_value, paid))


@jit
def add_gain(plan: Grid, row: int, gain: int, times: float) -> None:
    for column in range(COLUMNS):
        plan[row, column] += int(product(times, plan[gain, column]))


@jit
def supply_turns(box: Box, plan: Grid, barter_value: float, paid: int) -> float:
    """Return the actions until the goods are there: the hand is played, then cards are drawn and played, with the die's goods meanwhile.

    `barter_value` is the fraction of a good that a surplus good brings in a barter; 0 without a barter.
    """
    speed, cards = plays(box, plan[COUNTS, MADE]), plan[COUNTS, CARDS]
    if gap(plan, LACK, HAND, 0.0, barter_value) <= 0:
        return 0.0
    if gap(plan, LACK, HAND, 1.0, barter_value) <= 0:
        return max(0.0, product(cards, gains_needed(plan, LACK, HAND, barter_value)) - paid) / speed
    price = 1.0 / (CARDS_EXPLORED + travels(box, plan[COUNTS, MADE])) + 1.0 / speed
    for column in range(COLUMNS):
        plan[REST, column] = plan[LACK, column] - plan[HAND, column] - int(product(cards / speed, plan[DIE, column]))
        plan[DRAW, column] = plan[DECK_CARD, column] + int(product(price, plan[DIE, column]))
    return max(0.0, cards - paid) / speed + product(price, gains_needed(plan, REST, DRAW, barter_value))


@jit
def gap(plan: Grid, lack: int, gain: int, times: float, barter_value: float) -> float:
    """Return the goods still missing after `times` gains, with every surplus bartered away."""
    short = plan[lack, ANY] - product(times, plan[gain, ANY])
    for good in range(KINDS):
        left = plan[lack, good] - product(times, plan[gain, good])
        short += left if left > 0 else product(left, barter_value)
    return short


@jit
def gains_needed(plan: Grid, lack: int, gain: int, barter_value: float) -> float:
    """Return how many gains close the gap.

    The gap is convex and piecewise linear in the number of gains, so Newton's method never overshoots.
    """
    times = 0.0
    for _ in range(KINDS):
        short, fall = plan[lack, ANY] - product(times, plan[gain, ANY]), float(plan[gain, ANY])
        for good in range(KINDS):
            left = plan[lack, good] - product(times, plan[gain, good])
            short += left if left > 0 else product(left, barter_value)
            fall += plan[gain, good] if left > 0 else product(plan[gain, good], barter_value)
        if short < 1.0:
            break
        times = min(MAX_PLAN_TURNS, times + short / max(1.0, fall))
    return times
