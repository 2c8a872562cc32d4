"""Gifts of the cards (A11-A14, R2, R3, R6)."""

from __future__ import annotations

from tablee.core.game import NATURE
from tablee.games.amerique_1500.tests.sample_games import GAME, act, begin, goods, hand, idle, legal, play_lines, refused, spent, view

SPECIALS = "feast neighbours exchange"


def test_a11_a_simple_card_gives_what_it_shows() -> None:
    match = begin(hands=("squash perch flint",))
    act(match, 4, "cards", "play squash", "play flint")
    assert goods(match) == "CCWSS"


def test_a11_example_with_a_basket_the_berries_give_three_gathering_without_it_one() -> None:
    match = begin(hands=("berries berries forest",))
    assert act(match, 4, "cards", "play berries", "done") == []
    assert goods(match).count("G") == 1
    idle(match, "4")
    act(match, 4, "craft", "make basket")
    idle(match, "4")
    assert act(match, 4, "cards", "play berries") == ["plays Berries and takes Gathering ×3"]
    assert goods(match).count("G") == 4


def test_a11_a_stone_axe_fells_three_wood() -> None:
    match = begin(hands=("forest forest squash",))
    assert act(match, 4, "cards", "play forest", "done") == []
    assert goods(match).count("W") == 2
    idle(match, "4")
    act(match, 4, "craft", "make axe")
    idle(match, "4")
    assert act(match, 4, "cards", "play forest") == ["plays Forest and takes Wood ×3"]


def test_a11_a_harpoon_catches_three_fish() -> None:
    match = begin(hands=("char char cod",), societies="inuits-incas-iroquois-algonquiens")
    assert act(match, 4, "cards", "play char") == ["plays Arctic char and takes Fish"]
    play_lines(match, "0 done")
    idle(match, "4")
    act(match, 4, "craft", "make harpoon")
    idle(match, "4")
    assert act(match, 4, "cards", "play char") == ["plays Arctic char and takes Fish ×3"]
    assert play_lines(match, "0 play cod") == ["plays Cod and takes Fish"], "cod is a simple card"


def test_a11_a_bow_hunts_one_meat_and_a_spear_three_and_the_spear_counts() -> None:
    match = begin(hands=("seal seal seal",), societies="inuits-incas-iroquois-algonquiens")
    act(match, 2, "craft", "make bow")
    idle(match, "4")
    assert act(match, 4, "cards", "play seal") == ["plays Seal and takes Meat"]
    play_lines(match, "0 done")
    idle(match, "4")
    act(match, 4, "craft", "make spear")
    idle(match, "4")
    assert act(match, 4, "cards", "play seal") == ["plays Seal and takes Meat ×3"]


def test_a12_a_feast_gives_three_goods_of_choice() -> None:
    match = begin(hands=(SPECIALS,))
    assert act(match, 4, "cards", "play feast") == ["plays Hold a feast"]
    assert legal(match) == [f"take {good}" for good in "GMFCWS"]
    assert refused(match, "0 done") == "choose a good from the reserve (A12)"
    assert play_lines(match, "0 take M", "0 take M", "0 take S") == ["takes 1 stone"]
    assert goods(match) == "MMCWSS"
    assert "play neighbours" in legal(match), "a second card may follow"


def test_a13_every_other_player_gives_one_good() -> None:
    match = begin(3, hands=(SPECIALS,))
    act(match, 4, "cards", "play neighbours")
    assert list(match.to_act) == [1, 2]
    assert play_lines(match, "2 give S") == ["gives 1 stone to: Iroquois"]
    play_lines(match, "1 give G")
    assert [goods(match, seat) for seat in range(3)] == ["GCWSS", "W", "C"]
    assert list(match.to_act) == [0]


def test_a13_between_two_the_reserve_gives_one_too() -> None:
    match = begin(hands=(SPECIALS,))
    act(match, 4, "cards", "play neighbours")
    assert list(match.to_act) == [1]
    play_lines(match, "1 give W")
    assert legal(match) == [f"take {good}" for good in "GMFCWS"]
    assert refused(match, "0 done") == "choose a good from the reserve (A13)"
    play_lines(match, "0 take F")
    assert (goods(match), goods(match, 1)) == ("FCWWS", "G")


def test_a13_who_has_nothing_gives_nothing() -> None:
    match = spent(3, hands=(SPECIALS,))
    act(match, 4, "cards", "play neighbours")
    assert list(match.to_act) == [2]


