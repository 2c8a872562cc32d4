"""The two explorers: the bonus in their columns (M13), their moves west (M15), and the settlers they leave behind (M16, M17)."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.mayflower.box import SETTLERS, Box
from tablee.games.mayflower.features import column_under, subject_of
from tablee.games.mayflower.move_effects import MOVED, WENT_HOME, record_effect
from tablee.games.mayflower.settlers import go_home, is_trapper
from tablee.games.mayflower.stands import AT_HOME, Stand, Subject
from tablee.games.mayflower.state import State, stand_of

BONUS = 4  # M13


@jit
def explorers_in(state: State, column: int) -> int:
    return int(state.explorers[0] == column) + int(state.explorers[1] == column)


@jit
def explorers_beside(state: State, seat: int, subject: Subject) -> int:
    """Count, for each of a seat's settlers on a feature, the explorers in its column (M13)."""
    count = 0
    for number in range(SETTLERS):
        stand = stand_of(state, seat, number)
        if stand != AT_HOME and subject_of(state, stand) == subject:
            count += explorers_in(state, column_under(state, stand))
    return count


@jit
def next_explorer(state: State) -> int:
    """Return the explorer that moves next, the easternmost (M15).

    If both are in one column, explorer 0 moves; so explorer 0 is never east of explorer 1.
    """
    return 0 if state.explorers[0] == state.explorers[1] else 1


@jit
def can_move(state: State) -> bool:
    """Return whether the next explorer can move: only into a column with a land tile (M15).

    Columns fill from the coast without a gap.
    """
    return state.explorers[next_explorer(state)] < state.westmost


@jit
def is_left_behind(box: Box, state: State, stand: Stand) -> bool:
    """Return whether a settler stands east of both explorers and is not a trapper (M16, M17)."""
    return stand != AT_HOME and not is_trapper(box, state, stand) and column_under(state, stand) < state.explorers[1]


@jit
def explore(box: Box, state: State) -> None:
    """Move one explorer after a scored feature and send the settlers left behind home at once (M15, M16)."""
    if not can_move(state):
        return
    explorer = next_explorer(state)
    state.explorers[explorer] += 1
    record_effect(state, MOVED, 0, state.explorers[explorer])
    for seat in range(state.seats):
        for number in range(SETTLERS):
            stand = stand_of(state, seat, number)
            if is_left_behind(box, state, stand):
                record_effect(state, WENT_HOME, seat, stand)
                go_home(state, seat, number)
