"""The rules of the orchard, as readable moves."""

from __future__ import annotations

from typing import Any

import pytest

from tablee import games
from tablee.core import fairness
from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Seat
from tablee.core.match import Match

GAME = games.find("orchard")
DEALT = ["- deal 0 apple-1", "- deal 0 apple-5", "- deal 0 plum-2", "- deal 1 apple-3", "- deal 1 pear-6", "- deal 1 plum-6"]


def orchard(*lines: str) -> Match:
    """Replay these lines after a deal of three cards to each of two players."""
    return Match.replay(GAME, 2, {}, [*DEALT, *lines])


def play_through(verb: str) -> Match:
    """Play a whole game in which everybody does the same with every card."""
    match = Match(GAME, 2, {}, fairness.seed_for(1, 1))
    match.play_nature()
    while match.to_act:
        (seat,) = match.to_act
        match.play(seat, next(move for move in match.legal(seat) if GAME.show(move).startswith(verb)))
        match.play_nature()
    return match


def seen(match: Match, seat: int | None = None) -> dict[str, Any]:
    return GAME.view(GAME.observe(match.state, None if seat is None else Seat(seat)))


def test_o1_everybody_is_dealt_three_cards_that_nobody_else_sees() -> None:
    match = orchard()
    assert list(GAME.seats) == [2, 3, 4]
    assert seen(match, 0)["hand"] == ["apple-1", "apple-5", "plum-2"]
    assert (seen(match, 1)["hand"], seen(match)["hand"]) == (["apple-3", "pear-6", "plum-6"], [])
    assert (seen(match, 1)["held"], seen(match, 1)["left"]) == ([3, 3], 18)


def test_o1_the_others_read_that_a_card_is_drawn_but_not_which() -> None:
    deal = GAME.read("deal 1 plum-6")
    assert [GAME.show_to(NATURE, deal, viewer) for viewer in (Seat(1), Seat(0), None)] == ["deal 1 plum-6", "deal 1 ?", "deal 1 ?"]
    (event,) = orchard().events[3]
    assert [str(event.message_for(viewer)) for viewer in (Seat(1), Seat(0), None)] == ["draws Apple 3", *["draws a card"] * 2]


def test_o2_a_card_is_planted_in_ones_own_row_and_another_is_drawn() -> None:
    match = orchard("0 plant apple-5", "- deal 0 cherry-1")
    assert seen(match, 0)["rows"] == [["apple-5"], []]
    assert seen(match, 0)["hand"] == ["apple-1", "plum-2", "cherry-1"]
    assert match.to_act == (1,)


def test_o2_only_a_card_of_ones_own_hand_can_be_planted() -> None:
    with pytest.raises(IllegalMove, match="Pear 6 is not in your hand"):
        orchard().play(Seat(0), GAME.read("plant pear-6"))


def test_o3_a_card_that_is_sold_is_worth_two_points() -> None:
    match = orchard("0 sell apple-1", "- deal 0 cherry-1")
    assert (seen(match)["sold"], GAME.scores(match.state)) == (["apple-1"], [2, 0])


def test_o4_the_largest_row_of_a_fruit_scores_its_sum() -> None:
    match = orchard("0 plant apple-5", "- deal 0 cherry-1", "1 plant apple-3", "- deal 1 cherry-2", "0 plant plum-2")
    assert GAME.scores(match.state) == [7, 0]


def test_o4_equal_rows_all_score() -> None:
    lines = ["0 plant apple-1", "- deal 0 apple-2", "1 plant apple-3", "- deal 1 cherry-2", "0 plant apple-2"]
    assert GAME.scores(orchard(*lines).state) == [3, 3]


def test_o4_the_game_is_over_when_all_cards_are_planted_or_sold() -> None:
    match = play_through("plant")
    assert seen(match)["left"] == 0
    assert (sum(map(len, seen(match)["rows"])), seen(match)["sold"]) == (24, [])


def test_o5_equal_points_share_the_win() -> None:
    match = play_through("sell")
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.winners) == ((24, 24), (0, 1))
