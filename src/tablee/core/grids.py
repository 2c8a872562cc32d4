"""Boards of squares: cells are numbered row by row from 0, and named like "2C".

Compiled rules ask for a neighbour by direction: 0 to 3 are north, east, south and west, 4 to 7 the diagonals north-east to north-west.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablee.core.jit import jit

OUTSIDE = -1
SIDES, ALL_SIDES = 4, 8
STEP_COLUMNS = (0, 1, 0, -1, 1, 1, -1, -1)
STEP_ROWS = (-1, 0, 1, 0, -1, 1, 1, -1)


@jit
def neighbour(cell: int, direction: int, columns: int, rows: int) -> int:
    """Return the next cell in this direction, or OUTSIDE."""
    column, row = cell % columns + STEP_COLUMNS[direction], cell // columns + STEP_ROWS[direction]
    if 0 <= column < columns and 0 <= row < rows:
        return row * columns + column
    return OUTSIDE


def adjacent(cell: int, columns: int, rows: int, directions: int = SIDES) -> Iterator[int]:
    """Yield the neighbours of a cell, for tables that a box carries and for pages; compiled rules call `neighbour`."""
    for direction in range(directions):
        if (found := neighbour(cell, direction, columns, rows)) != OUTSIDE:
            yield found


def cell_names(columns: int, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all cells, as operands of moves: "1A", "2A", ..., with the column's number and the row's letter."""
    return tuple(f"{column + 1}{row}" for row in rows for column in range(columns))


def draw_grid(signs: Sequence[str], columns: int) -> list[str]:
    """Return the rows of a board as text, one sign for each cell."""
    return ["".join(signs[start : start + columns]) for start in range(0, len(signs), columns)]
