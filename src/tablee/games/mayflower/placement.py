"""Laying tiles: the ground, the empty cells beside the land with what lies around each, and where a tile fits (M5, M6, R1, R6)."""

from __future__ import annotations

from tablee.core.rule import Array, rule
from tablee.games.mayflower.box import NONE, Box
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.features import WEST, edge_kind, join, join_coast, put_down
from tablee.games.mayflower.notation import LAY_MOVE
from tablee.games.mayflower.state import COLUMN, DIAGONALS, GAP, GROUND, NORTH, STEPS, VALUE_BITS, VALUES, State

EAST = 1


@rule
def slot_for(state: State, cell: int) -> int:
    """Where the ground keeps this cell, or the free entry where it would."""
    slot = (cell // COLUMN * 37 + cell % COLUMN) & (GROUND - 1)
    while state.ground[slot] and state.ground[slot] >> VALUE_BITS != cell:
        slot = (slot + 1) & (GROUND - 1)
    return slot


@rule
def look(state: State, cell: int) -> int:
    """What lies there: the number of a tile, GAP + number of an empty cell beside the land, or NONE."""
    entry = state.ground[slot_for(state, cell)]
    return entry & VALUES if entry else NONE


@rule
def put(state: State, cell: int, value: int) -> None:
    state.ground[slot_for(state, cell)] = cell << VALUE_BITS | value


@rule
def open_gap(state: State, cell: int, edge: int, kind: int) -> None:
    """An empty cell has something at this edge from now on. R6: column 0 is coast and sea; option rows: nothing beyond the coast's rows."""
    row = cell % COLUMN - NORTH
    if cell < COLUMN or (state.rows and not 0 <= row < state.rows):
        return
    there = look(state, cell)
    if there == NONE:
        there = GAP + state.gaps
        state.gap[state.gaps], state.key[state.gaps] = cell, 0
        state.gaps += 1
        put(state, cell, there)
    state.key[there - GAP] |= kind << 2 * edge


@rule
def close_gap(state: State, number: int) -> None:
    """The last gap takes the place of the one that is filled."""
    state.gaps -= 1
    last = state.gaps
    if number != last:
        state.gap[number], state.key[number] = state.gap[last], state.key[last]
        put(state, state.gap[number], GAP + number)
    state.gap[last], state.key[last] = 0, 0


@rule
def lay_coast(box: Box, state: State) -> None:
    """M3: ten start spaces in column 0, open to the west."""
    for row in range(SPACES):
        tile = put_down(box, state, row + NORTH, box.coast[row], 0)
        put(state, row + NORTH, tile)
        open_gap(state, row + NORTH + COLUMN, EAST, edge_kind(box, state, tile, WEST))
        if row:
            join_coast(box, state, row)


@rule
def lay(box: Box, state: State, cell: int, turns: int) -> None:
    """M6: the drawn tile goes down and meets its neighbours."""
    close_gap(state, look(state, cell) - GAP)
    tile = put_down(box, state, cell, state.drawn, turns)
    put(state, cell, tile)
    state.westmost = max(state.westmost, cell // COLUMN)
    for edge in range(4):
        there = look(state, cell + STEPS[edge])
        if NONE < there < GAP:
            join(box, state, tile, there, edge)
            meet(state, tile, there)
        else:
            open_gap(state, cell + STEPS[edge], edge + 2 & 3, edge_kind(box, state, tile, edge))
    for step in DIAGONALS:
        there = look(state, cell + step)
        if NONE < there < GAP:
            meet(state, tile, there)


@rule
def meet(state: State, tile: int, other: int) -> None:
    """M11: each is one of the other's eight neighbours."""
    state.around[tile] += 1
    state.around[other] += 1


@rule
def fits_somewhere(box: Box, state: State, design: int) -> bool:
    for number in range(state.gaps):
        if box.fits[design, state.key[number]]:
            return True
    return False


@rule
def places(box: Box, state: State, out: Array) -> int:
    """M6: writes every place and turn of the drawn tile as moves, and returns how many there are."""
    count = 0
    for number in range(state.gaps):
        turns = box.fits[state.drawn, state.key[number]]
        for turn in range(4):
            if turns >> turn & 1:
                out[count] = LAY_MOVE + state.gap[number] * 4 + turn
                count += 1
    return count
