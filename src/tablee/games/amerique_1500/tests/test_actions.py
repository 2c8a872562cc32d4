"""The four actions and the requests (A8, A9, R4, R5, R8-R10), with the booklet's examples."""

from __future__ import annotations

from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.sample_games import (
    GAME,
    act,
    begin,
    deal_any,
    equipped,
    explore,
    goods,
    hand,
    idle,
    legal,
    play_lines,
    refused,
    spent,
    swaps,
    view,
)


def test_a8_the_same_action_may_be_chosen_again_and_the_pawn_stays() -> None:
    match = begin()
    for _ in range(2):
        act(match, 4, *swaps("W", "F") if "W" in goods(match) else swaps("F", "W"))
        assert view(match)["players"][0]["pawn"] == "barter"
        explore(match)
    assert view(match)["players"][1]["pawn"] == "explore"


def test_a8_explore_draws_two_cards_and_a_hand_has_no_limit() -> None:
    match = begin()
    for number in range(1, 9):
        explore(match)
        assert view(match)["players"][0]["hand"] == 3 + 2 * number
        idle(match, "4")


def test_a8_example_two_meat_and_two_fish_for_three_wood_and_one_crop() -> None:
    match = begin(societies="inuits-incas-iroquois-algonquiens")
    act(match, 6, "take M", "take M", *swaps("W", "F"))
    idle(match, "4")
    act(match, 4, "barter")
    assert goods(match) == "MMFFS"
    sentences = play_lines(match, "0 swap M>W", "0 swap M>W", "0 swap F>W", "0 swap F>C")
    assert sentences == ["swaps Fish for Crop"]
    assert goods(match) == "CWWWS"


def test_a8_barter_is_one_for_one_in_the_quick_game_and_two_for_one_in_the_full_game() -> None:
    quick, full = begin(), begin(game="full")
    act(quick, 4, "barter")
    act(full, 4, "barter")
    assert {len(move) for move in legal(quick)} == {len("swap W>M")}
    assert {len(move) for move in legal(full)} == {len("swap CW>M")}
    assert refused(quick, "0 swap CW>M") == "you barter 1 for 1 (A8)"
    assert refused(full, "0 swap C>M") == "you barter 2 for 1 (A15)"


def test_a8_the_two_that_are_given_may_differ() -> None:
    match = begin(game="full")
    idle(match, "22")
    act(match, 4, "barter")
    assert goods(match) == "CWWWS"
    assert "swap WW>F" in legal(match)
    play_lines(match, "0 swap SW>F", "0 swap CW>M")
    assert goods(match) == "MFW"


def test_a8_a_barter_ends_when_the_player_says_so() -> None:
    match = begin()
    act(match, 4, "barter", "swap W>F", "done")
    assert match.to_act == (NATURE,)
    assert goods(match) == "FCS"


def test_a8_up_to_two_cards_are_played_onto_the_discard_pile() -> None:
    match = begin(hands=("berries forest squash",))
    assert act(match, 4, "cards", "play berries") == ["plays Berries and takes Gathering"]
    assert "done" in legal(match), "the second card may be kept"
    play_lines(match, "0 play squash")
    assert match.to_act == (NATURE,), "two are enough"
    assert (goods(match), hand(match)) == ("GCCWS", {"forest": 1})
    assert view(match)["players"][0]["discard"] == {"squash": 1, "berries": 1}


def test_a8_only_cards_of_the_own_hand_are_played() -> None:
    match = begin(hands=("berries forest squash",))
    act(match, 4, "cards")
    assert refused(match, "0 play maize") == "Maize is not in your hand (A8)"
    assert refused(match, "0 play moose") == "Moose is not in your hand (A8)"


