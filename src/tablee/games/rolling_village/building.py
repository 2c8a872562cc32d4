"""The building phase: the cells that a project may go to (V4-V8), and the duty that it fulfils."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.games.rolling_village.box import COLUMNS, FOREST, HOUSE, LAKE, PARK, WHOLE_SHEET, Box
from tablee.games.rolling_village.state import A_BONUS, A_PARK, BUILDING, FIRST_DIE, SECOND_DIE, SETUP, State


@jit
def empty_cells(state: State, seat: int) -> int:
    taken = state.marks[seat, HOUSE] | state.marks[seat, FOREST] | state.marks[seat, LAKE] | state.marks[seat, PARK]
    return WHOLE_SHEET & ~taken


@jit
def cells_for_face(box: Box, empty: int, face: int) -> int:
    """Return the empty cells of the face's column or of the nearest column with room; of two equally near, the roomier (V7, R2)."""
    column = face - 1
    if empty & box.columns[column]:
        return empty & box.columns[column]
    for distance in range(1, COLUMNS):
        left = empty & box.columns[column - distance] if column >= distance else 0
        right = empty & box.columns[column + distance] if column + distance < COLUMNS else 0
        if left | right:
            return column_with_more(left, right)
    return 0


@jit
def column_with_more(left: int, right: int) -> int:
    more = popcount(left) - popcount(right)
    if more > 0:
        return left
    if more < 0:
        return right
    return left | right


@jit
def allowed_cells(box: Box, state: State, seat: int, kind: int) -> int:
    """Return the cells on which the seat may now create a project of this type."""
    todo, empty = state.todo[seat], empty_cells(state, seat)
    if state.turn == SETUP:
        return allowed_setup_cells(box, state, seat, kind)
    if todo & BUILDING:
        found = 0
        if todo & FIRST_DIE and kind == box.type_of[state.dice[0]]:  # V5
            found |= cells_for_face(box, empty, state.dice[1])
        if todo & SECOND_DIE and kind == box.type_of[state.dice[1]]:
            found |= cells_for_face(box, empty, state.dice[0])
        if todo & A_PARK and kind == PARK:  # V6
            found |= empty
        return found
    if todo & A_BONUS and kind != PARK and not state.bonus[seat] >> kind & 1:  # V8
        return empty
    return 0


@jit
def allowed_setup_cells(box: Box, state: State, seat: int, kind: int) -> int:
    """Return the cells for set-up: one project in each rolled column, no Park (V4), two different types unless types are free (R1)."""
    todo, found = state.todo[seat], 0
    if kind == PARK or (state.marks[seat, kind] and not state.free_types):
        return 0
    if todo & FIRST_DIE:
        found |= box.columns[state.dice[0] - 1]
    if todo & SECOND_DIE:
        found |= box.columns[state.dice[1] - 1]
    return found & empty_cells(state, seat)


@jit
def duty_met(box: Box, state: State, seat: int, kind: int, cell: int) -> int:
    """Return the duty that this project fulfils; of two, the die whose own column it is in, then the higher die (R3)."""
    todo, bit, empty = state.todo[seat], 1 << cell, empty_cells(state, seat)
    if not todo & BUILDING:
        return A_BONUS
    if kind == PARK:
        return A_PARK
    first_face, second_face = state.dice[1], state.dice[0]
    if state.turn == SETUP:
        first_face, second_face = state.dice[0], state.dice[1]
        return FIRST_DIE if todo & FIRST_DIE and bit & box.columns[first_face - 1] else SECOND_DIE
    first = todo & FIRST_DIE and kind == box.type_of[state.dice[0]] and bit & cells_for_face(box, empty, first_face)
    second = todo & SECOND_DIE and kind == box.type_of[state.dice[1]] and bit & cells_for_face(box, empty, second_face)
    if first and second:
        return SECOND_DIE if bit & box.columns[second_face - 1] else FIRST_DIE
    return FIRST_DIE if first else SECOND_DIE
