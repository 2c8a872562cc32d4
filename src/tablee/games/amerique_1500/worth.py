"""What a position is worth to a seat, for the greedy bot: how many turns its plan still takes, the fewer the better.

A turn is an action, so the plan is priced in actions: so many crafts, cards drawn and played until the goods are there, and a barter if the
right ones are not. A step under way has its action paid already; that is how a single swap, play or take is worth what it leads to.
What other seats hold in their hands is never looked at (R1).
"""

from __future__ import annotations

from tablee.core.game import Seat
from tablee.core.rule import Grid, popcount, rule
from tablee.games.amerique_1500.barter import givable, ratio
from tablee.games.amerique_1500.box import KINDS, NONE, Box
from tablee.games.amerique_1500.cards import plays
from tablee.games.amerique_1500.craft import crafts, to_make, travels
from tablee.games.amerique_1500.ending import team_discs, wins
from tablee.games.amerique_1500.plan import (
    ANY,
    BONUS,
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
    discs_wanted,
    make_plan,
    missing,
)
from tablee.games.amerique_1500.state import BARTERING, CRAFTING, OVER, PLAYING, SERVING, State
from tablee.games.amerique_1500.stock import covers, total
from tablee.games.amerique_1500.turn import CARDS_EXPLORED

FINE = 10_000  # worth is a whole number of ten-thousandths of a turn, so that equal positions are equal wherever they are computed
DISC = 0.25  # a disc on a request is safe from good neighbours
GOOD = 0.01  # goods left break a tie (A10)
STEP = 0.001  # of two equal ways the shorter
TEAM_DISC = 6.0  # more than it costs to plan for the next one
TEAM = 0.5  # what a mate's turn counts against one's own
RIVAL = 0.002
WRONG = 0.01  # goods that are missing, even where a barter will bring them
NO_BARTER = 1 << 20  # a rate at which nobody barters
TOO_LONG = 60.0
LONG_GAME = 100  # turns: a game won or lost outweighs all plans


def appraise(box: Box, state: State, seat: Seat) -> float:
    return float(position_worth(box, state, int(seat)))


@rule
def position_worth(box: Box, state: State, seat: int) -> int:
    if state.phase == OVER:
        return LONG_GAME * FINE * (1 if wins(state, seat) else -1)
    worth = GOOD * total(state.goods[seat]) + DISC * popcount(state.placed[seat]) - turns_to_go(box, state, seat, True)
    if state.together:
        worth += TEAM_DISC * team_discs(state)
    for other in range(state.seats):
        if other != seat:
            worth += mate_worth(box, state, other) if state.together else rival_worth(state, other)
    if BARTERING <= state.phase <= SERVING and state.active == seat:
        worth -= STEP if state.phase == SERVING else 2 * STEP
    return int(worth * FINE)


@rule
def mate_worth(box: Box, state: State, seat: int) -> float:
    return -TEAM * turns_to_go(box, state, seat, False)


@rule
def rival_worth(state: State, seat: int) -> float:
    return -RIVAL * total(state.goods[seat]) * (1 + popcount(state.placed[seat]))


@rule
def turns_to_go(box: Box, state: State, seat: int, own: bool) -> float:
    """By the plan as it stands, or by crafting first the best item that can be paid for."""
    if discs_wanted(box, state, seat) == 0:
        return 0.0
    plan = make_plan(box, state, seat, own, NONE)
    turns = plan_turns(box, state, seat, plan)
    item = best_in_reach(box, state, seat, plan)
    if item == NONE:
        return turns
    under_way = is_in(state, seat, CRAFTING) and state.done < crafts(box, state.made[seat])
    crafting = 0.0 if under_way else 1.0 / crafts(box, state.made[seat])
    ahead = make_plan(box, state, seat, own, item)
    return min(turns, crafting + plan_turns(box, state, seat, ahead))


@rule
def is_in(state: State, seat: int, phase: int) -> bool:
    return state.phase == phase and state.active == seat


