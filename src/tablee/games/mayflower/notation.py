"""Moves as integers for the rules and as text elsewhere: `first 2`, `draw K`, `lay 1,3 2`, `settle town N`, `score farm 2,4`."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from tablee.core.game import Move
from tablee.core.jit import jit
from tablee.core.notation import TEXT_CACHE_SIZE, MoveKind, Notation
from tablee.games.mayflower.box import MAX_SEATS
from tablee.games.mayflower.compass import COLUMN, NORTH, Cell, cell_at, column_of, row_of
from tablee.games.mayflower.faces import EDGES, HALVES, MAX_TILES

PASS = 0
SETTLE_ROAD, SETTLE_TOWN, SETTLE_PLAIN, SETTLE_FARM = 1, 5, 9, 17
SCORE_ROAD, SCORE_TOWN = 20, 24
FIRST_MOVE, DRAW_MOVE = 40, 50
LAY_MOVE, SCORE_FARM = 1000, 200_000


@jit
def lay_move(cell: Cell, turns: int) -> Move:
    return LAY_MOVE + cell * 4 + turns


@jit
def cell_of(lay: Move) -> Cell:
    """Return the cell of a `lay`."""
    return lay - LAY_MOVE >> 2  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def turns_of(lay: Move) -> int:
    """Return the quarter turns of a `lay`."""
    return lay - LAY_MOVE & 3


@jit
def farm_of(score: Move) -> Cell:
    """Return the cell of the farm that a `score farm` names."""
    return score - SCORE_FARM  # type: ignore[return-value]


@lru_cache(maxsize=TEXT_CACHE_SIZE)
def show_cell(cell: Cell) -> str:
    return f"{column_of(cell)},{row_of(cell)}"


@lru_cache(maxsize=TEXT_CACHE_SIZE)
def show_lay(lay: Move) -> tuple[str, int]:
    """Return the cell as text, and the turns."""
    return show_cell(cell_of(lay)), turns_of(lay)


class Cells:
    """Sequence of the texts of cells, "1,3", as far as the tiles of a box can reach; with several `turns` one text each, "1,3 2"."""

    def __init__(self, turns: int = 1) -> None:
        self.turns = turns

    def __getitem__(self, place: int) -> str:
        return show_cell(Cell(place // self.turns)) + (f" {place % self.turns}" if self.turns > 1 else "")

    def index(self, text: str) -> int:
        found = re.fullmatch(rf"(0|[1-9][0-9]{{0,2}}),(0|-?[1-9][0-9]{{0,2}}){' ([0-3])' if self.turns > 1 else '()'}", text)
        if not found or int(found[1]) > MAX_TILES or not -NORTH < int(found[2]) < COLUMN - NORTH:
            raise ValueError(text)
        return cell_at(int(found[1]), int(found[2])) * self.turns + int(found[3] or 0)


@cache
def notation_of(letters: tuple[str, ...]) -> Notation:
    edges, halves = tuple(EDGES), tuple(HALVES)
    kinds = [
        MoveKind("pass", PASS),
        MoveKind("settle road", SETTLE_ROAD, edges),
        MoveKind("settle town", SETTLE_TOWN, edges),
        MoveKind("settle plain", SETTLE_PLAIN, halves),
        MoveKind("settle farm", SETTLE_FARM),
        MoveKind("score road", SCORE_ROAD, edges),
        MoveKind("score town", SCORE_TOWN, edges),
        MoveKind("first", FIRST_MOVE, tuple(str(seat) for seat in range(MAX_SEATS))),
        MoveKind("draw", DRAW_MOVE, letters),
        MoveKind("lay", LAY_MOVE, Cells(turns=4)),
        MoveKind("score farm", SCORE_FARM, Cells()),
    ]
    return Notation(kinds, "lay 1,3 2, settle town N, settle plain Nl, settle farm, pass, score road E")


def show(letters: tuple[str, ...], move: Move) -> str:
    return notation_of(letters).show(move)
