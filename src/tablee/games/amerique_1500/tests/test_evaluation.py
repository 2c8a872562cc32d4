"""The greedy bot follows its plan, and its evaluation is on the scale that all rooms share."""

from __future__ import annotations

import os

import pytest

from tablee import bots
from tablee.core import fairness
from tablee.core.contract import POINTS, SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Seat
from tablee.core.kernel import Value
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.core.struct import int_array
from tablee.games.amerique_1500 import evaluation
from tablee.games.amerique_1500.box import WOOD
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.sample_games import GAME, act, begin, deal_any, equipped, idle, play_lines, random_play, swaps

PLAIN = os.environ.get("TABLEE_PLAIN") == "1"
GAMES = 1 if PLAIN else 10
MOST_ROUNDS = 40


def promised(match: Match[State], seat: Seat) -> dict[str, Value]:
    """Return the value of the position after each legal move."""
    return {GAME.show(move): GAME.value(GAME.apply(match.state, seat, move).state, seat) for move in match.legal(seat)}


def best_moves(match: Match[State], seat: Seat) -> list[str]:
    """Return all moves among which the greedy bot may choose."""
    values = promised(match, seat)
    most = max((value.share, value.points) for value in values.values())
    return [move for move, value in values.items() if (value.share, value.points) == most]


def greedy_turn(match: Match[State]) -> list[str]:
    """Play one turn from the action on, dealing unnamed cards, and return its moves."""
    seat, moves = match.to_act[0], []
    while match.to_act == (seat,):
        move = bots.GREEDY(GAME, GAME.observe(match.state, seat), make_rng((1, 1)))
        moves.append(GAME.show(move))
        match.play(seat, move)
        deal_any(match)
    return moves


def test_greedy_plays_the_card_that_its_tool_betters() -> None:
    match = begin(2, ["berries squash maple_sap"])
    act(match, 2, "craft", "make basket")
    idle(match, "4")
    play_lines(match, "- roll 4", "0 cards")
    assert best_moves(match, Seat(0)) == ["play berries"]


def test_greedy_barters_for_the_request_and_serves_it() -> None:
    match = equipped()
    play_lines(match, "- roll 4")
    turn = greedy_turn(match)
    assert turn[0] == "barter"
    assert sum(move.startswith("serve") for move in turn) == 2, "twenty goods are enough for two requests of four"


def test_greedy_does_not_swap_to_and_fro() -> None:
    match = equipped()
    play_lines(match, "- roll 4")
    turn = greedy_turn(match)
    swapped = [move.removeprefix("swap ").split(">") for move in turn if move.startswith("swap")]
    assert not {given for given, _ in swapped} & {taken for _, taken in swapped}
    assert len(swapped) <= 12, "three requests ask for twelve goods"


def test_greedy_hands_over_to_whoever_is_further_behind() -> None:
    match = equipped(3)
    act(match, 4, *swaps("W" * 8, "GGMMGGFF"), "serve pemmican", "serve chowder")
    values = [handed(match, giver=2, partner=partner) for partner in (0, 1)]
    assert values[1] > values[0], "seat 0 has two discs already"


def handed(match: Match[State], giver: int, partner: int) -> float:
    """Return the giver's share of the win after a wood went to the partner."""
    state = match.state.copy()
    state.goods[giver, WOOD] -= 1
    state.goods[partner, WOOD] += 1
    return GAME.value(state, Seat(giver)).share


def test_a_disc_more_promises_more_of_the_win_and_more_points() -> None:
    match = equipped()
    act(match, 4, *swaps("W" * 4, "GGMM"))
    before, after = GAME.value(match.state, Seat(0)), promised(match, Seat(0))["serve pemmican"]
    assert after.share > before.share
    assert after.points > before.points


@pytest.mark.parametrize("cooperative", [False, True])
def test_shares_are_parts_of_a_whole_win(cooperative: bool) -> None:
    scratch, out = Scratch(), int_array(VALUES)
    for number, match in enumerate(random_play(3, 17, game="full", cooperative=cooperative)):
        for seat in range(3 if number % 9 == 0 else 0):
            evaluation.value(GAME.kernel.box, match.state, scratch, seat, out)
            assert 0 <= out[SHARE] <= WHOLE_SHARE
            assert 0 <= out[POINTS] <= 6000


def test_a10_at_the_end_the_winners_share_the_whole_win() -> None:
    match = equipped()
    for seat in (0, 1):
        act(match, 4, *swaps("W" * 8, "GGMMGGFF"), "serve pemmican", "serve chowder")
        assert len(match.to_act) == 1, seat
    act(match, 4, *swaps("W" * 4, "MMCC"), "serve stew")
    idle(match, "4")
    assert match.over
    assert [GAME.value(match.state, Seat(seat)) for seat in (0, 1)] == [Value(1.0, 3.0), Value(0.0, 2.0)]
    match.state.placed[1] = match.state.placed[0]
    match.state.goods[1] = list(match.state.goods[0])
    assert [GAME.value(match.state, Seat(seat)).share for seat in (0, 1)] == [0.5, 0.5]


def test_a18_a19_at_the_end_the_team_shares_the_whole_win_or_nothing() -> None:
    for number in range(3 * GAMES):
        *_, match = random_play(2, number, cooperative=True)
        assert match.outcome is not None
        shares = [GAME.value(match.state, Seat(seat)).share for seat in range(2)]
        assert shares == [0.5 * bool(match.outcome.won)] * 2


@pytest.mark.parametrize("cooperative", [False, True])
@pytest.mark.parametrize("version", ["quick", "full"])
def test_games_of_greedy_bots_come_to_an_end_soon(version: str, cooperative: bool) -> None:
    match = Match(GAME, 3, {"game": version, "cooperative": cooperative}, fairness.seed_for(4, 1))
    bots.play_out(match, [bots.GREEDY] * 3)
    assert match.outcome is not None
    assert match.state.turns <= MOST_ROUNDS * 3
    assert max(match.outcome.scores) >= 3


def test_greedy_beats_random() -> None:
    won = 0
    for number in range(GAMES):
        match = Match(GAME, 3, {}, fairness.seed_for(5, number))
        bots.play_out(match, [bots.RANDOM, bots.GREEDY, bots.RANDOM])
        assert match.outcome is not None
        won += match.outcome.winners == (Seat(1),)
    assert won == GAMES
