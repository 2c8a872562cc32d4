"""Settlers: where they may stand, and how they come home (M7, M14, R3)."""

from __future__ import annotations

from tablee.games.mayflower.tests.sample_games import begin, feature, legal, play_line, refused, take_turns, view


def test_m7_robber_merchant_and_trapper_have_their_places() -> None:
    match = begin()
    play_line(match, "- draw P")  # a town in the north, a road south to west, two plains
    play_line(match, "0 lay 1,9 0")
    assert legal(match) == ["pass", "settle road S", "settle town N", "settle plain Et", "settle plain Sl"]
    play_line(match, "0 settle road S")
    assert [(each["role"], each["spot"], each["lying"]) for each in view(match)["settlers"]] == [("robber", "S", False)]


def test_m7_a_farmer_stands_on_the_farm_and_a_trapper_lies_down() -> None:
    match = begin()
    take_turns(match, "B 1,2 0: farm", "B 1,7 0: plain Nl")
    assert [(each["role"], each["spot"], each["lying"]) for each in view(match)["settlers"]] == [
        ("farmer", "", False),
        ("trapper", "Nl", True),
    ]


def test_m7_only_where_nobody_stands_on_the_whole_feature() -> None:
    match = begin()
    take_turns(match, "L 1,3 1: road E")
    play_line(match, "- draw K")
    play_line(match, "1 lay 2,3 2")  # its road goes on from the robber's
    assert "settle road N" not in legal(match)
    assert refused(match, "1 settle road N") == "somebody stands there already: you may settle only where nobody is (M7)"
    assert "settle plain Nl" in legal(match)


def test_m7_your_own_settler_bars_you_too() -> None:
    match = begin()
    take_turns(match, "B 1,2 0: plain Nl", "B 1,7 0")
    play_line(match, "- draw B")
    play_line(match, "0 lay 2,2 0")
    assert legal(match) == ["pass", "settle farm"]


def test_m7_without_settlers_one_can_only_pass_and_is_still_asked() -> None:
    match = begin()
    take_turns(match, "B 1,0 0: plain Nl", "L 1,3 1", "B 1,2 0: plain Nl", "L 2,3 1", "B 1,4 0: plain Nl", "L 3,3 1")
    take_turns(match, "K 1,7 0: plain Nl", "H 4,3 1", "K 1,9 0: plain Nl", "H 5,3 1")
    assert view(match)["seats"][0]["supply"] == 0
    play_line(match, "- draw R")
    play_line(match, f"0 {legal(match)[0]}")
    assert legal(match) == ["pass"]
    assert refused(match, "0 settle plain Nl") == "you have no settler left (M7)"


def test_m7_refusals_name_what_is_there() -> None:
    match = begin()
    play_line(match, "- draw P")
    play_line(match, "0 lay 1,9 0")
    assert refused(match, "0 settle road W") == "name it by its first edge clockwise from the north: settle road S (M7)"
    assert refused(match, "0 settle plain Wt") == "name it by its first edge clockwise from the north: settle plain Et (M7)"
    for nothing in ("settle farm", "settle town E", "settle road N", "settle plain Nl"):
        assert refused(match, f"0 {nothing}") == "the tile just laid has nothing like that there (M7)"
    assert refused(match, "0 score road S") == "put a settler on the tile just laid, or pass (M7)"
    assert refused(match, "0 draw P") == "tiles come out of the bag by lot (M5)"


def test_r3_one_settler_a_turn_and_only_on_the_tile_just_laid() -> None:
    match = begin()
    take_turns(match, "L 1,3 1")
    play_line(match, "- draw B")
    play_line(match, "1 lay 1,7 0")
    assert legal(match) == ["pass", "settle plain Nl", "settle farm"]
    play_line(match, "1 settle farm")
    assert match.to_act[0] != 1


def test_m14_settlers_of_a_scored_feature_come_home_for_the_next_turn() -> None:
    match = begin()
    take_turns(match, "L 1,6 1: road E")
    assert view(match)["seats"][0]["supply"] == 4
    sentences = take_turns(match, "A 2,6 3")
    assert sentences[1] == "scores a road: 3 tiles = 3 [0]"
    assert view(match)["seats"][0]["supply"] == 5
    assert feature(match, "1,6", "E")["settlers"] == {}
