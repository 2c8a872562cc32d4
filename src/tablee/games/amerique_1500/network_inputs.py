"""Inputs of the learned networks (learned_value.py, win_model.py): integers that describe a seat.

Goods are in 24ths, as in a plan, and turns in thousandths. Of another seat's hand only the size is an input (R1).
"""

from __future__ import annotations

from tablee.core.jit import jit, product
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
MAX_TURNS = 30  # more turns are clipped
MAX_ROUNDS = 100  # more rounds are clipped; goods never overflow the sums of a network


@jit
def fill_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> float:
    """Fill the inputs for a seat, and return the turns that its plan takes; the viewer's plan may first craft an affordable item."""
    inputs, plan = scratch.inputs, scratch.plan
    for number in range(INPUTS):
        inputs[number] = 0
    make_plan(box, state, scratch, seat, NONE)
    inputs[BIAS], inputs[DISCS_WANTED] = 1, discs_wanted(box, state, seat)
    fill_goods_inputs(box, state, scratch, seat)
    fill_turn_inputs(box, state, scratch, seat)
    pace = plan_turns(box, state, seat, plan) if inputs[DISCS_WANTED] else 0.0
    turns = with_item(box, state, scratch, seat, pace) if seat == scratch.viewer and pace > 0 else pace
    inputs[PACE], inputs[TO_GO] = int(product(THOUSAND, min(MAX_TURNS, pace))), int(product(THOUSAND, min(MAX_TURNS, turns)))
    return turns


@jit
def fill_goods_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    inputs, plan, barter_value = scratch.inputs, scratch.plan, 1.0 / ratio(box, state.full, state.made[seat])
    for good in range(KINDS):
        inputs[SHORT + good], inputs[SURPLUS + good] = max(0, plan[LACK, good]), max(0, -plan[LACK, good])
    for column in range(COLUMNS):
        inputs[IN_HAND + column], inputs[IN_DECK + column] = plan[HAND, column], plan[DECK_CARD, column]
    inputs[PLAYABLE], inputs[HELD], inputs[GOODS_LEFT] = plan[COUNTS, CARDS], state.held[seat], total(state.goods[seat])
    inputs[ITEMS_WANTED], inputs[FREE] = plan[COUNTS, TO_CRAFT], free_discs(state, seat)
    inputs[PICKS], inputs[DRAWS] = state.picks[seat], state.draws[seat]
    inputs[GAP], inputs[GAP_BARTERED] = int(gap(plan, LACK, HAND, 0.0, 0.0)), int(gap(plan, LACK, HAND, 0.0, barter_value))
    inputs[GAP_PLAYED], inputs[GAP_BOTH] = int(gap(plan, LACK, HAND, 1.0, 0.0)), int(gap(plan, LACK, HAND, 1.0, barter_value))
    inputs[OF_SOCIETY + state.society[seat]] = 1


@jit
def fill_turn_inputs(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    """Fill the inputs about the turn and the round."""
    inputs, made = scratch.inputs, state.made[seat]
    inputs[ACTING], inputs[SWAPPING] = int(is_in(state, seat, ACT)), int(is_in(state, seat, BARTERING))
    if is_in(state, seat, PLAYING):
        inputs[CARDS_LEFT] = plays(box, made) - state.done
    if is_in(state, seat, CRAFTING):
        inputs[CRAFTS_LEFT] = crafts(box, made) - state.done
    if is_in(state, seat, SERVING):
        inputs[DISCS_LEFT] = DISCS_A_TURN - state.done
    inputs[ROUND], inputs[HAD] = min(MAX_ROUNDS, state.turns // state.seats), has_had_turn(state, seat)
    inputs[WAIT], inputs[SEATS] = (seat - state.active) % state.seats, state.seats


@jit
def has_had_turn(state: State, seat: int) -> int:
    """Return whether the seat has had its turn of this round (A10), or has chosen its action."""
    place = (seat - state.first) % state.seats
    return int(place < state.turns % state.seats or (state.active == seat and BARTERING <= state.phase <= SERVING))
