"""Segments become features: joining keeps open edges, tiles, extras and settlers up to date (M9, M10). Farms count neighbours (M11)."""

from __future__ import annotations

from tablee.core.rule import rule
from tablee.games.mayflower.box import FARM, PLAIN, ROAD, TOWN, Box
from tablee.games.mayflower.state import ON_FARM, State

WEST = 3
NEIGHBOURS = 8


@rule
def edge_kind(box: Box, state: State, tile: int, edge: int) -> int:
    """What a tile shows at an edge, as it lies."""
    return box.shows[state.design[tile], (edge - state.turned[tile]) & 3]


@rule
def segment_at(box: Box, state: State, tile: int, edge: int) -> int:
    """The town or road on an edge."""
    return state.first[tile] + box.slot_at[state.design[tile], (edge - state.turned[tile]) & 3]


@rule
def plain_at(box: Box, state: State, tile: int, half: int) -> int:
    """The plain on a half-edge."""
    return state.first[tile] + box.plain_at[state.design[tile], (half - 2 * state.turned[tile]) & 7]


@rule
def kind_of(box: Box, state: State, segment: int) -> int:
    tile = state.tile_of[segment]
    return box.kind[state.design[tile], segment - state.first[tile]]


@rule
def put_down(box: Box, state: State, cell: int, design: int, turns: int) -> int:
    """A new tile with its segments, each a feature of its own; returns its number."""
    tile, first = state.tiles, state.segments
    state.place[tile], state.design[tile], state.turned[tile], state.first[tile] = cell, design, turns, first
    for slot in range(box.slots[design]):
        segment = first + slot
        state.feature[segment], state.ring[segment], state.tile_of[segment] = segment, segment, tile
        state.open[segment], state.extra[segment], state.extent[segment] = box.ends[design, slot], box.extra[design, slot], 1
    state.tiles += 1
    state.segments += box.slots[design]
    return tile


@rule
def join(box: Box, state: State, tile: int, other: int, edge: int) -> None:
    """Two tiles touch: what meets at the edge is one from now on."""
    across = edge + 2 & 3
    kind = edge_kind(box, state, tile, edge)
    if kind != PLAIN:
        one = segment_at(box, state, tile, edge)
        unite(box, state, one, segment_at(box, state, other, across))
        state.open[state.feature[one]] -= 2
    if kind != TOWN:
        unite(box, state, plain_at(box, state, tile, 2 * edge), plain_at(box, state, other, 2 * across + 1))
    if kind == ROAD:
        unite(box, state, plain_at(box, state, tile, 2 * edge + 1), plain_at(box, state, other, 2 * across))


@rule
def unite(box: Box, state: State, one: int, other: int) -> None:
    """The smaller feature takes the name of the larger one."""
    large, small = state.feature[one], state.feature[other]
    if large == small:
        return
    if state.extent[large] < state.extent[small]:
        large, small = small, large
    rename(box, state, small, large)
    state.ring[large], state.ring[small] = state.ring[small], state.ring[large]
    state.open[large] += state.open[small]
    state.extra[large] += state.extra[small]
    state.held[large] += state.held[small]


@rule
def rename(box: Box, state: State, small: int, large: int) -> None:
    segment = small
    while True:
        if not tile_counts(box, state, state.tile_of[segment], large):
            state.extent[large] += 1  # M9, M10: a tile counts once
        state.feature[segment] = large
        segment = state.ring[segment]
        if segment == small:
            return


@rule
def tile_counts(box: Box, state: State, tile: int, feature: int) -> bool:
    """Whether a tile already has a segment in this feature."""
    first = state.first[tile]
    for segment in range(first, first + box.slots[state.design[tile]]):
        if state.feature[segment] == feature:
            return True
    return False


@rule
def join_coast(box: Box, state: State, row: int) -> None:
    """R2: neighbouring plain spaces are one plain; a town or a harbour reaches the sea and separates."""
    north, south = box.plain_at[state.design[row - 1], 2 * WEST], box.plain_at[state.design[row], 2 * WEST + 1]
    if north >= 0 and south >= 0:
        unite(box, state, state.first[row - 1] + north, state.first[row] + south)


@rule
def subject_of(state: State, stand: int) -> int:
    """What a settler who stands there can score: a farm is itself, everything else the whole feature."""
    return stand if stand >= ON_FARM else 1 + state.feature[stand - 1]


@rule
def subject_kind(box: Box, state: State, subject: int) -> int:
    return FARM if subject >= ON_FARM else kind_of(box, state, subject - 1)


@rule
def is_complete(box: Box, state: State, subject: int) -> bool:
    """M9, M10: no open edge. M11: eight neighbours. Plains are never complete (M17)."""
    kind = subject_kind(box, state, subject)
    if kind == FARM:
        return state.around[subject - ON_FARM] == NEIGHBOURS
    return kind != PLAIN and state.open[subject - 1] == 0


@rule
def tile_under(state: State, stand: int) -> int:
    return stand - ON_FARM if stand >= ON_FARM else state.tile_of[stand - 1]