@rule
def best_in_reach(box: Box, state: State, seat: int, plan: Grid) -> int:
    """Of the items that can be paid for, after the barter under way if there is one, that which helps most; or NONE."""
    waiting, best, most = to_make(box, state, seat), NONE, -1
    for item in range(box.items):
        if waiting >> item & 1 and plan[BONUS, item] > most and in_reach(box, state, seat, item):
            best, most = item, plan[BONUS, item]
    return best


@rule
def in_reach(box: Box, state: State, seat: int, item: int) -> bool:
    cost, stock = box.item_cost[item], state.goods[seat]
    if covers(stock, cost):
        return True
    if not is_in(state, seat, BARTERING):
        return False
    short, spare = 0, 0
    for good in range(KINDS):
        short += max(0, cost[good] - stock[good])
        spare += max(0, givable(state, seat, good) - cost[good])
    return short * ratio(box, state.full, state.made[seat]) <= spare


@rule
def plan_turns(box: Box, state: State, seat: int, plan: Grid) -> float:
    """Crafts, then supplies, then a barter unless the right goods come by themselves."""
    made, wrong = plan[COUNTS, MADE], WRONG * missing(plan[LACK])
    crafting, rate = plan[COUNTS, TO_CRAFT] / crafts(box, made), ratio(box, state.full, made)
    bargain = 0.0 if is_in(state, seat, BARTERING) and gap(plan, LACK, HAND, 0.0, rate) <= 0 else 1.0
    paid = plays(box, made) - state.done if is_in(state, seat, PLAYING) else 0
    add(plan, LACK, DIE, -crafting)
    straight = supply_turns(box, plan, NO_BARTER, paid)
    add(plan, LACK, DIE, -bargain)
    return wrong + crafting + min(straight, bargain + supply_turns(box, plan, rate, paid))


@rule
def add(plan: Grid, row: int, gain: int, times: float) -> None:
    for column in range(COLUMNS):
        plan[row, column] += int(times * plan[gain, column])


@rule
def supply_turns(box: Box, plan: Grid, rate: int, paid: int) -> float:
    """Actions until the goods are there: the hand is played, then cards are drawn and played. The die helps meanwhile."""
    speed, cards = plays(box, plan[COUNTS, MADE]), plan[COUNTS, CARDS]
    if gap(plan, LACK, HAND, 0.0, rate) <= 0:
        return 0.0
    if gap(plan, LACK, HAND, 1.0, rate) <= 0:
        return max(0.0, cards * needed(plan, LACK, HAND, rate) - paid) / speed
    price = 1.0 / (CARDS_EXPLORED + travels(box, plan[COUNTS, MADE])) + 1.0 / speed
    for column in range(COLUMNS):
        plan[REST, column] = plan[LACK, column] - plan[HAND, column] - int(cards / speed * plan[DIE, column])
        plan[DRAW, column] = plan[DECK_CARD, column] + int(price * plan[DIE, column])
    return max(0.0, cards - paid) / speed + price * needed(plan, REST, DRAW, rate)


@rule
def gap(plan: Grid, lack: int, gain: int, times: float, rate: int) -> float:
    """What is still missing after so many gains, when every surplus is bartered away."""
    short = plan[lack, ANY] - times * plan[gain, ANY]
    for good in range(KINDS):
        left = plan[lack, good] - times * plan[gain, good]
        short += left if left > 0 else left / rate
    return short


@rule
def needed(plan: Grid, lack: int, gain: int, rate: int) -> float:
    """How many gains close the gap. It falls along straight lines that flatten, so Newton's steps never overshoot."""
    times = 0.0
    for _ in range(KINDS):
        short, fall = plan[lack, ANY] - times * plan[gain, ANY], float(plan[gain, ANY])
        for good in range(KINDS):
            left = plan[lack, good] - times * plan[gain, good]
            short += left if left > 0 else left / rate
            fall += plan[gain, good] if left > 0 else plan[gain, good] / rate
        if short < 1.0:
            break
        times = min(TOO_LONG, times + short / max(1.0, fall))
    return times
