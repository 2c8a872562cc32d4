"""Features of the position after a move, for learners that compare legal moves (`core/candidates.py`).

What a seat may expect of its settlers is described at the end of the turn: after the settler that the hand-made value would put down, and
the scoring. The tile just laid is described right after the move.
"""

from __future__ import annotations

from tablee.core.contract import POINT
from tablee.core.jit import copy, jit
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, Field, offset_of, size_of, to_int16
from tablee.games.mayflower.box import FARM, INPUTS_PER_KIND, INPUTS_PER_PHASE, NONE, PLAIN, SETTLERS, Box
from tablee.games.mayflower.compass import across, beside, column_of
from tablee.games.mayflower.completion_chances import count_bag, tiles_that_fit
from tablee.games.mayflower.evaluation import add_settlers, estimate_all_seats, mean_value_of_others, seat_value
from tablee.games.mayflower.faces import MAX_TILES
from tablee.games.mayflower.features import edge_kind, plain_at, segment_at
from tablee.games.mayflower.learned_value import EXPECTED, clear_inputs
from tablee.games.mayflower.placement import cell_entry, tile_at
from tablee.games.mayflower.scoring import score
from tablee.games.mayflower.settlers import count_on, spots
from tablee.games.mayflower.stands import Segment, Tile, as_subject
from tablee.games.mayflower.state import (
    AT_END,
    COVERED,
    EXTRAS,
    GAP_OFFSET,
    OPEN_EDGES,
    SCORE,
    SETTLE,
    Scratch,
    State,
    feature_of,
    last_tile,
)
from tablee.games.mayflower.turn import apply, go_on_scoring

NO_SEAT = -1  # that gets a learned correction
TENTH = POINT // 10  # of a point
EDGE_KIND, TILES, OPEN, EXTRA, MINE, THEIRS, MINE_BEFORE, THEIRS_BEFORE, FITTING, PER_EDGE = range(10)  # at an edge of the tile just laid

TABLE_FEATURES = (
    Field("left", (1,), 0, MAX_TILES, "tiles in the bag"),
    Field("ahead", (2,), -MAX_TILES, MAX_TILES, "columns from each explorer to the western end of the land"),
    Field("column", (1,), -MAX_TILES, MAX_TILES, "of the tile just laid, west of the eastern explorer"),
    Field("edges", (4, PER_EDGE), 0, INT16_MAX, "of the tile just laid, N E S W: kind (1 plain, 2 town, 3 road); of the feature there: "
          "tiles, open edges, extras, own settlers, others' settlers, and both before the move; tiles in the bag that fit the empty "
          "neighbour"),
    Field("farm", (1,), 0, 9, "if the tile just laid has a farm: 1 and its neighbours"),
)  # fmt: skip
SEAT_FEATURES = (
    Field("points", (1,), 0, INT16_MAX, "at the end of the turn"),
    Field("gained", (1,), 0, INT16_MAX, "points since before the move"),
    Field("supply", (1,), 0, SETTLERS, "settlers at hand"),
    Field("returned", (1,), -SETTLERS, SETTLERS, "settlers that came home since before the move, less those put down"),
    Field("free", (SETTLERS,), 0, INT16_MAX, "settlers at hand and likely to return, in thousandths: all, those beyond the first, ..."),
    Field("on", (FARM, INPUTS_PER_KIND), -INT16_MAX, INT16_MAX, "of its settlers on plains, towns, roads and farms, added up: settlers; "
          "expected points, in tenths; outvoted; tiles until the explorers pass; tiles; extras; chance to close, in thousandths; without a "
          "chance; explorers in the column; open edges"),
)  # fmt: skip
LEFT, AHEAD, COLUMN, EDGES, FARM_AT = (offset_of(TABLE_FEATURES, field.name) for field in TABLE_FEATURES)
POINTS, GAINED, SUPPLY, RETURNED, FREE, ON = (offset_of(SEAT_FEATURES, field.name) for field in SEAT_FEATURES)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE_FEATURES), size_of(SEAT_FEATURES)


@jit
def write_features(box: Box, before: State, after: State, scratch: Scratch, seat: int, out: Array) -> None:
    finish_turn(box, after, scratch, seat)
    tile = last_tile(after)
    out[LEFT], out[COLUMN] = after.left, column_of(after.place[tile]) - scratch.explorers[1]
    for explorer in range(2):
        out[AHEAD + explorer] = scratch.westmost - scratch.explorers[explorer]
    out[FARM_AT] = 1 + after.around[tile] if box.farm[after.design[tile]] else 0
    for edge in range(4):
        write_edge(box, before, after, scratch, seat, edge, out[EDGES + edge * PER_EDGE : EDGES + (edge + 1) * PER_EDGE])
    for place in range(after.seats):
        first = SEATS_OFFSET + place * SEAT_SIZE
        write_seat(box, before, scratch, (seat + place) % after.seats, out[first : first + SEAT_SIZE])


