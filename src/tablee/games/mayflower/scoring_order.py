"""The completed features that wait to be scored after a turn's settling, and their order (M8).

They all touch the tile just laid, so they are bits of one integer: 0..3 a road or town by its first edge on that tile,
4..12 a farm by its place around that tile, column by column from the east, north first.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.mayflower.box import PLAIN, ROAD, SETTLERS, Box
from tablee.games.mayflower.compass import Cell, cell_at, column_of, row_of
from tablee.games.mayflower.features import NEIGHBOURS, edge_kind, segment_at
from tablee.games.mayflower.notation import SCORE_FARM, SCORE_ROAD, SCORE_TOWN, farm_of
from tablee.games.mayflower.placement import tile_at
from tablee.games.mayflower.scoring import gain
from tablee.games.mayflower.stands import Subject, Tile, as_subject, farm_under, is_farm, on_farm
from tablee.games.mayflower.state import OPEN_EDGES, State, feature_of, last_tile, stand_of

FARM_BIT = 4
MOST_WAITING = 13


@jit
def waiting(box: Box, state: State) -> int:
    """Return as bits the features that are complete and have at least one settler (M8)."""
    tile, found = last_tile(state), 0
    for edge in range(4):
        if edge_kind(box, state, tile, edge) != PLAIN and waits_at(box, state, tile, edge):
            found |= 1 << edge
    for seat in range(state.seats):
        for number in range(SETTLERS):
            stand = stand_of(state, seat, number)
            if is_farm(stand) and state.around[farm_under(stand)] == NEIGHBOURS:
                found |= 1 << FARM_BIT + position(state.place[farm_under(stand)], state.place[tile])
    return found


@jit
def waits_at(box: Box, state: State, tile: Tile, edge: int) -> bool:
    """Return whether the road or town at an edge waits, and no earlier edge of the tile belongs to it too."""
    feature = feature_of(state, segment_at(box, state, tile, edge))
    if state.segment[feature, OPEN_EDGES] or not state.held[feature]:
        return False
    for earlier in range(edge):
        if edge_kind(box, state, tile, earlier) != PLAIN and feature_of(state, segment_at(box, state, tile, earlier)) == feature:
            return False
    return True


@jit
def position(cell: Cell, centre: Cell) -> int:
    return (column_of(cell) - column_of(centre) + 1) * 3 + row_of(cell) - row_of(centre) + 1


@jit
def cell_around(centre: Cell, position: int) -> Cell:
    return cell_at(column_of(centre) + position // 3 - 1, row_of(centre) + position % 3 - 1)


@jit
def subject_at(box: Box, state: State, bit: int) -> Subject:
    tile = last_tile(state)
    if bit < FARM_BIT:
        return as_subject(feature_of(state, segment_at(box, state, tile, bit)))
    return on_farm(tile_at(state, cell_around(state.place[tile], bit - FARM_BIT)))


@jit
def score_moves(box: Box, state: State, out: Array) -> int:
    """Write the waiting features as moves and return their number."""
    tile, bits, count = last_tile(state), waiting(box, state), 0
    for bit in range(MOST_WAITING):
        if bits >> bit & 1:
            if bit >= FARM_BIT:
                out[count] = SCORE_FARM + cell_around(state.place[tile], bit - FARM_BIT)
            else:
                out[count] = bit + (SCORE_ROAD if edge_kind(box, state, tile, bit) == ROAD else SCORE_TOWN)
            count += 1
    return count


@jit
def subject_for(box: Box, state: State, move: int) -> Subject:
    """Return the subject that a `score` names."""
    if move >= SCORE_FARM:
        return on_farm(tile_at(state, farm_of(move)))
    return subject_at(box, state, (move - SCORE_ROAD) & 3)


@jit
def best_first(box: Box, state: State, bits: int) -> Subject:
    """Return the feature that gives the active player most now, of equals the first (option order = automatic)."""
    best, most = 0, -1
    for bit in range(MOST_WAITING):
        if bits >> bit & 1:
            points = gain(box, state, state.active, subject_at(box, state, bit))
            if points > most:
                best, most = bit, points
    return subject_at(box, state, best)
