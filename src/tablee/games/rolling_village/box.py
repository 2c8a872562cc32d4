"""What lies in the box: the sheet, the dice legend and the length of the game (V1, V2), laid out for the rules.

A sheet is a bitboard: cell number row * 6 + column is bit 1 << number, row 0 the first avenue, column 0 the die face 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.i18n import note
from tablee.core.struct import Array, Grid, Record, cell, cells

COLUMNS, ROWS = 6, 5
CELLS = COLUMNS * ROWS
WHOLE_SHEET = (1 << CELLS) - 1
MAX_SEATS = 12
MAX_ROUNDS = 9

HOUSE, FOREST, LAKE, PARK = range(4)
TYPES = ("house", "forest", "lake", "park")
TYPE_NAMES = (note("House"), note("Forest"), note("Lake"), note("Park"))
SUMS = range(2, 13)
ANY_AVENUE = -1

# What `insight.py` counts on a sheet.
# fmt: off
(ONE, AVENUES, BEST_AVENUE, GROWTH, LATER_GROWTH, NEW_AVENUES, FREE_POINTS, FULL_COLUMNS, NEXT_BUILD,
 BONUS, BONUSES, PARKS, LACK_ONE, LACK_TWO, LACK_THREE, PLACE_FOR_PARK) = range(16)
# fmt: on
COUNTS = 16
# What it adds up: the counts, then by type and cell what stands there, then which bonus projects are taken.
STANDS = COUNTS
TAKEN = STANDS + (PARK + 1) * CELLS
INPUTS = TAKEN + PARK
TOTALS = 32  # how often, each time with other weights


class Box(Record):
    printed: Array = cells(CELLS)  # points under each cell
    odd_points: int = cell()  # bitboards: cells with 1 or 3 points
    high_points: int = cell()  # with 2 or 3
    columns: Array = cells(COLUMNS)  # bitboards
    avenues: Array = cells(ROWS)
    type_of: Array = cells(7)  # by die face
    avenue_of: Array = cells(13)  # by the dice's sum
    ways: Array = cells(ROWS)  # of 36 rolls, how many name each avenue
    ways_to: Array = cells(1 << ROWS)  # and one of several, by their mask
    rounds: int = cell()
    is_bonus: Array = cells(MAX_ROUNDS + 1)  # by round
    park_points: int = cell()
    solo_target: int = cell()
    totals: int = cell()  # TOTALS; where the compiler does not know a loop's length, it adds many numbers at once
    insight: Grid = cells((MAX_ROUNDS + 1) * INPUTS, TOTALS, bits=32)  # for each number of rounds to come, a row for each input


@dataclass(frozen=True, eq=False)
class Pieces:
    """The box as the rules read it, and its avenues as people do. Each is only like itself, so that much can be remembered by it."""

    box: Box
    avenues: tuple[str, ...]  # "3-4", by row
    any_avenue: tuple[int, ...]  # the sums that let a player pick one
