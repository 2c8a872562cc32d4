"""Set-up of the table, and the beginning of a turn (A1-A7, R1)."""

from __future__ import annotations

import pytest

from tablee.core.game import NATURE, Seat
from tablee.core.match import Match
from tablee.games.amerique_1500.box import FOODS, GOODS, SOCIETIES
from tablee.games.amerique_1500.tests.sample_games import (
    BOX,
    GAME,
    OPEN,
    act,
    begin,
    deal_any,
    explore,
    goods,
    hand,
    idle,
    legal,
    play_lines,
    refused,
    view,
)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a1_two_to_four_players_are_different_societies(seats: int) -> None:
    assert list(GAME.seats) == [2, 3, 4]
    societies = [each["society"] for each in view(begin(seats))["players"]]
    assert len(set(societies)) == seats
    assert set(societies) <= set(SOCIETIES)


def test_a1_any_society_may_sit_anywhere() -> None:
    orders = next(option.values for option in GAME.options if option.key == "societies")
    assert len(orders) == 24
    match = begin(4, societies="inuits-incas-algonquiens-iroquois")
    assert [each["society"] for each in view(match)["players"]] == ["inuits", "incas", "algonquiens", "iroquois"]


def test_a2_four_foods_come_before_two_materials() -> None:
    assert GOODS[:FOODS] == "GMFC"
    match = begin()
    act(match, 6)
    assert legal(match) == ["take G", "take M", "take F", "take C"]


def test_a2_the_reserve_never_runs_out() -> None:
    match = begin()
    idle(match, "2" * 60)
    assert [goods(match, seat).count("W") for seat in (0, 1)] == [61, 61]


def test_a3_boards_and_requests_have_a_side_for_each_game() -> None:
    for side in ("quick", "full"):
        seen = view(begin(game=side))
        assert [each["key"] for each in seen["players"][0]["items"]] == in_order(BOX.data["societies"]["iroquois"][side])
        assert {each["key"]: each["goods"] for each in seen["requests"]} == {key: BOX.data["requests"][key][side] for key in OPEN}


def in_order(items: list[str]) -> list[str]:
    """Return the items in the order of the box."""
    return [item for item in BOX.data["items"] if item in items]


def test_a4_everybody_has_a_pawn_on_explore_a_disc_on_each_item_and_24_cards() -> None:
    for side in ("quick", "full"):
        for player in view(begin(4, game=side))["players"]:
            assert player["pawn"] == "explore"
            assert player["discs"] == {"free": 0, "placed": 0, "on_board": len(player["items"])}
            assert player["hand"] + player["deck"] == 24 == sum(player["unseen"].values())


def test_a5_five_of_eight_requests_lie_open() -> None:
    match = Match(GAME, 2, {"first": 0})
    assert len(GAME.odds(match.state)) == 8
    assert {weight for _, weight in GAME.odds(match.state)} == {1}
    match.play(NATURE, GAME.read("request stew"))
    assert len(GAME.odds(match.state)) == 7
    assert [each["key"] for each in view(begin())["requests"]] == list(OPEN)


def test_a5_everybody_starts_with_three_cards_and_the_printed_goods() -> None:
    match = begin(4, hands=("berries forest deer",))
    assert hand(match) == {"berries": 1, "deer": 1, "forest": 1}
    for player in view(match)["players"]:
        assert player["hand"] == 3
        assert player["goods"] == BOX.data["societies"][player["society"]]["start"]


def test_a6_lots_are_drawn_for_the_first_player() -> None:
    match = Match(GAME, 3)
    assert [(GAME.show(move), weight) for move, weight in GAME.odds(match.state)] == [("first 0", 1), ("first 1", 1), ("first 2", 1)]
    assert [str(event.sentence) for event in match.play(NATURE, GAME.read("first 2")).events] == ["begins the game"]
    assert view(match)["active"] == view(match)["first"] == 2


