"""Notation of moves: numbers for the rules, text for everything else: `build house 2C`, `avenue C`, `roll 4 2`."""

from __future__ import annotations

import re

from tablee.core.game import Move
from tablee.core.grids import cell_names
from tablee.core.notation import MoveKind, Notation
from tablee.games.rolling_village.box import CELLS, COLUMNS, TYPES

AVENUE_MOVE = len(TYPES) * CELLS
ROLL_MOVE = 200
ROW_LETTERS = "ABCDE"
FACES = range(1, 7)


CELL_NAMES = cell_names(COLUMNS, ROW_LETTERS)
KINDS = (
    MoveKind("build", 0, [f"{kind} {cell}" for kind in TYPES for cell in CELL_NAMES]),
    MoveKind("avenue", AVENUE_MOVE, tuple(ROW_LETTERS)),
    MoveKind("roll", ROLL_MOVE, [f"{a} {b}" for a in FACES for b in FACES]),
)
NOTATION = Notation(KINDS, "build house 2C, avenue C, roll 4 2")


def read(text: str) -> Move:
    """Parse a move; two dice in any order are one roll, the higher first."""
    rolled = re.fullmatch("roll ([1-6]) ([1-6])", text)
    return NOTATION.read("roll {} {}".format(*sorted(rolled.groups(), reverse=True)) if rolled else text)
