"""What is counted of a seat, for the networks that were learned (learned_value.py, win_model.py): whole numbers, amounts of goods in 24ths as in
its plan, turns in thousandths. Of another seat's hand nothing is known but its size (R1).
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.amerique_1500.barter import ratio
from tablee.games.amerique_1500.box import (
    ACTING,
    BIAS,
    CARDS_LEFT,
    CRAFTS_LEFT,
    DISCS_LEFT,
    DISCS_WANTED,
    DRAWS,
    FREE,
    GAP,
    GAP_BARTERED,
    GAP_BOTH,
    GAP_PLAYED,
    GOODS_LEFT,
    HAD,
    HELD,
    IN_DECK,
    IN_HAND,
    INPUTS,
    ITEMS_WANTED,
    KINDS,
    NONE,
    OF_SOCIETY,
    PACE,
    PICKS,
    PLAYABLE,
    ROUND,
    SEATS,
    SHORT,
    SURPLUS,
    SWAPPING,
    TO_GO,
    WAIT,
    Box,
)
from tablee.games.amerique_1500.cards import plays
from tablee.games.amerique_1500.craft import crafts
from tablee.games.amerique_1500.pace import gap, is_in, plan_turns, with_item
from tablee.games.amerique_1500.plan import (
    CARDS,
    COLUMNS,
    COUNTS,
    DECK_CARD,
    HAND,
    LACK,
    TO_CRAFT,
    Scratch,
    discs_wanted,
    make_plan,
)
from tablee.games.amerique_1500.requests import DISCS_A_TURN, free_discs
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, PLAYING, SERVING, State
from tablee.games.amerique_1500.stock import total

THOUSAND = 1000
MAX_TURNS = 30  # turns that are told from more,
MAX_ROUNDS = 100  # and rounds; of goods there are never as many that a network's sums would run out of room


@jit
def fill_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> float:
    """Counts what is known of a seat, and returns how many turns its plan takes; one's own may craft first what it can pay for."""
    counted, plan = scratch.inputs, scratch.plan
    for number in range(INPUTS):
        counted[number] = 0
    make_plan(box, state, scratch, seat, NONE)
    counted[BIAS], counted[DISCS_WANTED] = 1, discs_wanted(box, state, seat)
    fill_goods_inputs(box, state, scratch, seat)
    fill_turn_inputs(box, state, scratch, seat)
    pace = plan_turns(box, state, seat, plan) if counted[DISCS_WANTED] else 0.0
    turns = with_item(box, state, scratch, seat, pace) if seat == scratch.viewer and pace > 0 else pace
    counted[PACE], counted[TO_GO] = int(THOUSAND * min(MAX_TURNS, pace)), int(THOUSAND * min(MAX_TURNS, turns))
    return turns


@jit
def fill_goods_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    counted, plan, worth = scratch.inputs, scratch.plan, 1.0 / ratio(box, state.full, state.made[seat])
    for good in range(KINDS):
        counted[SHORT + good], counted[SURPLUS + good] = max(0, plan[LACK, good]), max(0, -plan[LACK, good])
    for column in range(COLUMNS):
        counted[IN_HAND + column], counted[IN_DECK + column] = plan[HAND, column], plan[DECK_CARD, column]
    counted[PLAYABLE], counted[HELD], counted[GOODS_LEFT] = plan[COUNTS, CARDS], state.held[seat], total(state.goods[seat])
    counted[ITEMS_WANTED], counted[FREE] = plan[COUNTS, TO_CRAFT], free_discs(state, seat)
    counted[PICKS], counted[DRAWS] = state.picks[seat], state.draws[seat]
    counted[GAP], counted[GAP_BARTERED] = int(gap(plan, LACK, HAND, 0.0, 0.0)), int(gap(plan, LACK, HAND, 0.0, worth))
    counted[GAP_PLAYED], counted[GAP_BOTH] = int(gap(plan, LACK, HAND, 1.0, 0.0)), int(gap(plan, LACK, HAND, 1.0, worth))
    counted[OF_SOCIETY + state.society[seat]] = 1


@jit
def fill_turn_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    """Where the turn stands, and the round."""
    counted, made = scratch.inputs, state.made[seat]
    counted[ACTING], counted[SWAPPING] = int(is_in(state, seat, ACT)), int(is_in(state, seat, BARTERING))
    if is_in(state, seat, PLAYING):
        counted[CARDS_LEFT] = plays(box, made) - state.done
    if is_in(state, seat, CRAFTING):
        counted[CRAFTS_LEFT] = crafts(box, made) - state.done
    if is_in(state, seat, SERVING):
        counted[DISCS_LEFT] = DISCS_A_TURN - state.done
    counted[ROUND], counted[HAD] = min(MAX_ROUNDS, state.turns // state.seats), has_had_turn(state, seat)
    counted[WAIT], counted[SEATS] = (seat - state.active) % state.seats, state.seats


@jit
def has_had_turn(state: State, seat: int) -> int:
    """Whether the seat has had its turn of this round (A10), or has chosen its action."""
    place = (seat - state.first) % state.seats
    return int(place < state.turns % state.seats or (state.active == seat and BARTERING <= state.phase <= SERVING))
