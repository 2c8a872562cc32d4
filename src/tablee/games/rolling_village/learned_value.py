"""What a sheet is worth as a search sees it: a small network, in whole numbers. What can be counted on the sheet and what stands on its
cells is added up many times, each time with other weights; the first sum counts as it is, the others only where they are above nothing.
The weights are learned (`bench/train_rolling_village.py`) and lie in `learned_value.json`, others for each number of rounds to come, in millionths of a point.
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
from tablee.games.rolling_village.scoring import around, parks_that_count, printed_under, score, touching
from tablee.games.rolling_village.state import A_BONUS, BUILDING, State

MILLIONTHS = 1_000_000 // POINT
ROUND_OF_36 = 30  # an avenue's points count about 36/30 of what they are, for sheets grow
PARK_COMPLETION = 10 * ROUND_OF_36  # what a build that completes a park is worth among others
SPREAD_NOW, SPREAD_PER_ROUND = POINT, 600  # how far a lead may still shrink
PENDING_BUILD, PENDING_BONUS_PER_ROUND = 2 * POINT, 1350  # what others' duties of this round will bring them
CACHED_SHEET, CACHED_SCORE, CACHED_POINTS = range(PARK + 1, PARK + 4)  # after the four bitboards
CACHE_COLUMNS = PARK + 4


class Scratch(Struct):
    """Room to count on."""

    count_inputs: Array = array_field(COUNT_INPUTS, bits=32)
    hidden: Array = array_field(HIDDEN_UNITS, bits=32)  # a seventh of it is used on any sheet
    points_by_row: Array = array_field(ROWS)  # points of the avenues
    beside: Array = array_field(CELLS)  # of each group of a type: the free cells beside it,
    points: Array = array_field(CELLS)  # its points,
    rolls: Array = array_field(CELLS)  # the ways to roll an avenue that it touches,
    rows: Array = array_field(CELLS)  # and these avenues, as a mask
    sheet_cache: Grid = array_field(MAX_SEATS, CACHE_COLUMNS)  # of each other sheet, what it was when last looked at, and what it was worth


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
    """What another's sheet comes to when its round is done; many positions in a row differ in one's own sheet only."""
    known, todo, turn = scratch.sheet_cache[seat], state.todo[seat], state.turn + 2
    points, sheet = score(box, state, seat), state.bonus[seat] << 16 | todo << 8 | turn
    same = known[CACHED_SHEET] == sheet and known[CACHED_SCORE] == points
    for kind in range(PARK + 1):
        same = same and known[kind] == state.marks[seat, kind]
    if not same:
        for kind in range(PARK + 1):
            known[kind] = state.marks[seat, kind]
        known[CACHED_SHEET], known[CACHED_SCORE] = sheet, points
        known[CACHED_POINTS] = learned_points(box, state, scratch, seat) + PENDING_BUILD * popcount(todo & BUILDING)
        if todo & A_BONUS:
            known[CACHED_POINTS] += PENDING_BONUS_PER_ROUND * rounds_left(box, state)
    return known[CACHED_POINTS]


@jit
def learned_points(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """The points that a sheet comes to, in thousandths."""
    todo, left = state.todo[seat], rounds_left(box, state)
    points = POINT * score(box, state, seat)
    if todo:
        points += POINT * current_round_points(box, state, seat) - UNBUILT_PENALTY * popcount(todo & BUILDING)
    if left == 0:
        return points + (POINT * box.park_points * popcount(parks_that_count(state.marks[seat])) if todo else 0)
    fill_count_inputs(box, state, scratch, seat, left)
    return points + network_output(box, state, scratch, seat, left * INPUTS) // MILLIONTHS


@jit
def network_output(box: Box, state: State, scratch: Scratch, seat: int, first: int) -> int:
    """What the sheet brings in the rounds to come, in millionths; `first` is the first of their weights' rows."""
    totals, weights, wide = scratch.hidden, box.learned_weights, box.hidden_units
    reset(totals, wide)
    for number in range(COUNT_INPUTS):
        accumulate(totals, weights, first + number, scratch.count_inputs[number], wide)
    for kind in range(PARK + 1):
        accumulate_bits(box, scratch, first + CELL_INPUTS + kind * CELLS, state.marks[seat, kind])
    accumulate_bits(box, scratch, first + BONUS_INPUTS, state.bonus[seat])
    return output(totals, wide)


@jit
def accumulate_bits(box: Box, scratch: Scratch, first: int, bits: int) -> None:
    """The row of each bit."""
    while bits:
        lowest = bits & -bits
        accumulate(scratch.hidden, box.learned_weights, first + popcount(lowest - 1), 1, box.hidden_units)
        bits ^= lowest


