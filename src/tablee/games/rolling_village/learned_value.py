"""Learned value of a sheet for the search: an integer network with one hidden layer, y = h0 + Σ(-1)^(i+1)·ReLU(hᵢ), h = W·x.

The inputs x are counts on the sheet and a bit for each type and cell. The weights W, one set for each number of rounds left, are in
`learned_value.json` in millionths of a point; `training/rolling_village_value.py` trains them.
"""

from __future__ import annotations

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import jit, popcount
from tablee.core.network import accumulate, output, reset
from tablee.core.struct import Array, Grid, Struct, array_field
from tablee.core.win_probability import win_share
from tablee.games.rolling_village.box import (
    AVENUES,
    BEST_AVENUE,
    BIAS,
    BONUS,
    BONUS_INPUTS,
    BONUSES,
    CELL_INPUTS,
    CELLS,
    COLUMNS,
    COUNT_INPUTS,
    FOREST,
    FREE_POINTS,
    FULL_COLUMNS,
    GROWTH,
    HIDDEN_UNITS,
    HOUSE,
    INPUTS,
    LACK_ONE,
    LACK_THREE,
    LACK_TWO,
    LAKE,
    LATER_GROWTH,
    MAX_SEATS,
    NEW_AVENUES,
    NEXT_BUILD,
    PARK,
    PARKS,
    PLACE_FOR_PARK,
    ROWS,
    Box,
)
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.evaluation import UNBUILT_PENALTY, current_round_points, rounds_left
from tablee.games.rolling_village.scoring import around, park_points, printed_under, score, touching
from tablee.games.rolling_village.state import A_BONUS, BUILDING, State

MILLIONTHS = 1_000_000 // POINT
ROUND_OF_36 = 30  # weight of a point that does not grow: an avenue's points come to about 36/30 of their present value
PARK_COMPLETION = 10 * ROUND_OF_36  # gain of a project that completes a park, in the unit of `joining_gain`
SPREAD_NOW, SPREAD_PER_ROUND = POINT, 600  # spread of the win probability: how far a lead may still shrink
PENDING_BUILD, PENDING_BONUS_PER_ROUND = 2 * POINT, 1350  # expected points of other seats' open duties
CACHED_SHEET, CACHED_SCORE, CACHED_POINTS = range(PARK + 1, PARK + 4)  # columns after the four bitboards
CACHE_COLUMNS = PARK + 4


class Scratch(Struct):
    """Scratch memory of the evaluation."""

    count_inputs: Array = array_field(COUNT_INPUTS, bits=32)
    hidden: Array = array_field(HIDDEN_UNITS, bits=32)  # sums use a seventh of the range on any sheet
    points_by_row: Array = array_field(ROWS)  # points of the avenues
    beside: Array = array_field(CELLS)  # by group of a type: the free cells beside it
    points: Array = array_field(CELLS)  # by group: its points
    rolls: Array = array_field(CELLS)  # by group: of 36 rolls, how many name an avenue that it touches
    rows: Array = array_field(CELLS)  # by group: mask of the avenues that it touches
    sheet_cache: Grid = array_field(MAX_SEATS, CACHE_COLUMNS)  # by other seat: its sheet when last evaluated, and its points


@jit
def search_value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    points, best, left = learned_points(box, state, scratch, seat), 0, rounds_left(box, state)
    for other in range(state.seats):
        if other != seat:
            best = max(best, cached_points(box, state, scratch, other))
    out[POINTS] = points
    out[SHARE] = win_share(points - best, SPREAD_NOW + SPREAD_PER_ROUND * left, state.seats) if state.seats > 1 else WHOLE_SHARE