def test_a6_turns_go_clockwise_and_begin_with_the_die() -> None:
    match = begin(3, first=2)
    begun = []
    for _ in range(5):
        assert match.to_act == (NATURE,)
        assert [GAME.show(move) for move, _ in GAME.odds(match.state)] == [f"roll {face}" for face in range(1, 7)]
        begun.append(view(match)["active"])
        explore(match)
    assert begun == [2, 0, 1, 2, 0]


def test_a6_die_then_action_then_requests() -> None:
    match = begin(hands=("berries forest deer",))
    assert refused(match, "0 explore") == "something is rolled or drawn first"
    act(match, 4)
    assert refused(match, "0 play berries") == "choose an action first (A6)"
    assert refused(match, "1 explore") == "it is not your turn; waiting for seat 0"
    assert legal(match) == ["explore", "barter", "cards", "craft"]
    play_lines(match, "0 cards", "0 play forest")
    assert refused(match, "0 make bow") == "that is not part of this step; close it with done (A6)"


def test_a6_players_neither_roll_nor_draw_and_nature_does_nothing_else() -> None:
    match = begin()
    assert refused(match, "- explore") == "explore cannot come now (A6)"
    act(match, 4)
    assert refused(match, "0 roll 4") == "players neither roll nor draw: nature does (A6)"


def test_a7_one_two_and_three_are_for_everybody() -> None:
    match = begin(3)
    before = [goods(match, seat) for seat in range(3)]
    assert act(match, 2) == ["rolls 2; everybody gets: Wood"]
    assert [goods(match, seat).count("W") - before[seat].count("W") for seat in range(3)] == [1, 1, 1]
    assert act(begin(), 1) == ["rolls 1; everybody gets: Gathering"]
    match = begin(3)
    assert act(match, 3) == ["rolls 3; everybody gets: 1 card"]
    deal_any(match)
    assert [each["hand"] for each in view(match)["players"]] == [4, 4, 4]


def test_a7_four_five_and_six_are_for_the_active_player() -> None:
    match = begin(3)
    assert act(match, 4) == ["rolls 4 and gets: Stone"]
    assert [goods(match, seat) for seat in range(3)] == ["CWS", "GW", "CS"]
    match = begin(3)
    act(match, 5)
    deal_any(match)
    assert [each["hand"] for each in view(match)["players"]] == [5, 3, 3]
    match = begin(3)
    assert act(match, 6) == ["rolls 6 and gets: 2 foods to choose"]
    assert refused(match, "0 explore") == "choose a food (A7)"
    assert refused(match, "0 take W") == "choose a food (A7)"
    play_lines(match, "0 take M", "0 take F")
    assert goods(match) == "MFCW"
    assert "explore" in legal(match)


def test_r1_a_hand_is_seen_by_its_owner_alone() -> None:
    match = begin(hands=("berries forest deer", "hare nuts perch"))
    assert hand(match, 1) == {"hare": 1, "perch": 1, "nuts": 1}
    for other in (0, None):
        seen = view(match, other)
        assert seen["players"][1]["hand"] == 3
        assert seen["players"][1]["unseen"] == BOX.data["societies"]["algonquiens"]["cards"], "24 cards are known, their order is not"
    assert view(match)["hand"] == []


def test_r1_only_its_owner_hears_which_card_was_drawn() -> None:
    match = begin(hands=("berries forest deer", "hare nuts perch"))
    assert match.lines_for(None)[5:] == ["- deal 0 ?"] * 3 + ["- deal 1 ?"] * 3
    assert match.lines_for(Seat(1))[5:] == ["- deal 0 ?"] * 3 + ["- deal 1 hare", "- deal 1 nuts", "- deal 1 perch"]
    deal = match.events[-1][0]
    assert [str(deal.message_for(seat)) for seat in (deal.seat, None)] == ["draws Perch", "draws a card"]


def test_r1_what_was_played_is_known_to_all() -> None:
    match = begin(hands=("berries forest deer",))
    act(match, 4, "cards", "play berries", "done")
    seen = view(match, 1)["players"][0]
    assert seen["discard"] == {"berries": 1}
    assert seen["unseen"]["berries"] == BOX.data["societies"]["iroquois"]["cards"]["berries"] - 1
