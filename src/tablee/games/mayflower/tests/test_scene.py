"""The page's geometry: the map has everything that the view names, and a new tile changes little of it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from tablee import games
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.games.mayflower import scene, sites
from tablee.games.mayflower.state import State
from tablee.games.mayflower.tests.sample_games import begin, play_line, take_turns

Moment = tuple[dict[str, Any], Mapping[str, Any]]


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    """Return the view and the scene at every lay of a random game, and at its end."""
    rng, game = random.Random(7), games.find("mayflower")
    match, found = Match(game, 3, {"first": 0}, bytes(32)), []
    while not match.over:
        match.play_nature()
        if match.over:
            break
        if game.show(match.legal(match.to_act[0])[0]).startswith("lay"):
            found.append(look(match))
        match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
    return [*found, look(match)]


def look(match: Match[State]) -> Moment:
    view = match.game.view(match.game.observe(match.state, Seat(0)))
    return view, match.game.scene(view)


def test_every_part_of_every_feature_can_be_pointed_at(moments: list[Moment]) -> None:
    for view, drawn in moments[::12]:
        found = re.findall(r'data-at="([^"]+)"', drawn["coast"] + "".join(drawn["layers"]["hits"]))
        parts = [place for share in drawn["features"] for each in share for place in each["places"].split(";")]
        assert sorted(found) == sorted(parts)
        assert sum(len(share) for share in drawn["features"]) == len(view["features"])


def test_a_settler_stands_on_its_own_tile(moments: list[Moment]) -> None:
    for _, drawn in moments:
        for each in drawn["settlers"]:
            assert 0 < each["x"] + 100 * each["col"] < 100
            assert 0 < each["y"] - 100 * each["row"] < 100


def test_a_new_tile_changes_one_chunk_of_each_layer(moments: list[Moment]) -> None:
    for (_, before), (_, after) in pairwise(moments):
        for layer in scene.LAYERS:
            changed = [old != new for old, new in zip(before["layers"][layer], after["layers"][layer], strict=True)]
            assert sum(changed) <= 1


def test_the_outline_of_a_feature_has_all_its_parts(moments: list[Moment]) -> None:
    view, drawn = moments[-1]
    for feature in view["features"]:
        col, row, name = feature["parts"][0]
        shapes = drawn["shapes"](f"{col},{row} {name}".rstrip())
        assert len(re.findall("<use|<path", shapes)) == len(feature["parts"])


def test_m6_the_places_are_the_legal_ones() -> None:
    match = Match(games.find("mayflower"), 2, {"first": 0}, bytes(32))
    match.play_nature()
    before, _ = look(match)
    offered = [f"lay {site['cell']} {turn}" for site in look(match)[1]["sites"](before) for turn in site["turns"]]
    assert offered == [match.game.show(move) for move in match.legal(Seat(0))]
    cell = offered[0].split()[1]
    assert sites.turns_here(before, [offered[0]]) == sum(move.split()[1] == cell for move in offered)


def test_m7_no_two_places_for_a_settler_bear_one_name() -> None:
    rng, game = random.Random(7), games.find("mayflower")
    match, asked = Match(game, 2, {"first": 0}, bytes(32)), 0
    while match.play_nature() or not match.over:
        seat = match.to_act[0]
        names = [(each["kind"], each["side"]) for each in game.scene(game.view(game.observe(match.state, seat)))["choices"]]
        assert len(set(names)) == len(names), names
        asked += len(names) > 1
        match.play(seat, rng.choice(match.legal(seat)))
    assert asked > 10


def test_m6_a_place_says_what_it_joins_and_who_holds_it() -> None:
    match = begin()
    take_turns(match, "AB 1,5 0: town E", "T 1,3 1")
    play_line(match, "- draw C")
    view, drawn = look(match)
    places = {site["cell"]: site for site in drawn["sites"](view)}
    assert places["1,4"]["joins"] == [
        {"side": "north", "shows": "a plain", "seats": []},
        {"side": "east", "shows": "a plain", "seats": []},
        {"side": "south", "shows": "a plain", "seats": []},
    ]
    assert places["2,5"]["joins"] == [{"side": "east", "shows": "a town", "seats": [0]}]
    assert places["2,5"]["gives"] == [{"kind": "town", "points": {"0": 8}}]
