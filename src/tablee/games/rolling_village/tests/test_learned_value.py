"""Learned value: inputs counted by bitboard against inputs counted by building, and the network's sums against NumPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tablee.core.contract import VALUES
from tablee.core.struct import int_array
from tablee.games.rolling_village.box import (
    BONUS_INPUTS,
    CELL_INPUTS,
    CELLS,
    COLUMNS,
    COUNT_INPUTS,
    HIDDEN_UNITS,
    INPUTS,
    MAX_ROUNDS,
    NEXT_BUILD,
    PARK,
    ROWS,
)
from tablee.games.rolling_village.learned_value import PARK_COMPLETION, Scratch, search_value
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import BOX, sheet
from tablee.games.rolling_village.turn import setup

SHEETS = st.lists(st.sampled_from("HFLP.."), min_size=CELLS, max_size=CELLS).map(" ".join)
ROUNDS = st.integers(0, MAX_ROUNDS - 1)
INT32_RANGE = 2**31  # a sum is an int32


def position(drawing: str, turn: int, bonus: int = 0) -> State:
    state = setup(1, free_types=False)
    state.turn, state.marks[0], state.bonus[0] = turn, sheet(drawing), bonus
    return state


def evaluated(state: State) -> Scratch:
    scratch = Scratch()
    search_value(BOX, state, scratch, 0, int_array(VALUES))
    return scratch


@given(SHEETS, ROUNDS, st.integers(0, 7))
def test_the_sums_of_the_network_are_what_plain_numbers_come_to_and_leave_room(drawing: str, turn: int, bonus: int) -> None:
    state = position(drawing, turn, bonus)
    found = evaluated(state)
    inputs = np.zeros(INPUTS, np.int64)
    inputs[:COUNT_INPUTS] = list(found.count_inputs)
    for kind in range(PARK + 1):
        inputs[CELL_INPUTS + kind * CELLS :][:CELLS] = [state.marks[0, kind] >> cell & 1 for cell in range(CELLS)]
    inputs[BONUS_INPUTS:] = [bonus >> kind & 1 for kind in range(PARK)]
    left = BOX.rounds - turn
    weights = np.array([list(BOX.learned_weights[left * INPUTS + number]) for number in range(INPUTS)], np.int64)
    sums = np.cumsum(weights * inputs[:, None], axis=0)
    assert list(found.hidden) == sums[-1].tolist()
    assert len(found.hidden) == BOX.hidden_units == HIDDEN_UNITS
    assert abs(sums).max() < INT32_RANGE // 4, "another printing of the sheet may have more points"


@given(SHEETS, ROUNDS)
def test_what_the_next_project_may_bring_is_what_the_avenues_gain_when_it_is_built(drawing: str, turn: int) -> None:
    state = position(drawing, turn)
    taken, most = sum(state.marks[0, kind] for kind in range(PARK + 1)), 0
    for kind in range(PARK):
        for column in range(COLUMNS):
            free = [cell for cell in range(column, CELLS, COLUMNS) if not taken >> cell & 1]
            most += max((gain_of(state, kind, cell) for cell in free), default=0)
    assert evaluated(state).count_inputs[NEXT_BUILD] == most


def gain_of(state: State, kind: int, cell: int) -> int:
    """Return the gain, in 36ths of a point, for all rounds to come; a park that now counts adds PARK_COMPLETION."""
    built = state.copy()
    built.marks[0, kind] |= 1 << cell
    avenues = sum(
        BOX.rolls_by_row[row] * (avenue_points(BOX, built.marks[0], row) - avenue_points(BOX, state.marks[0], row)) for row in range(ROWS)
    )
    parks = bin(parks_that_count(built.marks[0])).count("1") - bin(parks_that_count(state.marks[0])).count("1")
    return (BOX.rounds - state.turn) * avenues + PARK_COMPLETION * parks
