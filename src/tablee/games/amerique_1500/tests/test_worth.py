"""The greedy bot goes for what its plan needs, and the games played inside the compiled rules are its games."""

from __future__ import annotations

import os
import random

import pytest

from tablee import bots
from tablee.core import fairness
from tablee.core.game import NATURE, Seat, choose_options
from tablee.core.match import Match
from tablee.core.rule import numbers, row_of
from tablee.games.amerique_1500 import pastime
from tablee.games.amerique_1500.box import MAX_SEATS
from tablee.games.amerique_1500.opening import lay_out
from tablee.games.amerique_1500.tests.played import BOX, GAME, act, begin, deal_on, equipped, goods, random_play, say_lines, swaps
from tablee.games.amerique_1500.turn import MOST_MOVES

PLAIN = os.environ.get("TABLEE_PLAIN") == "1"
GAMES = 1 if PLAIN else 10
MOST_ROUNDS = 40


def best_moves(match: Match, seat: Seat) -> list[str]:
    """All that the greedy bot may choose from."""
    worth = {GAME.show(move): GAME.appraise(GAME.apply(match.state, seat, move).state, seat) for move in match.legal(seat)}
    return [move for move, value in worth.items() if value == max(worth.values())]


def greedy_turn(match: Match) -> list[str]:
    """The moves of one turn, from the action on; unnamed cards are dealt."""
    seat, moves = match.to_act[0], []
    while match.to_act == (seat,):
        move = bots.play_greedy(GAME, GAME.observe(match.state, seat), match.legal(seat), random.Random(1))
        moves.append(GAME.show(move))
        match.play(seat, move)
        deal_on(match)
    return moves


def test_greedy_plays_the_card_that_its_tool_betters() -> None:
    match = begin(2, ["berries squash maple_sap"])
    act(match, 2, "craft", "make basket")
    act(match, 4, "barter", "done")
    say_lines(match, "- roll 4", "0 cards")
    assert best_moves(match, Seat(0)) == ["play berries"]


def test_greedy_barters_for_the_request_and_serves_it() -> None:
    match = equipped()
    say_lines(match, "- roll 4")
    turn = greedy_turn(match)
    assert turn[0] == "barter"
    assert sum(move.startswith("serve") for move in turn) == 2, "twenty goods are enough for two requests of four"


def test_greedy_does_not_swap_to_and_fro() -> None:
    match = equipped()
    say_lines(match, "- roll 4")
    turn = greedy_turn(match)
    swapped = [move.removeprefix("swap ").split(">") for move in turn if move.startswith("swap")]
    assert not {given for given, _ in swapped} & {taken for _, taken in swapped}
    assert len(swapped) <= 12, "three requests ask for twelve goods"


def test_greedy_gives_what_it_needs_least() -> None:
    match = begin(2, ["neighbours maize maize", ""])
    act(match, 4, *swaps("C", "F"))
    act(match, 1, *swaps("W", "S"))
    say_lines(match, "- roll 4", "0 cards", "0 play neighbours")
    seat = Seat(1)
    for move in best_moves(match, seat):
        after = GAME.apply(match.state, seat, GAME.read(move)).state
        assert GAME.appraise(after, seat) == max(
            GAME.appraise(GAME.apply(match.state, seat, other).state, seat) for other in match.legal(seat)
        )
    assert goods(match, 1)


@pytest.mark.parametrize("cooperative", [False, True])
@pytest.mark.parametrize("version", ["quick", "full"])
def test_games_of_greedy_bots_come_to_an_end_soon(version: str, cooperative: bool) -> None:
    match = Match(GAME, 3, {"game": version, "cooperative": cooperative}, fairness.seed_for(4, 1))
    bots.play_out(match, [bots.play_greedy] * 3)
    assert match.outcome is not None
    assert match.state.turns <= MOST_ROUNDS * 3
    assert max(match.outcome.scores) >= 3


def test_greedy_beats_random() -> None:
    won = 0
    for number in range(GAMES):
        match = Match(GAME, 3, {}, fairness.seed_for(5, number))
        bots.play_out(match, [bots.play_random, bots.play_greedy, bots.play_random])
        assert match.outcome is not None
        won += match.outcome.winners == (Seat(1),)
    assert won == GAMES


@pytest.mark.parametrize("cooperative", [False, True])
def test_the_compiled_greedy_bot_makes_the_same_moves(cooperative: bool) -> None:
    box, out = lay_out(BOX).box, numbers(MOST_MOVES)
    for number, match in enumerate(random_play(3, 17, game="full", cooperative=cooperative)):
        if number % 9 or match.to_act == (NATURE,) or not match.to_act:
            continue
        table = row_of(match.state, 3)
        table[1] = table[0]
        seat = match.to_act[-1]
        assert GAME.show(int(pastime.greedy_move(box, table, int(seat), out))) in best_moves(match, seat)


@pytest.mark.parametrize("cooperative", [False, True])
def test_whole_greedy_games_add_up(cooperative: bool) -> None:
    tally = numbers(pastime.TALLY)
    options = choose_options(GAME, 2, {"cooperative": cooperative})
    pastime.greedy_games(lay_out(BOX).box, row_of(GAME.setup(2, options), 3), GAMES, 3, tally)
    won = int(tally[MAX_SEATS + 1])
    assert sum(tally[pastime.ROUNDS :]) == GAMES
    assert sum(tally[:MAX_SEATS]) == 12 * won, "two who share a win have half each"
    assert won == GAMES if not cooperative else 0 <= won <= GAMES