def test_a8_example_bow_and_arrows_cost_one_wood() -> None:
    match = begin()
    assert act(match, 4, "craft", "make bow") == ["crafts Bow and arrows for Wood"]
    assert goods(match) == "CS"
    player = view(match)["players"][0]
    assert [item["key"] for item in player["items"] if item["made"]] == ["bow"]
    assert player["discs"] == {"free": 1, "placed": 0, "on_board": 3}
    assert match.to_act == (NATURE,), "the quick game crafts one item"


def test_a8_an_item_is_paid_for_and_crafted_once() -> None:
    match = begin()
    idle(match, "22")
    act(match, 4, "craft", "make bow")
    idle(match, "4")
    act(match, 5, "craft")
    assert refused(match, "0 make bow") == "Bow and arrows is already crafted (A8)"
    assert refused(match, "0 make kayak") == "Kayak is not on your craft board (A4)"
    play_lines(match, "0 make axe")
    idle(match, "4")
    act(match, 2, "craft")
    assert refused(match, "0 make hoe") == "Hoe costs Wood and Stone (A8)"


def nearly_all_in_hand() -> Match[State]:
    """Return a match in which seat 0 holds 23 of its 24 cards, and is to roll."""
    match = begin()
    for _ in range(10):
        explore(match)
        idle(match, "4")
    return match


def test_a8_an_empty_deck_is_made_anew_from_the_discard_pile() -> None:
    match = nearly_all_in_hand()
    act(match, 4, "cards", "play maize", "play squash")
    idle(match, "4")
    act(match, 4, "explore")
    deal_any(match)
    player = view(match)["players"][0]
    assert (player["hand"], player["deck"], sum(player["discard"].values())) == (23, 1, 0)


def test_r8_the_discard_pile_is_shuffled_only_when_a_card_is_due() -> None:
    match = nearly_all_in_hand()
    act(match, 4, "cards", "play maize", "play squash")
    idle(match, "4")
    act(match, 4, "explore")
    match.play(NATURE, GAME.odds(match.state)[0][0])
    assert view(match)["players"][0]["discard"] == {"maize": 1, "squash": 1}, "the deck had one card left"
    assert [(GAME.show(move), weight) for move, weight in GAME.odds(match.state)] == [("deal 0 maize", 1), ("deal 0 squash", 1)]


def test_r4_where_deck_and_discard_pile_are_empty_a_draw_gives_nothing() -> None:
    match = nearly_all_in_hand()
    for _ in range(2):
        explore(match)
        assert view(match)["players"][0]["hand"] == 24
        idle(match, "4")
    explore(match, 5)
    assert view(match)["players"][0]["hand"] == 24


def test_r5_only_full_pairs_are_given() -> None:
    match = begin(game="full")
    act(match, 4, "barter", "swap CW>F")
    assert goods(match) == "FS"
    assert match.to_act == (NATURE,), "the odd stone is kept, and there is nothing left to barter"


def test_r9_an_action_is_chosen_only_if_there_is_something_to_do_in_it() -> None:
    match = begin(hands=("deer deer deer",), societies="iroquois-inuits-incas-algonquiens")
    act(match, 4)
    assert legal(match) == ["explore", "barter", "craft"]
    assert refused(match, "0 cards") == "no card of your hand can be played (R9)"
    match = spent()
    idle(match, "4")
    act(match, 5)
    deal_any(match)
    assert [action for action in legal(match) if action != "cards"] == ["explore"]
    assert refused(match, "1 barter") == "you have too few goods to barter (R9)"
    assert refused(match, "1 craft") == "you cannot pay for any item of your board (R9)"


def test_r10_what_was_taken_is_not_given_again_in_the_same_barter() -> None:
    match = begin()
    act(match, 4, "barter", "swap W>F")
    assert refused(match, "0 swap F>W") == "Fish was taken in this barter and is not given again (R10)"
    play_lines(match, "0 swap S>F")
    assert refused(match, "0 swap M>F") == "you do not have that much: Meat (A8)"
    play_lines(match, "0 done")
    idle(match, "4")
    act(match, 4, "barter", "swap F>W")
    assert goods(match).count("F") == 1, "in the next barter it is a good like any other"


