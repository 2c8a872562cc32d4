"""The greedy bot sees what is worth having."""

from __future__ import annotations

import os

from tablee import bots
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.games.mayflower.tests.played import GAME, begin, say_line, take_turns

GAMES = 1 if os.environ.get("TABLEE_PLAIN") == "1" else 12


def greedy(match: Match) -> str:
    seat = match.to_act[0]
    move = bots.play_greedy(GAME, GAME.observe(match.state, seat), match.legal(seat), fairness.bot_rng(b"", 0, seat))
    return GAME.show(move)


def test_greedy_closes_its_own_road() -> None:
    match = begin()
    take_turns(match, "T 1,3 1: road E", "B 1,7 0")
    say_line(match, "- draw A")
    assert greedy(match) == "lay 2,3 3"


def test_greedy_takes_a_town_that_is_complete_at_once() -> None:
    match = begin()
    say_line(match, "- draw C")
    say_line(match, "0 lay 1,5 1")
    assert greedy(match) == "settle town E"


def test_greedy_scores_the_farm_before_the_explorers_leave_it() -> None:
    match = begin(4)
    take_turns(match, "AC 1,1 0: town E", "A 1,3 3: road E", "K 1,7 1", "B 1,2 0: farm", "A 2,7 3", "C 1,0 0: town N", "V 1,6 3: road E")
    take_turns(match, "B 2,2 0", "C 2,0 2", "K 2,3 0", "H 1,9 0", "O 2,1 1: town N")
    assert greedy(match) == "score farm 1,2"


def test_points_on_the_table_are_worth_more_than_none() -> None:
    before = begin()
    take_turns(before, "T 1,3 1: road E", "B 1,7 0")
    assert GAME.appraise(before.state, Seat(0)) > GAME.appraise(before.state, Seat(1))
    ahead = GAME.appraise(before.state, Seat(0))
    take_turns(before, "A 2,3 3", "B 1,9 0")
    assert GAME.appraise(before.state, Seat(0)) > ahead


def test_greedy_beats_random_nearly_always() -> None:
    won = 0
    for number in range(GAMES):
        seat = number % 2
        players = [bots.play_greedy if each == seat else bots.play_random for each in range(2)]
        outcome = bots.play_out(Match(GAME, 2, {}, fairness.seed_for(5, number)), players).outcome
        assert outcome is not None
        won += outcome.winners == (seat,)
    assert won == GAMES
