"""The nine rounds (V3): roll, build, bonus, score.

Seats act together and never touch each other's sheet, so their moves commute.
"""

from __future__ import annotations

from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.jit import jit, popcount
from tablee.core.struct import Array
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, PARK, ROWS, TYPES, Box
from tablee.games.rolling_village.building import allowed_cells, duty_met
from tablee.games.rolling_village.notation import AVENUE_MOVE, ROLL_MOVE
from tablee.games.rolling_village.scoring import avenue_points, park_points
from tablee.games.rolling_village.state import A_BONUS, A_PARK, AN_AVENUE, FIRST_DIE, NOT_ROLLED, SECOND_DIE, SETUP, State

MOST_MOVES = len(TYPES) * CELLS


def setup(seats: int, free_types: bool) -> State:
    state = State()
    state.seats, state.free_types, state.turn = seats, int(free_types), NOT_ROLLED
    return state


@jit
def to_act(box: Box, state: State) -> int:
    """Return the mask of all seats with open duties in this round (V3), or NATURE_NEXT, or OVER."""
    seats = 0
    for seat in range(state.seats):
        if state.todo[seat]:
            seats |= 1 << seat
    if seats:
        return seats
    return OVER if state.turn == box.rounds else NATURE_NEXT


@jit
def odds(box: Box, state: State, out: Array, weights: Array) -> int:
    """Write the 21 rolls of two dice, a double with weight 1 and any other roll with weight 2; return their number."""
    count = 0
    for one in range(6):
        for other in range(one + 1):
            out[count], weights[count] = ROLL_MOVE + one * 6 + other, 1 if one == other else 2
            count += 1
    return count


@jit
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    """Write the seat's legal moves, by type then cell, and return their number."""
    count = 0
    if state.todo[seat] == AN_AVENUE:
        for row in range(ROWS):
            out[row] = AVENUE_MOVE + row
        return ROWS
    for kind in range(PARK + 1):
        bits = allowed_cells(box, state, seat, kind)
        while bits:
            lowest = bits & -bits
            out[count] = kind * CELLS + popcount(lowest - 1)
            count += 1
            bits ^= lowest
    return count


@jit
def apply_roll(box: Box, state: State, move: int) -> None:
    """Start a round with these dice; every seat gets the same duties (V3)."""
    state.dice[0], state.dice[1] = (move - ROLL_MOVE) // 6 + 1, (move - ROLL_MOVE) % 6 + 1
    state.turn += 1
    todo = FIRST_DIE | SECOND_DIE
    if state.turn != SETUP:
        if state.dice[0] == state.dice[1]:
            todo = FIRST_DIE | A_PARK  # V6
        if box.is_bonus[state.turn]:
            todo |= A_BONUS  # V8
        if box.avenue_of[state.dice[0] + state.dice[1]] == ANY_AVENUE:
            todo |= AN_AVENUE  # V9
    for seat in range(state.seats):
        state.todo[seat] = todo


@jit
def apply_build(box: Box, state: State, seat: int, move: int) -> None:
    kind, cell = move // CELLS, move % CELLS
    duty = duty_met(box, state, seat, kind, cell)
    state.marks[seat, kind] |= 1 << cell
    state.todo[seat] &= ~duty
    if duty == A_BONUS:
        state.bonus[seat] |= 1 << kind
    if state.turn != SETUP and state.todo[seat] == 0:
        score_round(box, state, seat, box.avenue_of[state.dice[0] + state.dice[1]])


@jit
def apply_avenue(box: Box, state: State, seat: int, move: int) -> None:
    state.todo[seat] = 0
    score_round(box, state, seat, move - AVENUE_MOVE)


@jit
def score_round(box: Box, state: State, seat: int, row: int) -> None:
    state.avenue[seat, state.turn] = row
    state.points[seat, state.turn] = avenue_points(box, state.marks[seat], row)
    if state.turn == box.rounds:
        state.parks[seat] = park_points(box, state.marks[seat])


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    """Apply a move to the state in place; `Match` passes a copy."""
    if move >= ROLL_MOVE:
        apply_roll(box, state, move)
    elif move >= AVENUE_MOVE:
        apply_avenue(box, state, seat, move)
    else:
        apply_build(box, state, seat, move)