@jit
def cached_points(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """Return the expected points of another seat's sheet when its round is done, from the cache if the sheet has not changed.

    Most successive positions of a search differ in the searching seat's own sheet only.
    """
    cached, todo, turn = scratch.sheet_cache[seat], state.todo[seat], state.turn + 2
    points, sheet = score(box, state, seat), state.bonus[seat] << 16 | todo << 8 | turn
    same = cached[CACHED_SHEET] == sheet and cached[CACHED_SCORE] == points
    for kind in range(PARK + 1):
        same = same and cached[kind] == state.marks[seat, kind]
    if not same:
        for kind in range(PARK + 1):
            cached[kind] = state.marks[seat, kind]
        cached[CACHED_SHEET], cached[CACHED_SCORE] = sheet, points
        cached[CACHED_POINTS] = learned_points(box, state, scratch, seat) + PENDING_BUILD * popcount(todo & BUILDING)
        if todo & A_BONUS:
            cached[CACHED_POINTS] += PENDING_BONUS_PER_ROUND * rounds_left(box, state)
    return cached[CACHED_POINTS]


@jit
def learned_points(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """Return the expected final points of a sheet, in thousandths."""
    todo, left = state.todo[seat], rounds_left(box, state)
    points = POINT * score(box, state, seat)
    if todo:
        points += POINT * current_round_points(box, state, seat) - UNBUILT_PENALTY * popcount(todo & BUILDING)
    if left == 0:
        return points + (POINT * park_points(box, state.marks[seat]) if todo else 0)
    fill_count_inputs(box, state, scratch, seat, left)
    return points + network_output(box, state, scratch, seat, left * INPUTS) // MILLIONTHS


@jit
def network_output(box: Box, state: State, scratch: Scratch, seat: int, first: int) -> int:
    """Return the expected points of the rounds to come, in millionths; `first` is the first row of their weights."""
    hidden, weights, width = scratch.hidden, box.learned_weights, box.hidden_units
    reset(hidden, width)
    for number in range(COUNT_INPUTS):
        accumulate(hidden, weights, first + number, scratch.count_inputs[number], width)
    for kind in range(PARK + 1):
        accumulate_bits(box, scratch, first + CELL_INPUTS + kind * CELLS, state.marks[seat, kind])
    accumulate_bits(box, scratch, first + BONUS_INPUTS, state.bonus[seat])
    return output(hidden, width)


@jit
def accumulate_bits(box: Box, scratch: Scratch, first: int, bits: int) -> None:
    """Add the row of weights of each set bit to the hidden sums."""
    while bits:
        lowest = bits & -bits
        accumulate(scratch.hidden, box.learned_weights, first + popcount(lowest - 1), 1, box.hidden_units)
        bits ^= lowest


@jit
def fill_count_inputs(box: Box, state: State, scratch: Scratch, seat: int, left: int) -> None:
    inputs, marks, free = scratch.count_inputs, state.marks[seat], empty_cells(state, seat)
    for number in range(COUNT_INPUTS):
        inputs[number] = 0
    for row in range(ROWS):
        scratch.points_by_row[row] = 0
        inputs[FREE_POINTS] += box.rolls_by_row[row] * printed_under(box, free & box.avenues[row])
    for column in range(COLUMNS):
        inputs[FULL_COLUMNS] += int(free & box.columns[column] == 0)
    fill_park_inputs(box, scratch, marks, free)
    bonuses = 0
    for kind in range(PARK):
        best = fill_type_inputs(box, scratch, marks, free, kind, left)
        if not state.bonus[seat] >> kind & 1:
            bonuses += 1
            inputs[BONUS] = max(inputs[BONUS], best)
            inputs[BONUSES] += best
    inputs[BIAS], inputs[BONUSES] = 1, inputs[BONUSES] // max(1, bonuses)
    for row in range(ROWS):
        inputs[AVENUES] += box.rolls_by_row[row] * scratch.points_by_row[row]
        inputs[BEST_AVENUE] = max(inputs[BEST_AVENUE], scratch.points_by_row[row])


@jit
def fill_park_inputs(box: Box, scratch: Scratch, marks: Array, free: int) -> None:
    """Fill the inputs about parks: those that count (V10), and those that lack neighbours but may still get them."""
    inputs = scratch.count_inputs
    houses, forests, lakes = around(marks[HOUSE]), around(marks[FOREST]), around(marks[LAKE])
    one, two, three = houses | forests | lakes, houses & forests | houses & lakes | forests & lakes, houses & forests & lakes
    open_parks = marks[PARK] & ~three & around(free)
    inputs[PARKS] = park_points(box, marks)
    inputs[LACK_ONE] = popcount(open_parks & two)
    inputs[LACK_TWO] = popcount(open_parks & one & ~two)
    inputs[LACK_THREE] = popcount(open_parks & ~one)
    inputs[PLACE_FOR_PARK] = int(free & three != 0)


@jit
def fill_type_inputs(box: Box, scratch: Scratch, marks: Array, free: int, kind: int, left: int) -> int:
    """Fill the inputs about one type: its groups, and the gain of its next project in each column; return the largest gain."""
    groups, beside, best = fill_group_inputs(box, scratch, marks[kind], free), around(marks[kind]), 0
    waiting = marks[PARK] & around(marks[(kind + 1) % PARK]) & around(marks[(kind + 2) % PARK]) & ~around(marks[kind])
    for column in range(COLUMNS):
        cells_free, most = free & box.columns[column], 0
        while cells_free:
            bit = cells_free & -cells_free
            cells_free ^= bit
            cell = popcount(bit - 1)
            gain = left * (
                joining_gain(box, scratch, groups, bit, cell) if beside & bit else box.printed[cell] * box.rolls_by_row[cell // COLUMNS]
            )
            if waiting and around(bit) & waiting:
                gain += PARK_COMPLETION * popcount(around(bit) & waiting)
            most = max(most, gain)
        scratch.count_inputs[NEXT_BUILD] += most
        best = max(best, most)
    return best


@jit
def fill_group_inputs(box: Box, scratch: Scratch, mark: int, free: int) -> int:
    """Fill the inputs about the groups of one type, store the groups in `scratch`, and return how many there are."""
    groups, inputs = 0, scratch.count_inputs
    while mark:
        group = touching(mark, mark & -mark)
        mark ^= group
        points, beside, rolls, rows, more = printed_under(box, group), around(group) & free, 0, 0, 0
        for row in range(ROWS):
            if group & box.avenues[row]:
                rolls, rows = rolls + box.rolls_by_row[row], rows | 1 << row
                scratch.points_by_row[row] += points
            elif beside & box.avenues[row]:
                more += box.rolls_by_row[row]
        inputs[GROWTH] += rolls * printed_under(box, beside)
        inputs[LATER_GROWTH] += rolls * printed_under(box, around(beside) & free & ~beside)
        inputs[NEW_AVENUES] += more * points
        scratch.beside[groups], scratch.points[groups], scratch.rolls[groups], scratch.rows[groups] = beside, points, rolls, rows
        groups += 1
    return groups


@jit
def joining_gain(box: Box, scratch: Scratch, groups: int, bit: int, cell: int) -> int:
    """Return what the avenues gain, in 36ths of a round's points, if a project on this cell joins the groups beside it."""
    points, rows, before = box.printed[cell], 1 << cell // COLUMNS, 0
    for group in range(groups):
        if scratch.beside[group] & bit:
            points += scratch.points[group]
            rows |= scratch.rows[group]
            before += scratch.points[group] * scratch.rolls[group]
    return points * box.rolls_by_mask[rows] - before