def test_r3_the_others_give_at_the_same_time_in_any_order() -> None:
    states = []
    for order in (("1 give W", "2 give C"), ("2 give C", "1 give W")):
        match = begin(3, hands=(SPECIALS,))
        act(match, 4, "cards", "play neighbours")
        play_lines(match, *order)
        states.append(match.state.tobytes())
    assert states[0] == states[1]


def test_r3_nobody_goes_on_before_the_last_has_given() -> None:
    match = begin(3, hands=(SPECIALS,))
    act(match, 4, "cards", "play neighbours")
    play_lines(match, "1 give W")
    assert refused(match, "0 done") == "it is not your turn; waiting for seat 2"
    assert refused(match, "1 give G") == "it is not your turn; waiting for seat 2"
    assert refused(match, "2 explore") == "give one good that you have (A13)"


def test_r6_a_neighbour_gives_what_they_have_now_and_everybody_sees_it() -> None:
    match = begin(3, hands=(SPECIALS,))
    act(match, 2, "cards", "play neighbours")
    assert legal(match, 1) == ["give G", "give W"]
    assert legal(match, 2) == ["give C", "give W", "give S"]
    assert refused(match, "1 give F") == "give one good that you have (A13)"
    play_lines(match, "1 give G")
    assert match.lines_for(None)[-1] == "1 give G"
    assert match.events[-1][0].visible_to is None


def test_a14_two_goods_go_to_a_player_and_four_come_from_the_reserve() -> None:
    match = begin(3, hands=(SPECIALS,))
    assert act(match, 4, "cards", "play exchange 2") == ["plays Profitable exchange with: Incas"]
    assert legal(match) == ["hand C", "hand W", "hand S"]
    assert refused(match, "0 hand F") == "hand over a good that you have (A14)"
    assert play_lines(match, "0 hand W") == ["hands over 1 wood to: Incas"]
    assert view(match)["exchange"] == {"partner": 2, "left": 1}
    play_lines(match, "0 hand S")
    assert [goods(match, seat) for seat in range(3)] == ["C", "GW", "CWSS"]
    assert refused(match, "0 done") == "choose a good from the reserve (A14)"
    play_lines(match, *["0 take F"] * 4)
    assert goods(match) == "FFFFC"


def test_a14_with_whom_is_for_the_player_to_say() -> None:
    match = begin(3, hands=(SPECIALS,))
    act(match, 4, "cards")
    assert [move for move in legal(match) if "exchange" in move] == ["play exchange 1", "play exchange 2"]
    for wrong in ("play exchange", "play exchange 0", "play exchange 3", "play feast 1"):
        assert refused(match, f"0 {wrong}") == "an exchange, and nothing else, is played with another player: play exchange 1 (A14)"


def test_r2_an_exchange_needs_two_goods_to_give() -> None:
    match = begin(hands=("exchange deer deer",), societies="iroquois-incas-inuits-algonquiens")
    act(match, 5, "craft", "make bow")
    idle(match, "4")
    act(match, 5, "cards")
    assert goods(match) == "C"
    assert not [move for move in legal(match) if "exchange" in move]
    assert refused(match, "0 play exchange 1") == "Profitable exchange needs two goods to give (R2)"


def test_r2_a_hunt_needs_a_weapon() -> None:
    match = begin(hands=("deer squash forest",))
    act(match, 4, "cards")
    assert legal(match) == ["play squash", "play forest"]
    assert refused(match, "0 play deer") == "Deer needs a weapon that you have crafted (R2)"
    assert [each["playable"] for each in view(match, 0)["hand"] if each["card"] == "deer"] == [False]


def test_r2_a_card_may_always_be_kept() -> None:
    match = begin(hands=(SPECIALS,))
    act(match, 4, "cards", "play feast", *["take G"] * 3, "done")
    assert match.to_act == (NATURE,)
    assert hand(match) == {"neighbours": 1, "exchange": 1}


def test_the_view_promises_what_a_card_gives() -> None:
    match = begin(3, hands=("feast exchange berries",))
    act(match, 4, "craft", "make basket")
    idle(match, "44")
    act(match, 4, "cards")
    promised = view(match, 0)["forecast"]
    assert promised["play berries"] == {"out": "", "get": "GGG", "cards": 0, "discs": 0}
    assert promised["play feast"]["get"] == "???"
    assert (promised["play exchange 1"]["out"], promised["play exchange 1"]["get"]) == ("??", "????")
    assert GAME.view(GAME.observe(match.state, None))["forecast"] == {}
