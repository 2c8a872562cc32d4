"""Laying tiles: the table of cells, the gaps (empty cells beside the land) with their keys, and where a tile fits (M5, M6, R1, R6)."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.mayflower.box import NONE, Box
from tablee.games.mayflower.compass import EAST, WEST, Cell, across, beside, cell_at, column_of, diagonal, row_of
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.features import edge_kind, join, join_coast, put_down
from tablee.games.mayflower.notation import lay_move
from tablee.games.mayflower.stands import Tile
from tablee.games.mayflower.state import CELL_TABLE_SIZE, GAP_OFFSET, VALUE_BITS, VALUE_MASK, State

NO_CELL = Cell(0)
HASH_FACTOR = 37  # times the column: neighbouring columns do not collide


@jit
def table_slot(state: State, cell: Cell) -> int:
    """Return this cell's slot in the hash table, or the free slot where it would go."""
    slot = (column_of(cell) * HASH_FACTOR + row_of(cell)) & (CELL_TABLE_SIZE - 1)
    while state.cell_table[slot] and state.cell_table[slot] >> VALUE_BITS != cell:
        slot = (slot + 1) & (CELL_TABLE_SIZE - 1)
    return slot


@jit
def cell_entry(state: State, cell: Cell) -> int:
    """Return the number of the tile in a cell, GAP_OFFSET + the number of the gap, or NONE."""
    entry = state.cell_table[table_slot(state, cell)]
    return entry & VALUE_MASK if entry else NONE


@jit
def tile_at(state: State, cell: Cell) -> Tile:
    """Return the tile in a cell, or NONE."""
    there = cell_entry(state, cell)
    return there if there < GAP_OFFSET else NONE  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def set_cell_entry(state: State, cell: Cell, value: int) -> None:
    state.cell_table[table_slot(state, cell)] = cell << VALUE_BITS | value


@jit
def is_sea(state: State, cell: Cell) -> bool:
    """Return whether no tile may lie in a cell: column 0 (R6) or, with the option `rows`, beyond the coast's rows."""
    return column_of(cell) < 1 or (state.rows > 0 and not 0 <= row_of(cell) < state.rows)


@jit
def open_gap(state: State, cell: Cell, edge: int, kind: int) -> None:
    """Record the kind at one edge of an empty cell, which becomes a gap if it was none."""
    if is_sea(state, cell):
        return
    there = cell_entry(state, cell)
    if there == NONE:
        there = GAP_OFFSET + state.gaps
        state.gap[state.gaps], state.key[state.gaps] = cell, 0
        state.gaps += 1
        set_cell_entry(state, cell, there)
    state.key[there - GAP_OFFSET] |= kind << 2 * edge


@jit
def close_gap(state: State, number: int) -> None:
    """Remove a filled gap; the last gap takes its number."""
    state.gaps -= 1
    last = state.gaps
    if number != last:
        state.gap[number], state.key[number] = state.gap[last], state.key[last]
        set_cell_entry(state, state.gap[number], GAP_OFFSET + number)
    state.gap[last], state.key[last] = NO_CELL, 0


@jit
def lay_coast(box: Box, state: State) -> None:
    """Lay the ten start spaces in column 0, open to the west (M3)."""
    for row in range(SPACES):
        cell = cell_at(0, row)
        space = put_down(box, state, cell, box.coast[row], 0)
        set_cell_entry(state, cell, space)
        open_gap(state, beside(cell, WEST), EAST, edge_kind(box, state, space, WEST))
        if row:
            join_coast(box, state, tile_at(state, cell_at(0, row - 1)), space)


@jit
def lay(box: Box, state: State, cell: Cell, turns: int) -> None:
    """Lay the drawn tile and join it to its neighbours (M6)."""
    close_gap(state, cell_entry(state, cell) - GAP_OFFSET)
    tile = put_down(box, state, cell, state.drawn, turns)
    set_cell_entry(state, cell, tile)
    state.westmost = max(state.westmost, column_of(cell))
    for edge in range(4):
        other = tile_at(state, beside(cell, edge))
        if other != NONE:
            join(box, state, tile, other, edge)
            count_as_neighbours(state, tile, other)
        else:
            open_gap(state, beside(cell, edge), across(edge), edge_kind(box, state, tile, edge))
    for corner in range(4):
        other = tile_at(state, diagonal(cell, corner))
        if other != NONE:
            count_as_neighbours(state, tile, other)


@jit
def count_as_neighbours(state: State, tile: Tile, other: Tile) -> None:
    """Count two tiles among each other's eight neighbours (M11)."""
    state.around[tile] += 1
    state.around[other] += 1


@jit
def fits_somewhere(box: Box, state: State, design: int) -> bool:
    for number in range(state.gaps):
        if box.fits[design, state.key[number]]:
            return True
    return False


@jit
def places(box: Box, state: State, out: Array) -> int:
    """Write every place and turn of the drawn tile as moves and return their number (M6)."""
    count = 0
    for number in range(state.gaps):
        turns = box.fits[state.drawn, state.key[number]]
        for turn in range(4):
            out[count] = lay_move(state.gap[number], turn)
            count += turns >> turn & 1  # a turn that does not fit is overwritten: cheaper than a branch
    return count
