"""Settlers: where one may be put (M7, R3), and how they go home (M14)."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.mayflower.box import PLAIN, SETTLERS, TOWN, Box
from tablee.games.mayflower.features import kind_of, plain_at, segment_at, segment_in, subject_of
from tablee.games.mayflower.notation import PASS, SETTLE_FARM, SETTLE_PLAIN, SETTLE_ROAD, SETTLE_TOWN
from tablee.games.mayflower.stands import AT_HOME, Stand, Subject, Tile, is_farm, on_farm, on_segment, segment_under
from tablee.games.mayflower.state import State, feature_of, last_tile, stand_of


@jit
def spots(box: Box, state: State, out: Array) -> int:
    """Write the free spots on the tile just laid as moves, `pass` first, and return their number (M7, R3)."""
    out[0] = PASS
    if state.supply[state.active] == 0:
        return 1
    tile, count = last_tile(state), 1
    for slot in range(box.slots[state.design[tile]]):
        if state.held[feature_of(state, segment_in(state, tile, slot))] == 0:
            out[count] = spot_move(box, state, tile, slot)
            count += 1
    if box.farm[state.design[tile]]:
        out[count] = SETTLE_FARM
        count += 1
    return count


@jit
def spot_move(box: Box, state: State, tile: Tile, slot: int) -> int:
    """Return the `settle` of a segment, named by its first edge or half-edge clockwise from N, as the tile lies."""
    design, turned = state.design[tile], state.turned[tile]
    kind = box.kind[design, slot]
    if kind == PLAIN:
        half = 0
        while box.plain_at[design, (half - 2 * turned) & 7] != slot:
            half += 1
        return SETTLE_PLAIN + half
    edge = 0
    while box.slot_at[design, (edge - turned) & 3] != slot:
        edge += 1
    return edge + (SETTLE_TOWN if kind == TOWN else SETTLE_ROAD)


@jit
def stand_for(box: Box, state: State, move: int) -> Stand:
    """Return the stand on the tile just laid that a `settle` names."""
    tile = last_tile(state)
    if move == SETTLE_FARM:
        return on_farm(tile)
    if move >= SETTLE_PLAIN:
        return on_segment(plain_at(box, state, tile, move - SETTLE_PLAIN))
    return on_segment(segment_at(box, state, tile, (move - SETTLE_ROAD) & 3))


@jit
def settle(state: State, seat: int, stand: Stand) -> None:
    number = 0
    while stand_of(state, seat, number) != AT_HOME:
        number += 1
    state.stands[seat, number] = stand
    state.supply[seat] -= 1
    if not is_farm(stand):
        state.held[feature_of(state, segment_under(stand))] += 1


@jit
def go_home(state: State, seat: int, number: int) -> None:
    """Send a settler back to its owner's supply (M14)."""
    stand = stand_of(state, seat, number)
    state.stands[seat, number] = AT_HOME
    state.supply[seat] += 1
    if not is_farm(stand):
        state.held[feature_of(state, segment_under(stand))] -= 1


@jit
def count_on(state: State, seat: int, subject: Subject) -> int:
    """Return how many settlers of a seat stand on a feature."""
    count = 0
    for number in range(SETTLERS):
        stand = stand_of(state, seat, number)
        if stand != AT_HOME and subject_of(state, stand) == subject:
            count += 1
    return count


@jit
def most_on(state: State, subject: Subject) -> int:
    """Return how many settlers the majority has (M12)."""
    most = 0
    for seat in range(state.seats):
        most = max(most, count_on(state, seat, subject))
    return most


@jit
def is_trapper(box: Box, state: State, stand: Stand) -> bool:
    return not is_farm(stand) and kind_of(box, state, segment_under(stand)) == PLAIN
