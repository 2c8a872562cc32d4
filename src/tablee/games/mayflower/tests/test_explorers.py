"""The explorers' moves west, and the settlers they leave behind (M15-M17)."""

from __future__ import annotations

from tablee.core.match import Match
from tablee.games.mayflower.state import State
from tablee.games.mayflower.tests.sample_games import begin, play_line, take_turns, view


def test_m15_the_easternmost_moves_either_if_they_share_a_column() -> None:
    match = begin()
    take_turns(match, "C 1,1 1: town E")
    assert view(match)["explorers"] == [1, 0]
    take_turns(match, "C 1,5 1: town E")
    assert view(match)["explorers"] == [1, 1]


def test_m15_an_explorer_stays_if_no_tile_lies_in_the_column_it_would_enter() -> None:
    match = begin()
    take_turns(match, "C 1,1 1: town E", "C 1,5 1: town E")
    assert view(match)["explorer_next"] is None
    assert take_turns(match, "C 1,8 1: town E")[1:] == ["scores a town: 2 tiles × 2 + 2 explorers × 4 = 12 [0]"]
    assert view(match)["explorers"] == [1, 1]


def both_in_column_2() -> Match[State]:
    """Return a match with both explorers in the last column of the land, and seat 0's robber put down east of them."""
    match = begin()
    take_turns(match, "C 1,1 1: town E", "C 1,5 1: town E", "B 2,1 0", "C 1,8 1: town E", "L 1,3 1", "A 2,3 3: road E")
    assert view(match)["explorers"] == [2, 2]
    take_turns(match, "L 1,6 1: road E", "B 1,7 0: plain Nl")
    return match


def test_m16_who_stands_east_of_both_explorers_goes_home_as_soon_as_one_moves() -> None:
    match = both_in_column_2()
    take_turns(match, "AH 3,1 0")
    assert (view(match)["explorer_next"], view(match)["leaving"]) == (3, [0])
    assert take_turns(match, "AH 3,0 2: town S") == [
        "puts a merchant in the town",
        "scores a town: 2 tiles × 2 = 4 [1]",
        "sends an explorer to column 3",
        "takes the robber home from column 1, row 6: the explorers have passed it [0]",
    ]
    assert [each["role"] for each in view(match)["settlers"]] == ["trapper"]


def test_m16_nobody_goes_home_if_no_explorer_moved() -> None:
    match = both_in_column_2()
    assert view(match)["leaving"] == []
    assert [each["role"] for each in view(match)["settlers"]] == ["robber", "trapper"]


def test_m16_a_town_that_keeps_a_merchant_farther_west_is_scored_without_the_one_left_behind() -> None:
    match = begin()
    take_turns(match, "AC 1,1 0: town E", "C 1,5 1: town E", "C 1,8 1: town E", "B 1,2 0", "A 2,2 2: road N", "B 3,2 0")
    take_turns(match, "A 1,3 3: road E", "AB 3,1 0: town E", "C 4,1 1", "AU 2,1 0")
    assert play_line(match, "1 score road S") == [
        "scores a road: 2 tiles + 1 explorer × 4 = 6 [0]",
        "sends an explorer to column 2",
        "takes the merchant home from column 1, row 1: the explorers have passed it [0]",
        "scores a town: 5 tiles × 2 + 2 shields × 2 = 14 [1]",
        "sends an explorer to column 3",
    ]


def test_m17_trappers_never_leave() -> None:
    match = begin()
    take_turns(match, "B 1,7 0: plain Nl", "C 1,1 1: town E", "C 1,5 1: town E", "B 2,1 0", "C 1,8 1: town E", "L 1,3 1")
    take_turns(match, "A 2,3 3: road E")
    assert view(match)["explorers"] == [2, 2]
    assert [(each["role"], each["col"]) for each in view(match)["settlers"]] == [("trapper", 1)]
    assert view(match)["seats"][0]["supply"] == 4


def test_m17_settlers_may_be_laid_east_of_the_explorers_at_their_risk() -> None:
    match = both_in_column_2()
    take_turns(match, "K 1,0 1", "AH 3,1 0")
    play_line(match, "- draw AH")
    play_line(match, "0 lay 1,4 3")
    assert view(match)["forecast"]["settle town W"]["risk"]
    assert not view(match)["forecast"]["settle plain Nl"]["risk"]
