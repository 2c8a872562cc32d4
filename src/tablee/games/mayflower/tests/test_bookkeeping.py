"""Incremental bookkeeping: after every move, features, gaps, farms, settlers and tiles agree with the reference land."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.match import Match
from tablee.games.mayflower.box import KINDS, SETTLERS, SIGNS
from tablee.games.mayflower.compass import cell_at
from tablee.games.mayflower.features import kind_of
from tablee.games.mayflower.loading import distinct_turns
from tablee.games.mayflower.notation import lay_move
from tablee.games.mayflower.placement import cell_entry
from tablee.games.mayflower.stands import AT_HOME, ON_FARM, Segment
from tablee.games.mayflower.state import GAP_OFFSET, LAY, State, next_of, stand_of
from tablee.games.mayflower.tests.reference_land import ReferenceLand, cell_of, fits
from tablee.games.mayflower.tests.sample_games import GAME, PIECES, random_play
from tests.rounds import rounds

EXAMPLES = 1 if os.environ.get("TABLEE_PLAIN") == "1" else rounds(few=4, many=40)
BOX = PIECES.box


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6), seats=st.integers(2, 5), rows=st.sampled_from([0, 0, 10]), order=st.sampled_from(["chosen", "automatic"])
)
def test_bookkeeping_agrees_with_a_flood_fill_after_every_move(seed: int, seats: int, rows: int, order: str) -> None:
    for match in random_play(seats, seed, rows=rows, order=order):
        if match.state.phase != LAY:  # a draw changes nothing on the land
            land = ReferenceLand(PIECES, match.state)
            check_features(match.state, land)
            check_gaps(match.state, land)
            check_farms(match.state, land)
        check_conservation(match.state, land)
        if match.state.phase == LAY:
            check_places(match, land)


def check_features(state: State, land: ReferenceLand) -> None:
    assert len(land.pieces) == state.segments
    feature, _, _, edges, extent, extra = zip(*state.segment, strict=True)
    for region in land.regions:
        names = {feature[segment] for segment in region.segments}
        assert len(names) == 1, "one region, one name"
        name = names.pop()
        assert name in region.segments
        assert ring(state, name) == region.segments
        assert KINDS[kind_of(BOX, state, name)] == region.kind
        assert extent[name] == len(region.cells)
        assert extra[name] == region.extra
        assert state.held[name] == region.settlers.total()
        if region.kind != "plain":
            assert edges[name] == land.open_edges(region)


def ring(state: State, name: int) -> set[int]:
    found = {name}
    segment = next_of(state, Segment(name))
    while segment != name:
        found.add(segment)
        segment = next_of(state, segment)
    return found


def check_gaps(state: State, land: ReferenceLand) -> None:
    keys = {cell_of(state.gap[number]): int(state.key[number]) for number in range(state.gaps)}
    assert len(keys) == state.gaps
    assert keys == {cell: key_of(around) for cell, around in land.gaps().items()}
    for number in range(state.gaps):
        assert cell_entry(state, state.gap[number]) == GAP_OFFSET + number
    for cell, tile in land.tiles.items():
        assert cell_entry(state, cell_at(*cell)) == tile


def key_of(around: str) -> int:
    return sum(SIGNS[sign] << 2 * edge for edge, sign in enumerate(around) if sign != ".")


def check_farms(state: State, land: ReferenceLand) -> None:
    for stand, cell in land.farms.items():
        assert state.around[stand - ON_FARM] == land.around(cell)


def check_places(match: Match[State], land: ReferenceLand) -> None:
    """Compare the legal places with brute force: every gap, every distinct turn, every touching edge (M6)."""
    face = PIECES.faces[match.state.drawn]
    found = [
        lay_move(cell_at(*cell), turns)
        for cell, around in sorted(land.gaps().items())
        for turns in distinct_turns(face)
        if fits(face, around, turns)
    ]
    assert match.legal(match.to_act[0]) == found


def check_conservation(state: State, land: ReferenceLand) -> None:
    laid = Counter(int(state.design[tile]) for tile in range(10, state.tiles))
    for design, face in enumerate(PIECES.faces):
        assert 0 <= state.bag[design] <= face.count - laid[design] - int(state.drawn == design)
    assert state.left == sum(state.bag)
    for seat in range(state.seats):
        assert state.supply[seat] == SETTLERS - sum(stand_of(state, seat, number) != AT_HOME for number in range(SETTLERS))
    assert 0 <= state.explorers[0] - state.explorers[1] <= 1
    assert state.westmost == max(column for column, _ in land.tiles)


@pytest.mark.parametrize("seats", [2, 5])
def test_every_tile_of_the_box_is_laid_or_set_aside(seats: int) -> None:
    *_, match = random_play(seats, 4)
    view = GAME.view(GAME.observe(match.state, None))
    assert len(view["tiles"]) + sum(view["aside"].values()) == 95
    assert view["left"] == 0
