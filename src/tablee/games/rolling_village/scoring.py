"""The scoring phase: groups that touch the active avenue (V9), and the parks at the end (V10)."""

from __future__ import annotations

from tablee.core.rule import Array, rule
from tablee.games.rolling_village.box import CELLS, COLUMNS, FOREST, HOUSE, LAKE, PARK, ROWS, WHOLE_SHEET, Box

FIRST_COLUMN = sum(1 << (row * COLUMNS) for row in range(ROWS))
LAST_COLUMN = FIRST_COLUMN << (COLUMNS - 1)


@rule
def around(bits: int) -> int:
    """The cells orthogonally next to these."""
    sideways = (bits & ~LAST_COLUMN) << 1 | (bits & ~FIRST_COLUMN) >> 1
    return (sideways | bits << COLUMNS | bits >> COLUMNS) & WHOLE_SHEET


@rule
def touching(mark: int, avenue: int) -> int:
    """All groups of one type with at least one cell on the avenue, as one bitboard."""
    group = mark & avenue
    grown = group | (around(group) & mark)
    while grown != group:
        group = grown
        grown = group | (around(group) & mark)
    return group


@rule
def printed_under(box: Box, bits: int) -> int:
    points = 0
    for cell in range(CELLS):
        points += (bits >> cell & 1) * box.printed[cell]
    return points


@rule
def avenue_points(box: Box, marks: Array, row: int) -> int:
    """V9: what one avenue is worth on one sheet; parks earn nothing here."""
    points = 0
    for kind in range(PARK):
        points += printed_under(box, touching(marks[kind], box.avenues[row]))
    return points


@rule
def parks_that_count(marks: Array) -> int:
    """V10: the parks next to a House, a Forest and a Lake, as a bitboard."""
    return marks[PARK] & around(marks[HOUSE]) & around(marks[FOREST]) & around(marks[LAKE])
