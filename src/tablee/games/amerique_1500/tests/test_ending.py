"""The end of a game: three discs and most goods (A10), or all together against the special reserve (A17-A19, R7)."""

from __future__ import annotations

import pytest

from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.sample_games import (
    GAME,
    act,
    begin,
    deal_any,
    equipped,
    goods,
    idle,
    legal,
    play_lines,
    refused,
    swaps,
    view,
)

TWO_REQUESTS = (*swaps("W" * 8, "GGMMGGFF"), "serve pemmican", "serve chowder")
ONE_REQUEST = (*swaps("W" * 4, "MMCC"), "serve stew")


def both_have_two() -> Match[State]:
    match = equipped()
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, *TWO_REQUESTS)
    return match


def test_a10_three_discs_end_the_game_when_the_round_is_finished() -> None:
    match = both_have_two()
    sentences = act(match, 4, *ONE_REQUEST)
    assert sentences[-1] == "has 3 discs on requests: the round is played to its end"
    assert match.to_act == (NATURE,), "seat 1 has its turn"
    idle(match, "4")
    assert match.over
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.won) == ((3, 2), (0,), None)


def test_a10_the_last_of_the_round_ends_it_at_once() -> None:
    match = both_have_two()
    idle(match, "4")
    act(match, 4, *ONE_REQUEST)
    assert match.over
    assert match.outcome is not None
    assert match.outcome.winners == (1,)


def test_a10_a_round_begins_with_the_first_player_whoever_that_is() -> None:
    match = equipped(first=1, societies="algonquiens-iroquois-incas-inuits")
    act(match, 4, *TWO_REQUESTS)
    idle(match, "4")
    act(match, 4, *ONE_REQUEST)
    assert view(match)["active"] == 0, "seat 1 began, so seat 0 plays last"
    idle(match, "4")
    assert match.over


def test_a10_of_several_with_three_discs_most_goods_win() -> None:
    match = both_have_two()
    act(match, 4, *ONE_REQUEST)
    sentences = act(match, 2, *ONE_REQUEST)  # wood for both, so the stone of seat 0 decides
    assert len(goods(match, 0)) == len(goods(match, 1)) + 1
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
    assert sentences[-3:] == [
        f"has 3 discs on requests, {len(goods(match, 1))} goods left",
        f"has 3 discs on requests, {len(goods(match))} goods left",
        f"wins: 3 discs, {len(goods(match))} goods left against {len(goods(match, 1))}",
    ], "what everybody has, the leader last, and what decided"


def test_a10_equal_goods_share_the_win() -> None:
    match = both_have_two()
    act(match, 4, *ONE_REQUEST)
    sentences = act(match, 4, *ONE_REQUEST)
    assert len(goods(match, 0)) == len(goods(match, 1))
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)
    assert sentences[-1] == f"shares the win: 3 discs, {len(goods(match))} goods left"
    assert view(match)["winners"] == [0, 1]


def test_a10_more_discs_than_three_win_nothing_more() -> None:
    match = equipped()
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, "craft", "make hoe")
    idle(match, "4")
    act(match, 4, *swaps("W" * 8, "MMCCMMFF"), "serve stew", "serve smoke")
    act(match, 4, *ONE_REQUEST)
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.winners) == ((4, 3), (1,))


@pytest.mark.parametrize(("seats", "reserve"), [(2, "GMFCWW"), (3, "GGMMFFCCW"), (4, "GGMMFFCCWWWS")])
def test_a17_the_special_reserve_depends_on_the_number_of_players(seats: int, reserve: str) -> None:
    assert view(begin(seats, cooperative=True))["spare"] == reserve
    assert view(begin(seats))["spare"] is None


def test_a18_whoever_rolls_a_one_takes_a_good_from_the_special_reserve_too() -> None:
    match = begin(cooperative=True)
    act(match, 1)
    assert list(match.to_act) == [0]
    assert legal(match) == ["spare G", "spare M", "spare F", "spare C", "spare W"]
    assert refused(match, "0 explore") == "take a good that lies in the special reserve (A18)"
    assert refused(match, "0 spare S") == "take a good that lies in the special reserve (A18)"
    assert play_lines(match, "0 spare F") == ["takes 1 fish from the special reserve"]
    assert (goods(match), goods(match, 1)) == ("GFCW", "GGW")
    assert view(match)["spare"] == "GMCWW"


def test_a18_other_faces_and_other_games_leave_it_alone() -> None:
    match = begin(cooperative=True)
    act(match, 2)
    assert "explore" in legal(match)
    match = begin()
    act(match, 1)
    assert "explore" in legal(match)


def rolled_ones(match: Match[State], taken: str) -> list[str]:
    sentences: list[str] = []
    for number, good in enumerate(taken, start=1):
        sentences = act(match, 1, f"spare {good}", *(("explore",) if number < len(taken) else ()))
        deal_any(match)
    return sentences


def test_a18_when_the_last_good_is_taken_all_lose() -> None:
    match = begin(cooperative=True)
    first, *_, last = rolled_ones(match, "GMFCWW")
    assert [first, last] == ["takes 1 wood from the special reserve", "The special reserve is empty: all lose"]
    assert match.over
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.won) == ((), False)
    assert view(match)["won"] is False


def test_a19_three_discs_each_win_for_all_whoever_places_them() -> None:
    match = equipped(cooperative=True)
    assert view(match)["target"] == 6
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, "craft", "make hoe")
    idle(match, "4")
    sentences = act(match, 4, *swaps("W" * 8, "MMCCMMFF"), "serve stew", "serve smoke")
    assert sentences[-1] == "All discs are placed: everybody wins"
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.winners, match.outcome.won) == ((4, 2), (0, 1), True)


def test_a19_three_discs_of_one_player_do_not_end_it_and_one_request_holds_one_of_them() -> None:
    match = equipped(cooperative=True)
    act(match, 4, *TWO_REQUESTS)
    idle(match, "4")
    act(match, 4, *swaps("W" * 6, "MMCCGG"))
    assert refused(match, "0 serve pemmican") == "Pemmican already holds one of your discs (A9)"
    play_lines(match, "0 serve stew")
    idle(match, "4")
    assert not match.over
    assert GAME.scores(match.state) == [3, 0]


def test_r7_the_last_disc_wins_at_once_without_finishing_the_round() -> None:
    match = equipped(cooperative=True)
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, *TWO_REQUESTS)
    idle(match, "4")
    act(match, 4, *ONE_REQUEST)
    act(match, 4, *ONE_REQUEST)
    assert match.over
    assert view(match)["active"] == 0, "seat 1 has had a turn less"


def test_r7_discs_placed_after_the_reserve_is_empty_come_too_late() -> None:
    match = equipped(cooperative=True)
    act(match, 4, *TWO_REQUESTS)
    act(match, 4, *TWO_REQUESTS)
    idle(match, "4")
    act(match, 4, *ONE_REQUEST)
    rolled_ones(match, "GMFCWW")
    assert match.over
    assert match.outcome is not None
    assert match.outcome.won is False
