"""Features of the position after a move, for learners that compare legal moves (`core/candidates.py`): what is counted on a sheet."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, Field, offset_of, size_of, to_int16, write_bits
from tablee.games.rolling_village.box import (
    ANY_AVENUE,
    CELLS,
    COLUMNS,
    COUNT_INPUTS,
    MAX_ROUNDS,
    NEXT_BUILD,
    PARK,
    ROWS,
    TYPES,
    Box,
)
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.evaluation import current_round_points, rounds_left
from tablee.games.rolling_village.learned_value import Scratch, fill_count_inputs
from tablee.games.rolling_village.scoring import around, printed_under, score, touching
from tablee.games.rolling_village.state import SETUP, State

DUTIES = 5
ROLLS = 36

TABLE_FEATURES = (
    Field("left", (1,), 0, MAX_ROUNDS + 1, "rounds after this one"),
    Field("dice", (2, 6), 0, 1, "the higher die, then the other, a bit for each face"),
    Field("avenue", (ROWS,), 0, 1, "the avenues, A to E, that this roll may score"),
)
SEAT_FEATURES = (
    Field("points", (1,), 0, INT16_MAX, "so far"),
    Field("gained", (1,), 0, INT16_MAX, "points since before the move"),
    Field("now", (1,), 0, INT16_MAX, "points of this round, if it ended now"),
    Field("todo", (DUTIES,), 0, 1, "what is left of the round: first die, second die, park, bonus, avenue"),
    Field("bonus_left", (PARK,), 0, 1, "the types that were no bonus yet"),
    Field("stars", (PARK, ROWS), 0, INT16_MAX, "points of the groups that touch each avenue: houses, forests, lakes"),
    Field("growth", (PARK, ROWS), 0, INT16_MAX, "points of the free cells beside these groups"),
    Field("free", (COLUMNS,), 0, ROWS, "free cells in each column"),
    Field("counts", (COUNT_INPUTS,), 0, INT16_MAX, "the first inputs of the network of the search (`learned_value.py`)"),
    Field("sheet", (len(TYPES), ROWS, COLUMNS), 0, 1, "a plane for each type: house, forest, lake, park"),
)
LEFT, DICE, AVENUE = (offset_of(TABLE_FEATURES, field.name) for field in TABLE_FEATURES)
POINTS, GAINED, NOW, TODO, BONUS_LEFT, STARS, GROWTH, FREE, COUNTS, SHEET = (
    offset_of(SEAT_FEATURES, field.name) for field in SEAT_FEATURES
)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE_FEATURES), size_of(SEAT_FEATURES)


@jit
def write_features(box: Box, before: State, after: State, scratch: Scratch, seat: int, out: Array) -> None:
    row = box.avenue_of[after.dice[0] + after.dice[1]]
    out[LEFT] = rounds_left(box, after)
    for die in range(2):
        write_bits(1 << after.dice[die] >> 1, 6, out[DICE + 6 * die : DICE + 6 * die + 6])
    for each in range(ROWS):
        out[AVENUE + each] = int(after.turn > SETUP and row in (each, ANY_AVENUE))
    for place in range(after.seats):
        first = SEATS_OFFSET + place * SEAT_SIZE
        write_seat(box, before, after, scratch, (seat + place) % after.seats, out[first : first + SEAT_SIZE])


@jit
def write_seat(box: Box, before: State, after: State, scratch: Scratch, seat: int, out: Array) -> None:
    marks, todo, free = after.marks[seat], after.todo[seat], empty_cells(after, seat)
    out[POINTS] = score(box, after, seat)
    out[GAINED] = out[POINTS] - score(box, before, seat)
    out[NOW] = current_round_points(box, after, seat) if todo else 0
    write_bits(todo, DUTIES, out[TODO:BONUS_LEFT])
    write_bits(~after.bonus[seat], PARK, out[BONUS_LEFT:STARS])
    write_avenues(box, marks, free, out)
    for column in range(COLUMNS):
        out[FREE + column] = popcount(free & box.columns[column])
    fill_count_inputs(box, after, scratch, seat, rounds_left(box, after))
    for number in range(COUNT_INPUTS):
        out[COUNTS + number] = to_int16(scratch.count_inputs[number] // (ROLLS if number == NEXT_BUILD else 1))
    for kind in range(PARK + 1):
        write_bits(marks[kind], CELLS, out[SHEET + kind * CELLS : SHEET + (kind + 1) * CELLS])


@jit
def write_avenues(box: Box, marks: Array, free: int, out: Array) -> None:
    """Write the points of each type's groups on each avenue, and of the free cells beside them."""
    for kind in range(PARK):
        for row in range(ROWS):
            groups = touching(marks[kind], box.avenues[row])
            out[STARS + kind * ROWS + row] = printed_under(box, groups)
            out[GROWTH + kind * ROWS + row] = printed_under(box, around(groups) & free)
