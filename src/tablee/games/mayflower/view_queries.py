"""Jitted queries of a whole position for the view: the settlers on the land, and what laying the tile would complete and allow.

One call each instead of one per settler or feature; the rows are written into an array of the caller's.
"""

from __future__ import annotations

from tablee.core.jit import copy, jit
from tablee.core.struct import Array
from tablee.games.mayflower.box import MAX_SEATS, SETTLERS, SLOTS, Box
from tablee.games.mayflower.features import slot_of, subject_kind, subject_of, tile_under
from tablee.games.mayflower.scoring import gain
from tablee.games.mayflower.scoring_order import MOST_WAITING, subject_at, waiting
from tablee.games.mayflower.settlers import spots
from tablee.games.mayflower.stands import AT_HOME, Stand, is_farm, segment_under
from tablee.games.mayflower.state import State, stand_of
from tablee.games.mayflower.turn import apply

SETTLER_COLUMNS = 5  # seat, subject, kind of the subject, tile, index on the tile
MOST_SETTLERS = MAX_SEATS * SETTLERS
COMPLETED_COLUMNS = 2 + MAX_SEATS  # move, kind of the completed feature, points of each seat
MOST_SPOTS = SLOTS + 2  # every segment of a tile, its farm, to pass


@jit
def list_settlers(box: Box, state: State, out: Array) -> int:
    """Write every settler on the land, seat by seat, and return their number."""
    count = 0
    for seat in range(state.seats):
        for number in range(SETTLERS):
            stand, at = stand_of(state, seat, number), count * SETTLER_COLUMNS
            if stand != AT_HOME:
                out[at], out[at + 1], out[at + 2] = seat, subject_of(state, stand), subject_kind(box, state, stand)
                out[at + 3], out[at + 4] = tile_under(state, stand), place_on_tile(box, state, stand)
                count += 1
    return count


@jit
def place_on_tile(box: Box, state: State, stand: Stand) -> int:
    """Return the index of a stand on its tile: the segment's slot; the farm comes after the segments."""
    return box.slots[state.design[tile_under(state, stand)]] if is_farm(stand) else slot_of(state, segment_under(stand))


@jit
def list_completed(box: Box, state: State, scratch: State, lays: Array, out: Array) -> int:
    """Write every feature with settlers that one of these moves would complete (M8), and return their number."""
    count = 0
    for number in range(len(lays)):
        copy(state, scratch)
        apply(box, scratch, state.active, lays[number])
        bits = waiting(box, scratch)
        for bit in range(MOST_WAITING):
            if bits >> bit & 1:
                subject, at = subject_at(box, scratch, bit), count * COMPLETED_COLUMNS
                out[at], out[at + 1] = lays[number], subject_kind(box, scratch, subject)
                for seat in range(state.seats):
                    out[at + 2 + seat] = gain(box, scratch, seat, subject)
                count += 1
    return count


@jit
def list_spots(box: Box, state: State, scratch: State, lays: Array, out: Array) -> None:
    """Write the number of moves that follow each of these moves, and those moves (M7), a row of 1 + MOST_SPOTS each."""
    for number in range(len(lays)):
        copy(state, scratch)
        apply(box, scratch, state.active, lays[number])
        row = number * (1 + MOST_SPOTS)
        out[row] = spots(box, scratch, out[row + 1 : row + 1 + MOST_SPOTS])
