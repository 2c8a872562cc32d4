"""The sheet, the legend and the course of a game (V1-V3, V11, V12)."""

from __future__ import annotations

import pytest

from tablee import bots
from tablee.core import fairness
from tablee.core.errors import IllegalMove, NotationError, NotYourTurn
from tablee.core.game import NATURE, Seat
from tablee.core.match import Match
from tablee.games.rolling_village.box import TYPES
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import ALONE, BOX, GAME, replay


def play(seats: int, number: int, level: str = "random") -> Match[State]:
    return bots.play_out(Match(GAME, seats, {}, fairness.seed_for(5, number)), [bots.find(level)] * seats)


def test_v1_one_to_twelve_players_have_a_sheet_of_six_columns_and_five_avenues() -> None:
    assert list(GAME.seats) == list(range(1, 13))
    view = GAME.view(GAME.observe(GAME.setup(12, {"setup_types": "different"}), None))
    assert len(view["sheets"]) == 12
    assert view["printed"] == [
        [3, 0, 2, 2, 0, 3],
        [0, 1, 0, 0, 1, 0],
        [2, 0, 1, 1, 0, 2],
        [0, 1, 0, 0, 1, 0],
        [3, 0, 2, 2, 0, 3],
    ]


def test_v2_each_die_face_stands_for_a_project() -> None:
    assert [BOX.type_of[face] for face in range(1, 7)] == [0, 1, 2, 0, 1, 2]
    assert TYPES == ("house", "forest", "lake", "park")


def test_v3_nine_rounds_with_one_roll_each_for_everybody() -> None:
    match = play(3, 1)
    assert sum(line.seat == NATURE for line in match.log) == 1 + 9
    assert GAME.view(GAME.observe(match.state, None))["round"] == 9


def test_v3_twenty_one_rolls_weigh_as_two_dice_do() -> None:
    weights = {GAME.show(move): weight for move, weight in GAME.odds(GAME.setup(1, {"setup_types": "different"}))}
    assert len(weights) == 21
    assert sum(weights.values()) == 36
    assert (weights["roll 3 3"], weights["roll 4 2"]) == (1, 2)


def test_v3_everybody_is_awaited_and_nobody_waits() -> None:
    match = replay("- roll 4 2", "2 build house 4A", seats=3)
    assert list(match.to_act) == [0, 1, 2]
    match.play(Seat(2), GAME.read("build lake 2B"))
    assert list(match.to_act) == [0, 1]


def test_v3_moves_of_different_players_commute() -> None:
    one = ["0 build house 4A", "0 build lake 2B"]
    other = ["1 build forest 2C", "1 build house 4E"]
    orders = [one + other, other + one, [one[0], other[0], other[1], one[1]], [other[0], one[0], one[1], other[1]]]
    states = {replay("- roll 4 2", *order, "- roll 6 1", seats=2).state.tobytes() for order in orders}
    assert len(states) == 1


def test_v3_players_do_not_roll() -> None:
    match = replay("- roll 4 2")
    with pytest.raises(IllegalMove, match=r"the dice are shared \(V3\)"):
        match.play(ALONE, GAME.read("roll 4 2"))
    with pytest.raises(NotYourTurn):
        match.play(NATURE, GAME.read("roll 4 2"))


def test_v3_nature_does_not_build() -> None:
    with pytest.raises(IllegalMove, match=r"build house 1A cannot be rolled \(V3\)"):
        Match(GAME, 1).play(NATURE, GAME.read("build house 1A"))


def test_v11_alone_sixty_points_re_elect_the_mayor() -> None:
    match = play(1, 3, "greedy")
    view = GAME.view(GAME.observe(match.state, ALONE))
    assert view["solo_target"] == 60
    rounds = [each["points"] for each in view["sheets"][0]["rounds"]]
    assert len(rounds) == 9, "the subtotals after rounds 3, 6 and 9 are sums of these"
    outcome = match.outcome
    assert outcome is not None
    assert outcome.scores == (sum(rounds) + view["sheets"][0]["parks"],)
    assert outcome.winners == (0,)


@pytest.mark.parametrize("number", range(12))
def test_v12_a_finished_sheet_has_23_cells_filled(number: int) -> None:
    """A finished sheet has 2 projects of the set-up, 18 of the rounds, 3 of the bonus, on cells of their own."""
    match = play(4, number)
    doubles = sum(line.seat == NATURE and GAME.show(line.move)[5] == GAME.show(line.move)[7] for line in match.log[1:])
    for seat in range(4):
        marks = [int(bits) for bits in match.state.marks[seat]]
        assert sum(bits.bit_count() for bits in marks) == 23
        assert (marks[0] | marks[1] | marks[2] | marks[3]).bit_count() == 23
        assert marks[3].bit_count() == doubles
        assert match.state.bonus[seat] == 0b111


@pytest.mark.parametrize("text", ["build house 7A", "build house 1F", "build inn 1A", "avenue F", "roll 0 7", "", "build house 1A "])
def test_what_is_not_a_move_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move; moves look like"):
        GAME.read(text)


def test_two_dice_in_any_order_are_one_roll() -> None:
    assert GAME.read("roll 2 4") == GAME.read("roll 4 2")
    assert GAME.show(GAME.read("roll 2 4")) == "roll 4 2"
