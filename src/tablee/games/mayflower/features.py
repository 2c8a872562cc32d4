"""Features: joining segments updates open edges, tiles, extras and settlers (M9, M10); farms count their neighbours (M11)."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.mayflower.box import FARM, PLAIN, ROAD, TOWN, Box
from tablee.games.mayflower.compass import WEST, Cell, across, column_of
from tablee.games.mayflower.stands import Segment, Stand, Subject, Tile, as_subject, farm_under, is_farm, on_farm, segment_under
from tablee.games.mayflower.state import (
    COVERED,
    EXTRAS,
    IN_FEATURE,
    NEXT_IN_RING,
    ON_TILE,
    OPEN_EDGES,
    State,
    feature_of,
    next_of,
    tile_of,
)

NEIGHBOURS = 8


@jit
def edge_kind(box: Box, state: State, tile: Tile, edge: int) -> int:
    """Return the kind that a tile shows at an edge, as it lies."""
    return box.shows[state.design[tile], (edge - state.turned[tile]) & 3]


@jit
def segment_in(state: State, tile: Tile, slot: int) -> Segment:
    """Return a tile's segment by its slot; the segments of a tile are consecutive."""
    return state.first[tile] + slot  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def slot_of(state: State, segment: Segment) -> int:
    """Return a segment's slot: its index among the segments of its tile."""
    return segment - state.first[tile_of(state, segment)]


@jit
def segment_at(box: Box, state: State, tile: Tile, edge: int) -> Segment:
    """Return the town or road on an edge."""
    return segment_in(state, tile, box.slot_at[state.design[tile], (edge - state.turned[tile]) & 3])


@jit
def plain_at(box: Box, state: State, tile: Tile, half: int) -> Segment:
    """Return the plain on a half-edge."""
    return segment_in(state, tile, box.plain_at[state.design[tile], (half - 2 * state.turned[tile]) & 7])


@jit
def kind_of(box: Box, state: State, segment: Segment) -> int:
    return box.kind[state.design[tile_of(state, segment)], slot_of(state, segment)]


@jit
def put_down(box: Box, state: State, cell: Cell, design: int, turns: int) -> Tile:
    """Add a tile with its segments, each a feature of its own, and return its number."""
    tile: Tile = state.tiles  # type: ignore[assignment]
    first: Segment = state.segments  # type: ignore[assignment]
    state.place[tile], state.design[tile], state.turned[tile], state.first[tile] = cell, design, turns, first
    for slot in range(box.slots[design]):
        segment = segment_in(state, tile, slot)
        state.segment[segment, IN_FEATURE], state.segment[segment, NEXT_IN_RING] = segment, segment
        state.segment[segment, ON_TILE], state.segment[segment, COVERED] = tile, 1
        state.segment[segment, OPEN_EDGES], state.segment[segment, EXTRAS] = box.ends[design, slot], box.extra[design, slot]
    state.tiles += 1
    state.segments += box.slots[design]
    return tile


@jit
def join(box: Box, state: State, tile: Tile, other: Tile, edge: int) -> None:
    """Unite the segments that meet at the edge between two tiles."""
    there = across(edge)
    kind = edge_kind(box, state, tile, edge)
    if kind != PLAIN:
        one = segment_at(box, state, tile, edge)
        unite(box, state, one, segment_at(box, state, other, there))
        state.segment[feature_of(state, one), OPEN_EDGES] -= 2
    if kind != TOWN:
        unite(box, state, plain_at(box, state, tile, 2 * edge), plain_at(box, state, other, 2 * there + 1))
    if kind == ROAD:
        unite(box, state, plain_at(box, state, tile, 2 * edge + 1), plain_at(box, state, other, 2 * there))


@jit
def unite(box: Box, state: State, one: Segment, other: Segment) -> None:
    """Merge the features of two segments; the smaller one takes the name of the larger one."""
    large, small = feature_of(state, one), feature_of(state, other)
    if large == small:
        return
    if state.segment[large, COVERED] < state.segment[small, COVERED]:
        large, small = small, large
    rename(box, state, small, large)
    state.segment[large, NEXT_IN_RING], state.segment[small, NEXT_IN_RING] = next_of(state, small), next_of(state, large)
    state.segment[large, OPEN_EDGES] += state.segment[small, OPEN_EDGES]
    state.segment[large, EXTRAS] += state.segment[small, EXTRAS]
    state.held[large] += state.held[small]


@jit
def rename(box: Box, state: State, small: Segment, large: Segment) -> None:
    segment = small
    while True:
        if not tile_counts(box, state, tile_of(state, segment), large):
            state.segment[large, COVERED] += 1  # M9, M10: a tile counts once
        state.segment[segment, IN_FEATURE] = large
        segment = next_of(state, segment)
        if segment == small:
            return


@jit
def tile_counts(box: Box, state: State, tile: Tile, feature: Segment) -> bool:
    """Return whether a tile already has a segment in this feature."""
    for slot in range(box.slots[state.design[tile]]):
        if feature_of(state, segment_in(state, tile, slot)) == feature:
            return True
    return False


@jit
def join_coast(box: Box, state: State, north: Tile, south: Tile) -> None:
    """Unite the plains of neighbouring start spaces (R2); a town or a harbour reaches the sea and separates them."""
    upper, lower = box.plain_at[state.design[north], 2 * WEST], box.plain_at[state.design[south], 2 * WEST + 1]
    if upper >= 0 and lower >= 0:
        unite(box, state, segment_in(state, north, upper), segment_in(state, south, lower))


@jit
def subject_of(state: State, stand: Stand) -> Subject:
    """Return the subject that a settler on this stand can score: its farm, or the whole feature."""
    return on_farm(farm_under(stand)) if is_farm(stand) else as_subject(feature_of(state, segment_under(stand)))


@jit
def subject_kind(box: Box, state: State, subject: Stand) -> int:
    return FARM if is_farm(subject) else kind_of(box, state, segment_under(subject))


@jit
def is_complete(box: Box, state: State, subject: Subject) -> bool:
    """Return whether a subject has no open edge (M9, M10) or, as a farm, eight neighbours (M11); plains never are complete (M17)."""
    if is_farm(subject):
        return state.around[farm_under(subject)] == NEIGHBOURS
    return kind_of(box, state, segment_under(subject)) != PLAIN and state.segment[segment_under(subject), OPEN_EDGES] == 0


@jit
def tile_under(state: State, stand: Stand) -> Tile:
    return farm_under(stand) if is_farm(stand) else tile_of(state, segment_under(stand))


@jit
def column_under(state: State, stand: Stand) -> int:
    return column_of(state.place[tile_under(state, stand)])
