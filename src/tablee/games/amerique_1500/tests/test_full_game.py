"""Means of travel and dwellings (A15, A16)."""

from __future__ import annotations

from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.sample_games import BOX, act, begin, explore, goods, idle, legal, play_lines, refused, view


def crafter(faces: str, hand: str = "squash squash perch") -> Match[State]:
    """Return a full game of the Iroquois, seat 0, after a turn for each of these faces."""
    match = begin(hands=(hand,), game="full")
    idle(match, faces)
    return match


def items(kind: str, society: str) -> int:
    return sum(BOX.data["items"][item]["kind"] == kind for item in BOX.data["societies"][society]["full"])


def test_a15_each_means_of_travel_draws_one_card_more() -> None:
    match = crafter("2211")
    act(match, 4, "craft", "make canoe")
    idle(match, "2")
    assert view(match)["players"][0]["draws"] == 3
    before = view(match)["players"][0]["hand"]
    explore(match)
    assert view(match)["players"][0]["hand"] == before + 3
    idle(match, "2")
    act(match, 4, "barter", "swap S>M", "done")
    idle(match, "2")
    act(match, 4, "craft", "make snowshoes")
    assert view(match)["players"][0]["draws"] == 4


def test_a15_with_one_means_of_travel_all_barter_is_one_for_one() -> None:
    match = crafter("2211")
    assert view(match)["players"][0]["ratio"] == 2
    act(match, 4, "craft", "make canoe")
    idle(match, "4")
    act(match, 4, "barter", "swap S>F")
    assert refused(match, "0 swap CS>M") == "you barter 1 for 1 (A15)"
    assert [view(match)["players"][seat]["ratio"] for seat in (0, 1)] == [1, 2], "the others go on bartering 2 for 1"


def test_a15_some_societies_can_craft_two_means_of_travel() -> None:
    assert sorted(items("travel", society) for society in BOX.data["societies"])[-2:] == [2, 2]


def test_a15_a16_the_quick_boards_have_neither_travel_nor_dwellings() -> None:
    for player in view(begin(4))["players"]:
        assert {item["kind"] for item in player["items"]} == {"tool"}


def test_a16_a_dwelling_lets_play_one_card_more() -> None:
    match = crafter("22")
    act(match, 4, "craft", "make longhouse")
    idle(match, "4")
    assert view(match)["players"][0]["plays"] == 3
    act(match, 4, "cards", "play squash", "play squash", "play perch")
    assert match.to_act == (NATURE,)
    assert goods(match) == "FCCCSS"


def test_a16_the_extra_craft_counts_in_the_very_action_that_crafts_the_dwelling() -> None:
    match = crafter("222222")
    act(match, 4, "craft", "make longhouse")
    assert "make bow" in legal(match)
    play_lines(match, "0 make bow")
    assert match.to_act == (NATURE,), "one dwelling, one item more"


def test_a16_another_item_first_closes_the_action() -> None:
    match = crafter("222222")
    act(match, 4, "craft", "make bow")
    assert match.to_act == (NATURE,)


def test_a16_the_incas_can_craft_two_dwellings_and_then_four_cards_and_three_items() -> None:
    assert items("dwelling", "incas") == 2
    match = begin(game="full", societies="incas-iroquois-inuits-algonquiens", hands=("maize maize quinoa",))
    idle(match, "41" * 4)
    act(match, 4, "craft", "make adobe_house", "make stone_house")
    player = view(match)["players"][0]
    assert (player["plays"], player["makes"]) == (4, 3)


def test_a16_a_dwelling_of_an_earlier_turn_counts_again() -> None:
    match = begin(game="full", societies="incas-iroquois-inuits-algonquiens")
    idle(match, "42" * 5)
    act(match, 4, "craft", "make stone_house", "make basket")
    idle(match, "2")
    act(match, 4, "craft", "make axe", "make hoe")
    assert match.to_act == (NATURE,)
    assert view(match)["players"][0]["discs"]["free"] == 4
