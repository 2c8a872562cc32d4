"""Nine rounds (V3): roll, build, bonus, score. Seats act together and never touch each other's sheet, so their moves commute."""

from __future__ import annotations

import numpy as np

from tablee.core.rule import Array, blank, numbers, popcount, rule
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, PARK, ROWS, TYPES, Box
from tablee.games.rolling_village.building import allowed, duty_met
from tablee.games.rolling_village.notation import AVENUE_MOVE, ROLL_MOVE
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count
from tablee.games.rolling_village.state import A_BONUS, A_PARK, AN_AVENUE, FIRST_DIE, NOT_ROLLED, SECOND_DIE, SETUP, State

MOST_MOVES = len(TYPES) * CELLS


def setup(seats: int, free_types: bool) -> State:
    state = blank(State)
    state.seats, state.free_types, state.turn = seats, int(free_types), NOT_ROLLED
    return state


@rule
def someone_builds(state: State) -> bool:
    for seat in range(state.seats):
        if state.todo[seat]:
            return True
    return False


@rule
def is_over(box: Box, state: State) -> bool:
    return state.turn == box.rounds and not someone_builds(state)


@rule
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    """Writes the seat's legal moves, by type then cell, and returns how many there are."""
    count = 0
    if state.todo[seat] == AN_AVENUE:
        for row in range(ROWS):
            out[row] = AVENUE_MOVE + row
        return ROWS
    for kind in range(PARK + 1):
        bits = allowed(box, state, seat, kind)
        while bits:
            lowest = bits & -bits
            out[count] = kind * CELLS + popcount(lowest - 1)
            count += 1
            bits ^= lowest
    return count


@rule
def apply_roll(box: Box, state: State, move: int) -> None:
    """V3: a new round with these dice; everybody gets the same duties."""
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


@rule
def apply_build(box: Box, state: State, seat: int, move: int) -> None:
    kind, cell = move // CELLS, move % CELLS
    duty = duty_met(box, state, seat, kind, cell)
    state.marks[seat, kind] |= 1 << cell
    state.todo[seat] &= ~duty
    if duty == A_BONUS:
        state.bonus[seat] |= 1 << kind
    if state.turn != SETUP and state.todo[seat] == 0:
        score(box, state, seat, box.avenue_of[state.dice[0] + state.dice[1]])


@rule
def apply_avenue(box: Box, state: State, seat: int, move: int) -> None:
    state.todo[seat] = 0
    score(box, state, seat, move - AVENUE_MOVE)


@rule
def score(box: Box, state: State, seat: int, row: int) -> None:
    state.avenue[seat, state.turn] = row
    state.points[seat, state.turn] = avenue_points(box, state.marks[seat], row)
    if state.turn == box.rounds:
        state.parks[seat] = box.park_points * popcount(parks_that_count(state.marks[seat]))  # V10


@rule
def apply(box: Box, state: State, seat: int, move: int) -> None:
    """Changes the state in place; `Match` hands it a copy of its own."""
    if move >= ROLL_MOVE:
        apply_roll(box, state, move)
    elif move >= AVENUE_MOVE:
        apply_avenue(box, state, seat, move)
    else:
        apply_build(box, state, seat, move)


@rule
def random_games(box: Box, table: list[State], games: int, seed: int) -> int:
    """Whole games from table[0], played on table[1] by uniformly random moves; returns how many moves were made."""
    np.random.seed(seed)
    out, made = numbers(MOST_MOVES), 0
    for _ in range(games):
        table[1] = table[0]
        state = table[1]
        while not is_over(box, state):
            apply_roll(box, state, ROLL_MOVE + random_roll())
            for seat in range(state.seats):
                while state.todo[seat]:
                    apply(box, state, seat, out[np.random.randint(legal(box, state, seat, out))])
                    made += 1
    return made


@rule
def random_roll() -> int:
    a, b = np.random.randint(6), np.random.randint(6)
    return max(a, b) * 6 + min(a, b)
