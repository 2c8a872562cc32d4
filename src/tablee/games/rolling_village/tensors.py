"""Observations and actions for learners: every sheet as planes, the open duties of the round, and the moves as actions.

Nothing is hidden. Seats that act simultaneously are asked one after the other, and later seats see what earlier seats drew in this round,
as at the table; sheets do not interact, so this does not help them.
"""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, Action, Bounds, Field, offset_of, size_of, write_bits
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, COLUMNS, MAX_ROUNDS, PARK, ROWS, TYPES, Box
from tablee.games.rolling_village.notation import AVENUE_MOVE, KINDS, ROW_LETTERS
from tablee.games.rolling_village.scoring import parks_that_count, score
from tablee.games.rolling_village.state import NOT_ROLLED, SETUP, State

DUTIES = 5

TABLE = (
    Field("round", (1,), NOT_ROLLED, MAX_ROUNDS, "0 during set-up, -1 before"),
    Field("rounds_left", (1,), 0, MAX_ROUNDS + 1, "after this one"),
    Field("dice", (2,), 0, 6, "the higher first"),
    Field("avenue", (ROWS,), 0, 1, "the avenues, A to E, that this roll may score: one, or any"),
    Field("bonus", (1,), 0, 1, "whether this round has a bonus"),
)
SEAT = (
    Field("sheet", (len(TYPES), ROWS, COLUMNS), 0, 1, "a plane for each type: house, forest, lake, park"),
    Field("free", (ROWS, COLUMNS), 0, 1, "the cells without a project"),
    Field("todo", (DUTIES,), 0, 1, "what is left of the round: first die, second die, park, bonus, avenue"),
    Field("bonus_left", (PARK,), 0, 1, "the types that were no bonus yet"),
    Field("points", (1,), 0, INT16_MAX, "so far"),
    Field("parks", (1,), 0, CELLS, "that would count at the end"),
)
ACTIONS = (
    Action("build", AVENUE_MOVE, f"`{KINDS[0].show(0)}`, ... by type, then cell row by row"),
    Action("avenue", ROWS, f"`avenue {ROW_LETTERS[0]}` to `avenue {ROW_LETTERS[-1]}`"),
)
ROUND, LEFT, DICE, AVENUE, BONUS = (offset_of(TABLE, field.name) for field in TABLE)
SHEET, FREE, TODO, BONUS_LEFT, POINTS, PARKS = (offset_of(SEAT, field.name) for field in SEAT)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE), size_of(SEAT)


@jit
def observe(box: Box, state: State, half: int, seat: int, out: Array) -> None:
    row = box.avenue_of[state.dice[0] + state.dice[1]]
    out[ROUND], out[LEFT] = state.turn, box.rounds - state.turn
    out[DICE], out[DICE + 1] = state.dice[0], state.dice[1]
    for each in range(ROWS):
        out[AVENUE + each] = int(state.turn > SETUP and row in (each, ANY_AVENUE))
    out[BONUS] = int(state.turn > SETUP and box.is_bonus[state.turn] > 0)
    for place in range(state.seats):
        write_seat(box, state, (seat + place) % state.seats, out[SEATS_OFFSET + place * SEAT_SIZE : SEATS_OFFSET + (place + 1) * SEAT_SIZE])


@jit
def write_seat(box: Box, state: State, seat: int, out: Array) -> None:
    taken = 0
    for kind in range(PARK + 1):
        write_bits(state.marks[seat, kind], CELLS, out[SHEET + kind * CELLS : SHEET + (kind + 1) * CELLS])
        taken |= state.marks[seat, kind]
    write_bits(~taken, CELLS, out[FREE : FREE + CELLS])
    write_bits(state.todo[seat], DUTIES, out[TODO : TODO + DUTIES])
    write_bits(~state.bonus[seat], PARK, out[BONUS_LEFT : BONUS_LEFT + PARK])
    out[POINTS], out[PARKS] = score(box, state, seat), popcount(parks_that_count(state.marks[seat]))


def bounds(box: Box, start: State) -> Bounds:
    """Return the bounds of a game's decisions, draws and points.

    A seat decides twice in the set-up (V4) and in each round (V5, V6), once more in a bonus round (V8), and once a round for an avenue if
    the dice say so each time (V9). A round scores at most the best stars under as many cells as are filled by then; at most one Park a
    round is created (V6), and all of them may count (V10).
    """
    stars, filled, points = sorted(box.printed, reverse=True), 2, 0
    for number in range(1, box.rounds + 1):
        filled += 2 + int(box.is_bonus[number] > 0)
        points += sum(stars[:filled]) + box.park_points
    return Bounds(start.seats * (filled + box.rounds), box.rounds + 1, points)
