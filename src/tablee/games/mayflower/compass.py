"""Cells, columns, rows and neighbours: a cell is one integer, column << 8 | row + NORTH (R1).

Neighbours are therefore fixed offsets away. Only this file knows the encoding.
"""

from __future__ import annotations

from typing import NewType

from tablee.core.jit import jit

Cell = NewType("Cell", int)

NORTH = 120  # rows from -120 to 135
COLUMN_BITS = 8
COLUMN = 1 << COLUMN_BITS
EAST, WEST = 1, 3  # edges are N, E, S, W
STEPS = (-1, -COLUMN, 1, COLUMN)
DIAGONALS = (-1 - COLUMN, 1 - COLUMN, 1 + COLUMN, -1 + COLUMN)


@jit
def cell_at(column: int, row: int) -> Cell:
    return column * COLUMN + row + NORTH  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def column_of(cell: Cell) -> int:
    return cell >> COLUMN_BITS  # a shift, unlike //, needs no correction for negative numbers: this is a hot path


@jit
def row_of(cell: Cell) -> int:
    return (cell & COLUMN - 1) - NORTH


@jit
def beside(cell: Cell, edge: int) -> Cell:
    return cell + STEPS[edge]  # type: ignore[return-value]


@jit
def diagonal(cell: Cell, corner: int) -> Cell:
    return cell + DIAGONALS[corner]  # type: ignore[return-value]


@jit
def across(edge: int) -> int:
    """Return the opposite edge: the one that the neighbour at this edge touches."""
    return edge + 2 & 3