def test_r10_no_good_is_swapped_for_the_same_good() -> None:
    match = begin()
    act(match, 4, "barter")
    assert "swap W>W" not in legal(match)
    assert refused(match, "0 swap W>W") == "nobody swaps a good for the same good (R10)"


def test_r11_an_action_that_was_chosen_is_carried_out() -> None:
    for action, carried_out, sentence in (
        ("barter", "swap W>F", "make at least one swap before you go on (R11)"),
        ("cards", "play squash", "play at least one card before you go on (R11)"),
    ):
        match = begin(hands=("berries forest squash",))
        act(match, 4, action)
        assert "done" not in legal(match)
        assert refused(match, "0 done") == sentence
        assert refused(match, "0 make bow") == sentence, "another action comes too late"
        play_lines(match, f"0 {carried_out}", "0 done")
        assert match.to_act == (NATURE,)


def test_r11_at_least_one_item_is_crafted_and_the_second_may_wait() -> None:
    match = begin(game="full")
    idle(match, "222222")
    act(match, 4, "craft")
    assert refused(match, "0 done") == "craft at least one item before you go on (R11)"
    play_lines(match, "0 make longhouse")
    assert "make bow" in legal(match), "a dwelling crafts one item more (A16)"
    play_lines(match, "0 done")
    assert match.to_act == (NATURE,)


def test_r11_an_action_without_anything_to_do_is_not_offered_so_nobody_is_stuck() -> None:
    match = spent()
    idle(match, "4")
    act(match, 5)
    deal_any(match)
    assert not {"barter", "craft"} & set(legal(match))


def test_a9_a_free_disc_and_the_goods_serve_a_request() -> None:
    match = equipped()
    before = goods(match)
    act(match, 4, *swaps("WWWW", "GGMM"))
    assert legal(match) == ["serve pemmican", "done"]
    assert play_lines(match, "0 serve pemmican") == ["serves Pemmican with Gathering ×2 and Meat ×2"]
    assert len(goods(match)) == len(before) + 1 - 4
    assert view(match)["players"][0]["discs"] == {"free": 2, "placed": 1, "on_board": 1}
    assert GAME.scores(match.state) == [1, 0]


def test_a9_several_players_serve_the_same_request_but_nobody_serves_it_twice() -> None:
    match = equipped()
    for _ in range(2):
        act(match, 4, *swaps("WWWW", "GGMM"), "serve pemmican")
    assert next(each["discs"] for each in view(match)["requests"] if each["key"] == "pemmican") == [0, 1]
    act(match, 4, *swaps("WWWWWW", "GGMMFF"))
    assert refused(match, "0 serve pemmican") == "Pemmican already holds one of your discs (A9)"
    assert refused(match, "0 serve banquet") == "Banquet is not one of the open requests (A5)"
    assert refused(match, "0 serve stew") == "Great stew asks for Meat ×2 and Crop ×2 (A9)"


def test_a9_at_most_two_discs_a_turn() -> None:
    match = equipped()
    act(match, 4, *swaps("W" * 12, "GGMMGGFFMMFF"), "serve pemmican", "serve chowder")
    assert match.to_act == (NATURE,), "a third request could be paid for, but not in this turn"
    assert view(match, 0)["players"][0]["goods"].startswith("MMFF")


def test_a9_without_a_free_disc_nothing_is_served() -> None:
    match = begin()
    idle(match, "22222222")
    act(match, 4, *swaps("WWWW", "GGMM"))
    assert match.to_act == (NATURE,), "nothing could be served, so nobody is asked"
    assert not any(each["servable"] for each in view(match, 0)["requests"])


def test_a9_a_disc_may_be_kept() -> None:
    match = equipped()
    act(match, 4, *swaps("WWWW", "GGMM"), "done")
    assert match.to_act == (NATURE,)
    assert GAME.scores(match.state) == [0, 0]
