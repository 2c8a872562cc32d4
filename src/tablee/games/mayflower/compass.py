"""A cell is one number, column << 8 | row + NORTH (R1), so that its neighbours are fixed steps away: only this file counts that way."""

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
    return column * COLUMN + row + NORTH  # type: ignore[return-value]  # a rule cannot call the name


@jit
def column_of(cell: Cell) -> int:
    return cell >> COLUMN_BITS  # shifts, which need no care for numbers below zero: learners and rules ask this all the time


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
    """The edge by which the neighbour at this edge is touched."""
    return edge + 2 & 3
