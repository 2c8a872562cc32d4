"""The box as integers for the rules: the sheet, the dice legend and the length of the game (V1, V2).

A sheet is a bitboard: cell number row * 6 + column is bit 1 << number, row 0 the first avenue, column 0 the die face 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.i18n import mark
from tablee.core.struct import Array, Grid, Struct, array_field, field

COLUMNS, ROWS = 6, 5
CELLS = COLUMNS * ROWS
WHOLE_SHEET = (1 << CELLS) - 1
MAX_SEATS = 12
MAX_ROUNDS = 9

HOUSE, FOREST, LAKE, PARK = range(4)
TYPES = ("house", "forest", "lake", "park")
TYPE_NAMES = (mark("House"), mark("Forest"), mark("Lake"), mark("Park"))
SUMS = range(2, 13)
ANY_AVENUE = -1

# The first inputs of the network: what `learned_value.py` counts on a sheet.
# fmt: off
(BIAS, AVENUES, BEST_AVENUE, GROWTH, LATER_GROWTH, NEW_AVENUES, FREE_POINTS, FULL_COLUMNS, NEXT_BUILD,
 BONUS, BONUSES, PARKS, LACK_ONE, LACK_TWO, LACK_THREE, PLACE_FOR_PARK) = range(16)
# fmt: on
COUNT_INPUTS = 16
# All inputs of the network: the counts, a bit for each type and cell, a bit for each bonus project taken.
CELL_INPUTS = COUNT_INPUTS
BONUS_INPUTS = CELL_INPUTS + (PARK + 1) * CELLS
INPUTS = BONUS_INPUTS + PARK
HIDDEN_UNITS = 32


class Box(Struct):
    printed: Array = array_field(CELLS)  # points under each cell
    odd_points: int = field()  # bitboard of the cells with 1 or 3 points
    high_points: int = field()  # bitboard of the cells with 2 or 3 points
    columns: Array = array_field(COLUMNS)  # bitboards
    avenues: Array = array_field(ROWS)
    type_of: Array = array_field(7)  # by die face
    avenue_of: Array = array_field(13)  # by the dice's sum
    rolls_by_row: Array = array_field(ROWS)  # of 36 rolls, how many name each avenue
    rolls_by_mask: Array = array_field(1 << ROWS)  # of 36 rolls, how many name an avenue of this mask
    rounds: int = field()
    is_bonus: Array = array_field(MAX_ROUNDS + 1)  # by round
    park_points: int = field()
    solo_target: int = field()
    hidden_units: int = field()  # HIDDEN_UNITS; a length unknown at compile time makes the compiler vectorise the loop
    learned_weights: Grid = array_field((MAX_ROUNDS + 1) * INPUTS, HIDDEN_UNITS, bits=32)  # rows by rounds left, then by input


@dataclass(frozen=True, eq=False)
class Pieces:
    """The box for the rules, and the names of its avenues for people; compared by identity, so that it can key caches."""

    box: Box
    avenues: tuple[str, ...]  # "3-4", by row
    any_avenue: tuple[int, ...]  # the sums that let a player pick one
