"""Hand-made evaluation: points scored, this round's points as the sheet stands, and expected points of the rounds to come."""

from __future__ import annotations

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import jit, popcount
from tablee.core.struct import Array, Struct
from tablee.core.win_probability import win_share
from tablee.games.rolling_village.box import ANY_AVENUE, FOREST, HOUSE, LAKE, PARK, ROWS, Box
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.scoring import around, avenue_points, park_points, printed_under, score, touching
from tablee.games.rolling_village.state import BUILDING, SETUP, State

# Tuned on 2,000 solo games of `greedy`, in thousandths of a point (docs/experiments/learned-value-rolling-village.md).
AVENUE_WEIGHT = 1150  # for each point of an avenue, when a later round scores it
GROWTH_WEIGHT = 65  # for each point on free cells beside its groups, and each round in which they may fill up before
LACKS_ONE, LACKS_ONE_PER_BONUS, LACKS_ONE_MAX = 1060, 400, 6900  # a park short of one neighbour: for each round and each bonus to come
LACKS_TWO = 160  # a park short of two: for each round to come
PLACE_FOR_PARK = 400  # a free cell beside all three kinds: for each round to come
UNBUILT_PENALTY = 10  # tie-break: of two equal positions, the one with less left to build
SPREAD_NOW, SPREAD_PER_ROUND = 2 * POINT, 1500  # spread of the win probability: how far a lead may still shrink


@jit
def value(box: Box, state: State, scratch: Struct, seat: int, out: Array) -> None:
    points, best = estimated_points(box, state, seat), 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, estimated_points(box, state, other))
    spread = SPREAD_NOW + SPREAD_PER_ROUND * rounds_left(box, state)
    out[POINTS] = points
    out[SHARE] = win_share(points - best, spread, state.seats) if state.seats > 1 else WHOLE_SHARE


@jit
def rounds_left(box: Box, state: State) -> int:
    return box.rounds - max(0, state.turn)


@jit
def estimated_points(box: Box, state: State, seat: int) -> int:
    """Return the expected final points of a sheet, in thousandths."""
    todo, marks = state.todo[seat], state.marks[seat]
    points = POINT * score(box, state, seat) - UNBUILT_PENALTY * popcount(todo & BUILDING)
    if todo:
        points += POINT * current_round_points(box, state, seat)
    if todo or state.turn < box.rounds:
        points += POINT * park_points(box, marks)
    return points + future_avenue_points(box, state, seat) + future_park_points(box, state, seat)


@jit
def future_avenue_points(box: Box, state: State, seat: int) -> int:
    """Return the expected avenue points of the rounds to come, in thousandths: groups as they are, and as they may grow."""
    marks, free, left = state.marks[seat], empty_cells(state, seat), rounds_left(box, state)
    points, growth = 0, 0
    for row in range(ROWS):
        for kind in range(PARK):
            groups = touching(marks[kind], box.avenues[row])
            points += box.rolls_by_row[row] * printed_under(box, groups)
            growth += box.rolls_by_row[row] * printed_under(box, around(groups) & free)
    return (AVENUE_WEIGHT * left * points + GROWTH_WEIGHT * (left * (left - 1) // 2) * growth) // 36


@jit
def future_park_points(box: Box, state: State, seat: int) -> int:
    """Return the expected points, in thousandths, of parks that do not count yet (V10): those built, and one to come."""
    marks, free, left = state.marks[seat], empty_cells(state, seat), rounds_left(box, state)
    houses, forests, lakes = around(marks[HOUSE]), around(marks[FOREST]), around(marks[LAKE])
    one, two, three = houses | forests | lakes, houses & forests | houses & lakes | forests & lakes, houses & forests & lakes
    open_parks = marks[PARK] & ~three & around(free)
    short_of_one = min(LACKS_ONE * left + LACKS_ONE_PER_BONUS * (PARK - popcount(state.bonus[seat])), LACKS_ONE_MAX)
    points = short_of_one * popcount(open_parks & two) + LACKS_TWO * left * popcount(open_parks & one & ~two)
    if free & three:
        points += PLACE_FOR_PARK * left
    return points


@jit
def current_round_points(box: Box, state: State, seat: int) -> int:
    """Return what this round would score if it ended now."""
    if state.turn == SETUP:
        return 0
    row = box.avenue_of[state.dice[0] + state.dice[1]]
    if row != ANY_AVENUE:
        return avenue_points(box, state.marks[seat], row)
    best = 0
    for each in range(ROWS):
        best = max(best, avenue_points(box, state.marks[seat], each))
    return best