@jit
def fill_count_inputs(box: Box, state: State, scratch: Scratch, seat: int, left: int) -> None:
    counted, marks, free = scratch.count_inputs, state.marks[seat], empty_cells(state, seat)
    for number in range(COUNT_INPUTS):
        counted[number] = 0
    for row in range(ROWS):
        scratch.points_by_row[row] = 0
        counted[FREE_POINTS] += box.rolls_by_row[row] * printed_under(box, free & box.avenues[row])
    for column in range(COLUMNS):
        counted[FULL_COLUMNS] += int(free & box.columns[column] == 0)
    fill_park_inputs(box, scratch, marks, free)
    bonuses = 0
    for kind in range(PARK):
        best = fill_type_inputs(box, scratch, marks, free, kind, left)
        if not state.bonus[seat] >> kind & 1:
            bonuses += 1
            counted[BONUS] = max(counted[BONUS], best)
            counted[BONUSES] += best
    counted[BIAS], counted[BONUSES] = 1, counted[BONUSES] // max(1, bonuses)
    for row in range(ROWS):
        counted[AVENUES] += box.rolls_by_row[row] * scratch.points_by_row[row]
        counted[BEST_AVENUE] = max(counted[BEST_AVENUE], scratch.points_by_row[row])


@jit
def fill_park_inputs(box: Box, scratch: Scratch, marks: Array, free: int) -> None:
    """V10: parks that count, and those that lack neighbours but may still get them."""
    counted = scratch.count_inputs
    houses, forests, lakes = around(marks[HOUSE]), around(marks[FOREST]), around(marks[LAKE])
    one, two, three = houses | forests | lakes, houses & forests | houses & lakes | forests & lakes, houses & forests & lakes
    open_parks = marks[PARK] & ~three & around(free)
    counted[PARKS] = box.park_points * popcount(parks_that_count(marks))
    counted[LACK_ONE] = popcount(open_parks & two)
    counted[LACK_TWO] = popcount(open_parks & one & ~two)
    counted[LACK_THREE] = popcount(open_parks & ~one)
    counted[PLACE_FOR_PARK] = int(free & three != 0)


@jit
def fill_type_inputs(box: Box, scratch: Scratch, marks: Array, free: int, kind: int, left: int) -> int:
    """The groups of one type, and what its next project may bring in each column; returns the most that it may."""
    groups, beside, best = fill_group_inputs(box, scratch, marks[kind], free), around(marks[kind]), 0
    waiting = marks[PARK] & around(marks[(kind + 1) % PARK]) & around(marks[(kind + 2) % PARK]) & ~around(marks[kind])
    for column in range(COLUMNS):
        cells_free, most = free & box.columns[column], 0
        while cells_free:
            bit = cells_free & -cells_free
            cells_free ^= bit
            cell = popcount(bit - 1)
            brings = left * (
                joining_gain(box, scratch, groups, bit, cell) if beside & bit else box.printed[cell] * box.rolls_by_row[cell // COLUMNS]
            )
            if waiting and around(bit) & waiting:
                brings += PARK_COMPLETION * popcount(around(bit) & waiting)
            most = max(most, brings)
        scratch.count_inputs[NEXT_BUILD] += most
        best = max(best, most)
    return best


@jit
def fill_group_inputs(box: Box, scratch: Scratch, mark: int, free: int) -> int:
    """Notes down the groups of one type and returns how many there are."""
    groups, counted = 0, scratch.count_inputs
    while mark:
        group = touching(mark, mark & -mark)
        mark ^= group
        points, beside, ways, rows, more = printed_under(box, group), around(group) & free, 0, 0, 0
        for row in range(ROWS):
            if group & box.avenues[row]:
                ways, rows = ways + box.rolls_by_row[row], rows | 1 << row
                scratch.points_by_row[row] += points
            elif beside & box.avenues[row]:
                more += box.rolls_by_row[row]
        counted[GROWTH] += ways * printed_under(box, beside)
        counted[LATER_GROWTH] += ways * printed_under(box, around(beside) & free & ~beside)
        counted[NEW_AVENUES] += more * points
        scratch.beside[groups], scratch.points[groups], scratch.rolls[groups], scratch.rows[groups] = beside, points, ways, rows
        groups += 1
    return groups


@jit
def joining_gain(box: Box, scratch: Scratch, groups: int, bit: int, cell: int) -> int:
    """What the avenues gain, in 36ths of a round's points, if a project on this cell joins the groups beside it."""
    points, rows, before = box.printed[cell], 1 << cell // COLUMNS, 0
    for group in range(groups):
        if scratch.beside[group] & bit:
            points += scratch.points[group]
            rows |= scratch.rows[group]
            before += scratch.points[group] * scratch.rolls[group]
    return points * box.rolls_by_mask[rows] - before