@jit
def finish_turn(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    """Copy the position to the scratch memory and play the rest of the seat's turn there: the best settler by the hand-made value."""
    copy(state, scratch)
    count_bag(box, scratch)
    scratch.learned_seat = NO_SEAT
    if state.active != seat:
        return
    if state.phase == SETTLE:
        best = best_spot(box, state, scratch, seat)
        copy(state, scratch)
        scratch.automatic = 1
        apply(box, scratch, seat, best)
    elif state.phase == SCORE:
        scratch.automatic = 1
        go_on_scoring(box, scratch)


@jit
def best_spot(box: Box, state: State, scratch: Scratch, seat: int) -> int:
    """Return the `settle` after which the seat's lead is largest by the hand-made value, the first of equals."""
    count, best, most = spots(box, scratch, scratch.spots), 0, 0
    for number in range(count if count > 1 else 0):
        copy(state, scratch)
        scratch.automatic = 1
        apply(box, scratch, seat, scratch.spots[number])
        estimate_all_seats(box, scratch)
        lead = seat_value(box, scratch, seat) - mean_value_of_others(box, scratch, seat)
        if number == 0 or lead > most:
            best, most = number, lead
    return scratch.spots[best]


@jit
def write_edge(box: Box, before: State, after: State, scratch: Scratch, seat: int, edge: int, out: Array) -> None:
    tile = last_tile(after)
    kind, there = edge_kind(box, after, tile, edge), beside(after.place[tile], edge)
    feature = feature_of(after, segment_on(box, after, tile, edge, kind))
    mine = count_on(after, seat, as_subject(feature))
    out[EDGE_KIND], out[TILES] = kind, after.segment[feature, COVERED]
    out[OPEN], out[EXTRA] = after.segment[feature, OPEN_EDGES] if kind != PLAIN else 0, after.segment[feature, EXTRAS]
    out[MINE], out[THEIRS] = mine, after.held[feature] - mine
    write_owners_before(box, before, after, seat, edge, kind, out)
    gap = cell_entry(after, there)
    out[FITTING] = tiles_that_fit(box, scratch, after.key[gap - GAP_OFFSET]) if gap >= GAP_OFFSET else 0


@jit
def write_owners_before(box: Box, before: State, after: State, seat: int, edge: int, kind: int, out: Array) -> None:
    """Write whose settlers stood, before the move, on the feature at an edge of the tile just laid."""
    other, facing = last_tile(after), edge
    if before.tiles < after.tiles:
        other, facing = tile_at(before, beside(after.place[last_tile(after)], edge)), across(edge)
    out[MINE_BEFORE], out[THEIRS_BEFORE] = 0, 0
    if other != NONE:
        feature = feature_of(before, segment_on(box, before, other, facing, kind))
        mine = count_on(before, seat, as_subject(feature))
        out[MINE_BEFORE], out[THEIRS_BEFORE] = mine, before.held[feature] - mine


@jit
def segment_on(box: Box, state: State, tile: Tile, edge: int, kind: int) -> Segment:
    """Return the town or road on an edge, or the plain on its first half."""
    return plain_at(box, state, tile, 2 * edge) if kind == PLAIN else segment_at(box, state, tile, edge)


@jit
def write_seat(box: Box, before: State, scratch: Scratch, seat: int, out: Array) -> None:
    """Write what a seat has and may expect in the scratch position."""
    points = score(box, scratch, seat)
    out[POINTS], out[GAINED] = points, points - score(box, before, seat)
    out[SUPPLY], out[RETURNED] = scratch.supply[seat], scratch.supply[seat] - before.supply[seat]
    scratch.learned_seat, scratch.free[seat] = seat, POINT * scratch.supply[seat]
    clear_inputs(scratch)
    if scratch.phase != AT_END:
        add_settlers(box, scratch, seat)
    for number in range(SETTLERS):
        out[FREE + number] = max(0, scratch.free[seat] - number * POINT)
    for kind in range(FARM):
        for number in range(INPUTS_PER_KIND):
            place = kind * INPUTS_PER_KIND + number
            total = scratch.inputs[INPUTS_PER_PHASE + SETTLERS + place] // scratch.tiles
            out[ON + place] = to_int16(total // TENTH if number == EXPECTED else total)
