"""What a sheet is worth as a search sees it: a small network, in whole numbers. What can be counted on the sheet and what stands on its
cells is added up many times, each time with other weights; the first sum counts as it is, the others only where they are above nothing.
The weights are learned (`bench/train_rolling_village.py`) and lie in `learned_value.json`, others for each number of rounds to come, in millionths of a point.
"""

from __future__ import annotations

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import popcount, rule
from tablee.core.network import add, begin, told
from tablee.core.struct import Array, Grid, Record, cells
from tablee.core.win_probability import share_of_lead
from tablee.games.rolling_village.box import (
    AVENUES,
    BEST_AVENUE,
    BONUS,
    BONUSES,
    CELLS,
    COLUMNS,
    COUNTS,
    FOREST,
    FREE_POINTS,
    FULL_COLUMNS,
    GROWTH,
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
    ONE,
    PARK,
    PARKS,
    PLACE_FOR_PARK,
    ROWS,
    STANDS,
    TAKEN,
    TOTALS,
    Box,
)
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.evaluation import UNFINISHED, rounds_left, worth_now
from tablee.games.rolling_village.scoring import around, parks_that_count, printed_under, score, touching
from tablee.games.rolling_village.state import A_BONUS, BUILDING, State

MILLIONTHS = 1_000_000 // POINT
ROUND_OF_36 = 30  # an avenue's points count about 36/30 of what they are, for sheets grow
SOME_POINTS = 10 * ROUND_OF_36  # what a build that completes a park is worth among others
SPREAD_NOW, SPREAD_PER_ROUND = POINT, 600  # how far a lead may still shrink
A_BUILD, A_BONUS_PER_ROUND = 2 * POINT, 1350  # what others' duties of this round will bring them
SHEET, SCORED, WORTH = range(PARK + 1, PARK + 4)  # after the four bitboards
KNOWN = PARK + 4


class Scratch(Record):
    """Room to count on."""

    counted: Array = cells(COUNTS, bits=32)
    totals: Array = cells(TOTALS, bits=32)  # a seventh of it is used on any sheet
    by_row: Array = cells(ROWS)  # points of the avenues
    beside: Array = cells(CELLS)  # of each group of a type: the free cells beside it,
    points: Array = cells(CELLS)  # its points,
    ways: Array = cells(CELLS)  # the ways to roll an avenue that it touches,
    rows: Array = cells(CELLS)  # and these avenues, as a mask
    known: Grid = cells(MAX_SEATS, KNOWN)  # of each other sheet, what it was when last looked at, and what it was worth


