"""Moves as numbers for the rules and as text for everybody else: `first 2`, `draw K`, `lay 1,3 2`, `settle town N`, `score farm 2,4`.

0       pass                  9..16   settle plain, by half-edge     40..44    first, by seat
1..4    settle road, by edge  17      settle farm                    50..113   draw, by design
5..8    settle town, by edge  20..27  score road or town, by edge    1000..    lay, cell * 4 + turns      200000..  score farm, by cell
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablee.core.errors import NotationError
from tablee.core.game import Move
from tablee.core.words import say
from tablee.games.mayflower.box import MAX_SEATS
from tablee.games.mayflower.faces import EDGES, HALVES, MAX_TILES
from tablee.games.mayflower.state import COLUMN, NORTH

PASS = 0
SETTLE_ROAD, SETTLE_TOWN, SETTLE_PLAIN, SETTLE_FARM = 1, 5, 9, 17
SCORE_ROAD, SCORE_TOWN = 20, 24
FIRST_MOVE, DRAW_MOVE = 40, 50
LAY_MOVE, SCORE_FARM = 1000, 200_000

_ON_EDGE = {"settle road": SETTLE_ROAD, "settle town": SETTLE_TOWN, "score road": SCORE_ROAD, "score town": SCORE_TOWN}
_CELL = "(0|[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2})"


def cell_at(column: int, row: int) -> int:
    return column * COLUMN + row + NORTH


def column_of(cell: int) -> int:
    return int(cell) // COLUMN


def row_of(cell: int) -> int:
    return int(cell) % COLUMN - NORTH


def show_cell(cell: int) -> str:
    return f"{column_of(cell)},{row_of(cell)}"


def show(letters: Sequence[str], move: Move) -> str:
    if move >= SCORE_FARM:
        return f"score farm {show_cell(move - SCORE_FARM)}"
    if move >= LAY_MOVE:
        return f"lay {show_cell((move - LAY_MOVE) // 4)} {(move - LAY_MOVE) % 4}"
    if move >= DRAW_MOVE:
        return f"draw {letters[move - DRAW_MOVE]}"
    if move >= FIRST_MOVE:
        return f"first {move - FIRST_MOVE}"
    return "pass" if move == PASS else _show_spot(move)


def _show_spot(move: Move) -> str:
    if move == SETTLE_FARM:
        return "settle farm"
    if SETTLE_PLAIN <= move < SETTLE_FARM:
        return f"settle plain {HALVES[move - SETTLE_PLAIN]}"
    words, start = next((words, start) for words, start in _ON_EDGE.items() if start <= move < start + 4)
    return f"{words} {EDGES[move - start]}"


def read(letters: Sequence[str], text: str) -> Move:
    if text in ("pass", "settle farm"):
        return PASS if text == "pass" else SETTLE_FARM
    if found := re.fullmatch(r"((?:settle|score) (?:road|town)) ([NESW])", text):
        return _ON_EDGE[found[1]] + EDGES.index(found[2])
    if (found := re.fullmatch(r"settle plain ([NESW][lrtb])", text)) and found[1] in HALVES:
        return SETTLE_PLAIN + HALVES.index(found[1])
    if (found := re.fullmatch(rf"lay {_CELL} ([0-3])", text)) and _on_the_map(int(found[1]), int(found[2])):
        return LAY_MOVE + cell_at(int(found[1]), int(found[2])) * 4 + int(found[3])
    if (found := re.fullmatch(rf"score farm {_CELL}", text)) and _on_the_map(int(found[1]), int(found[2])):
        return SCORE_FARM + cell_at(int(found[1]), int(found[2]))
    if (found := re.fullmatch(r"draw ([A-Z]{1,2})", text)) and found[1] in letters:
        return DRAW_MOVE + letters.index(found[1])
    if (found := re.fullmatch(r"first ([0-9])", text)) and int(found[1]) < MAX_SEATS:
        return FIRST_MOVE + int(found[1])
    raise NotationError(
        say(
            "{text!r} is not a move; moves look like: lay 1,3 2, settle town N, settle plain Nl, settle farm, pass, score road E",
            text=text[:40],
        )
    )


def _on_the_map(column: int, row: int) -> bool:
    """As far as the tiles of a box can reach."""
    return column <= MAX_TILES and -NORTH < row < COLUMN - NORTH
