"""Moves as numbers for the rules and as text for everybody else: `build house 2C`, `avenue C`, `roll 4 2`.

0..119    build, type * 30 + cell        120..124  avenue, by row        200..235  roll, the higher die first
"""

from __future__ import annotations

import re

from tablee.core.errors import NotationError
from tablee.core.game import Move
from tablee.core.words import say
from tablee.games.rolling_village.box import CELLS, COLUMNS, TYPES

AVENUE_MOVE = len(TYPES) * CELLS
ROLL_MOVE = 200
ROWS_NAMED = "ABCDE"


def show_cell(cell: int) -> str:
    return f"{cell % COLUMNS + 1}{ROWS_NAMED[cell // COLUMNS]}"


def show(move: Move) -> str:
    if move >= ROLL_MOVE:
        return f"roll {(move - ROLL_MOVE) // 6 + 1} {(move - ROLL_MOVE) % 6 + 1}"
    if move >= AVENUE_MOVE:
        return f"avenue {ROWS_NAMED[move - AVENUE_MOVE]}"
    return f"build {TYPES[move // CELLS]} {show_cell(move % CELLS)}"


def read(text: str) -> Move:
    if found := re.fullmatch(r"build (house|forest|lake|park) ([1-6])([A-E])", text):
        return TYPES.index(found[1]) * CELLS + ROWS_NAMED.index(found[3]) * COLUMNS + int(found[2]) - 1
    if found := re.fullmatch(r"avenue ([A-E])", text):
        return AVENUE_MOVE + ROWS_NAMED.index(found[1])
    if found := re.fullmatch(r"roll ([1-6]) ([1-6])", text):
        return roll(int(found[1]), int(found[2]))
    raise NotationError(say("{text!r} is not a move; moves look like: build house 2C, avenue C, roll 4 2", text=text[:40]))


def roll(a: int, b: int) -> Move:
    """Two dice in any order are one roll."""
    return ROLL_MOVE + (max(a, b) - 1) * 6 + min(a, b) - 1