@rule
def insight(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    points, best, left = foreseen(box, state, scratch, seat), 0, rounds_left(box, state)
    for other in range(state.seats):
        if other != seat:
            best = max(best, remembered(box, state, scratch, other))
    out[POINTS] = points
    out[SHARE] = share_of_lead(points - best, SPREAD_NOW + SPREAD_PER_ROUND * left, state.seats) if state.seats > 1 else WHOLE_SHARE


@rule
def remembered(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """What another's sheet comes to when its round is done; many positions in a row differ in one's own sheet only."""
    known, todo, turn = scratch.known[seat], state.todo[seat], state.turn + 2
    points, sheet = score(box, state, seat), state.bonus[seat] << 16 | todo << 8 | turn
    same = known[SHEET] == sheet and known[SCORED] == points
    for kind in range(PARK + 1):
        same = same and known[kind] == state.marks[seat, kind]
    if not same:
        for kind in range(PARK + 1):
            known[kind] = state.marks[seat, kind]
        known[SHEET], known[SCORED] = sheet, points
        known[WORTH] = foreseen(box, state, scratch, seat) + A_BUILD * popcount(todo & BUILDING)
        if todo & A_BONUS:
            known[WORTH] += A_BONUS_PER_ROUND * rounds_left(box, state)
    return known[WORTH]


@rule
def foreseen(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """The points that a sheet comes to, in thousandths."""
    todo, left = state.todo[seat], rounds_left(box, state)
    points = POINT * score(box, state, seat)
    if todo:
        points += POINT * worth_now(box, state, seat) - UNFINISHED * popcount(todo & BUILDING)
    if left == 0:
        return points + (POINT * box.park_points * popcount(parks_that_count(state.marks[seat])) if todo else 0)
    count(box, state, scratch, seat, left)
    return points + learned(box, state, scratch, seat, left * INPUTS) // MILLIONTHS


@rule
def learned(box: Box, state: State, scratch: Scratch, seat: int, first: int) -> int:
    """What the sheet brings in the rounds to come, in millionths; `first` is the first of their weights' rows."""
    totals, weights, wide = scratch.totals, box.insight, box.totals
    begin(totals, wide)
    for number in range(COUNTS):
        add(totals, weights, first + number, scratch.counted[number], wide)
    for kind in range(PARK + 1):
        add_each(box, scratch, first + STANDS + kind * CELLS, state.marks[seat, kind])
    add_each(box, scratch, first + TAKEN, state.bonus[seat])
    return told(totals, wide)


@rule
def add_each(box: Box, scratch: Scratch, first: int, bits: int) -> None:
    """The row of each bit."""
    while bits:
        lowest = bits & -bits
        add(scratch.totals, box.insight, first + popcount(lowest - 1), 1, box.totals)
        bits ^= lowest


@rule
def count(box: Box, state: State, scratch: Scratch, seat: int, left: int) -> None:
    counted, marks, free = scratch.counted, state.marks[seat], empty_cells(state, seat)
    for number in range(COUNTS):
        counted[number] = 0
    for row in range(ROWS):
        scratch.by_row[row] = 0
        counted[FREE_POINTS] += box.ways[row] * printed_under(box, free & box.avenues[row])
    for column in range(COLUMNS):
        counted[FULL_COLUMNS] += int(free & box.columns[column] == 0)
    count_parks(box, scratch, marks, free)
    bonuses = 0
    for kind in range(PARK):
        best = count_type(box, scratch, marks, free, kind, left)
        if not state.bonus[seat] >> kind & 1:
            bonuses += 1
            counted[BONUS] = max(counted[BONUS], best)
            counted[BONUSES] += best
    counted[ONE], counted[BONUSES] = 1, counted[BONUSES] // max(1, bonuses)
    for row in range(ROWS):
        counted[AVENUES] += box.ways[row] * scratch.by_row[row]
        counted[BEST_AVENUE] = max(counted[BEST_AVENUE], scratch.by_row[row])


@rule
def count_parks(box: Box, scratch: Scratch, marks: Array, free: int) -> None:
    """V10: parks that count, and those that lack neighbours but may still get them."""
    counted = scratch.counted
    houses, forests, lakes = around(marks[HOUSE]), around(marks[FOREST]), around(marks[LAKE])
    one, two, three = houses | forests | lakes, houses & forests | houses & lakes | forests & lakes, houses & forests & lakes
    open_parks = marks[PARK] & ~three & around(free)
    counted[PARKS] = box.park_points * popcount(parks_that_count(marks))
    counted[LACK_ONE] = popcount(open_parks & two)
    counted[LACK_TWO] = popcount(open_parks & one & ~two)
    counted[LACK_THREE] = popcount(open_parks & ~one)
    counted[PLACE_FOR_PARK] = int(free & three != 0)


@rule
def count_type(box: Box, scratch: Scratch, marks: Array, free: int, kind: int, left: int) -> int:
    """The groups of one type, and what its next project may bring in each column; returns the most that it may."""
    groups, beside, best = count_groups(box, scratch, marks[kind], free), around(marks[kind]), 0
    waiting = marks[PARK] & around(marks[(kind + 1) % PARK]) & around(marks[(kind + 2) % PARK]) & ~around(marks[kind])
    for column in range(COLUMNS):
        cells_free, most = free & box.columns[column], 0
        while cells_free:
            bit = cells_free & -cells_free
            cells_free ^= bit
            cell = popcount(bit - 1)
            brings = left * (joined(box, scratch, groups, bit, cell) if beside & bit else box.printed[cell] * box.ways[cell // COLUMNS])
            if waiting and around(bit) & waiting:
                brings += SOME_POINTS * popcount(around(bit) & waiting)
            most = max(most, brings)
        scratch.counted[NEXT_BUILD] += most
        best = max(best, most)
    return best


@rule
def count_groups(box: Box, scratch: Scratch, mark: int, free: int) -> int:
    """Notes down the groups of one type and returns how many there are."""
    groups, counted = 0, scratch.counted
    while mark:
        group = touching(mark, mark & -mark)
        mark ^= group
        points, beside, ways, rows, more = printed_under(box, group), around(group) & free, 0, 0, 0
        for row in range(ROWS):
            if group & box.avenues[row]:
                ways, rows = ways + box.ways[row], rows | 1 << row
                scratch.by_row[row] += points
            elif beside & box.avenues[row]:
                more += box.ways[row]
        counted[GROWTH] += ways * printed_under(box, beside)
        counted[LATER_GROWTH] += ways * printed_under(box, around(beside) & free & ~beside)
        counted[NEW_AVENUES] += more * points
        scratch.beside[groups], scratch.points[groups], scratch.ways[groups], scratch.rows[groups] = beside, points, ways, rows
        groups += 1
    return groups


@rule
def joined(box: Box, scratch: Scratch, groups: int, bit: int, cell: int) -> int:
    """What the avenues gain, in 36ths of a round's points, if a project on this cell joins the groups beside it."""
    points, rows, before = box.printed[cell], 1 << cell // COLUMNS, 0
    for group in range(groups):
        if scratch.beside[group] & bit:
            points += scratch.points[group]
            rows |= scratch.rows[group]
            before += scratch.points[group] * scratch.ways[group]
    return points * box.ways_to[rows] - before
