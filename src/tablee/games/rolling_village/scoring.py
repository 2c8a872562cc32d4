"""The scoring phase: groups that touch the active avenue (V9), and the parks at the end (V10)."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.core.most_points import most_points
from tablee.core.struct import Array
from tablee.games.rolling_village.box import COLUMNS, FOREST, HOUSE, LAKE, PARK, ROWS, WHOLE_SHEET, Box
from tablee.games.rolling_village.state import State

FIRST_COLUMN = sum(1 << (row * COLUMNS) for row in range(ROWS))
LAST_COLUMN = FIRST_COLUMN << (COLUMNS - 1)


@jit
def around(bits: int) -> int:
    """Return the cells orthogonally next to these."""
    sideways = (bits & ~LAST_COLUMN) << 1 | (bits & ~FIRST_COLUMN) >> 1
    return (sideways | bits << COLUMNS | bits >> COLUMNS) & WHOLE_SHEET


@jit
def touching(mark: int, avenue: int) -> int:
    """Return all groups of one type with at least one cell on the avenue, as one bitboard."""
    group = mark & avenue
    grown = group | (around(group) & mark)
    while grown != group:
        group = grown
        grown = group | (around(group) & mark)
    return group


@jit
def printed_under(box: Box, bits: int) -> int:
    return popcount(bits & box.odd_points) + 2 * popcount(bits & box.high_points)


@jit
def avenue_points(box: Box, marks: Array, row: int) -> int:
    """Return the score of one avenue on one sheet; parks score nothing here (V9)."""
    points = 0
    for kind in range(PARK):
        points += printed_under(box, touching(marks[kind], box.avenues[row]))
    return points


@jit
def parks_that_count(marks: Array) -> int:
    """Return the parks next to a House, a Forest and a Lake, as a bitboard (V10)."""
    return marks[PARK] & around(marks[HOUSE]) & around(marks[FOREST]) & around(marks[LAKE])


@jit
def park_points(box: Box, marks: Array) -> int:
    """Return what the parks of a sheet bring at the end, as it stands (V10)."""
    return box.park_points * popcount(parks_that_count(marks))


@jit
def score(box: Box, state: State, seat: int) -> int:
    """Return the points scored so far: all rounds, and the parks."""
    points = state.parks[seat]
    for number in range(box.rounds + 1):
        points += state.points[seat, number]
    return points


wins = most_points(__name__, score)  # V10
