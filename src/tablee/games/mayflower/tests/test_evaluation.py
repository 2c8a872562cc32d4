"""The evaluation: the greedy bot takes the points it should, and the shares of the win are exact at the end."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from tablee import bots
from tablee.bots import GREEDY, RANDOM, Bot
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.games.mayflower.state import State
from tablee.games.mayflower.tests.sample_games import GAME, begin, play_line, random_play, take_turns

PLAIN = os.environ.get("TABLEE_PLAIN") == "1"
GAMES = 2 if PLAIN else 20


def greedy(match: Match[State]) -> str:
    seat = match.to_act[0]
    return GAME.show(GREEDY(GAME, GAME.observe(match.state, seat), make_rng((0, 0))))


def shares(match: Match[State]) -> list[float]:
    return [GAME.value(match.state, Seat(seat)).share for seat in range(match.seats)]


def points(match: Match[State]) -> list[float]:
    return [GAME.value(match.state, Seat(seat)).points for seat in range(match.seats)]


def test_greedy_closes_its_own_road() -> None:
    match = begin()
    take_turns(match, "T 1,3 1: road E", "B 1,7 0")
    play_line(match, "- draw A")
    assert greedy(match) == "lay 2,3 3"


def test_greedy_takes_a_town_that_is_complete_at_once() -> None:
    match = begin()
    play_line(match, "- draw C")
    play_line(match, "0 lay 1,5 1")
    assert greedy(match) == "settle town E"


def test_greedy_scores_the_farm_before_the_explorers_leave_it() -> None:
    match = begin(4)
    take_turns(match, "AC 1,1 0: town E", "A 1,3 3: road E", "K 1,7 1", "B 1,2 0: farm", "A 2,7 3", "C 1,0 0: town N", "V 1,6 3: road E")
    take_turns(match, "B 2,2 0", "C 2,0 2", "K 2,3 0", "H 1,9 0", "O 2,1 1: town N")
    assert greedy(match) == "score farm 1,2"


def test_greedy_wins_with_the_last_tile_rather_than_take_more_points() -> None:
    for seed in range(2 if PLAIN else 10):
        match = bots.play_out(Match(GAME, 3, {}, fairness.seed_for(3, seed)), [GREEDY] * 3)
        outcome = match.outcome
        assert outcome is not None
        before = Match.replay(GAME, 3, dict(match.options), match.lines()[: last_choice(match)])
        assert (shares(before)[before.to_act[0]] > 0) == (before.to_act[0] in outcome.winners)


def last_choice(match: Match[State]) -> int:
    """Return the index of the last `settle` or `pass`, when the bag is empty."""
    return max(number for number, line in enumerate(match.lines()) if line.split()[1] in ("settle", "pass"))


def test_what_lies_on_the_table_counts() -> None:
    match = begin()
    take_turns(match, "T 1,3 1: road E", "B 1,7 0")
    assert shares(match)[0] > 0.5 > shares(match)[1]
    ahead = shares(match)[0]
    take_turns(match, "A 2,3 3", "B 1,9 0")
    assert shares(match)[0] > ahead


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_shares_are_shares_and_exact_at_the_end(seats: int) -> None:
    for number, match in enumerate(random_play(seats, 40 + seats)):
        if number % 7 == 0 or match.over:
            assert all(0 <= share <= 1 for share in shares(match))
    outcome = match.outcome
    assert outcome is not None
    assert points(match) == list(outcome.scores)
    assert shares(match) == pytest.approx([(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)])


def test_m21_who_shares_the_win_shares_it_evenly() -> None:
    match = begin(3)
    while not match.over:  # nobody ever settles, so nobody scores
        play_line(match, f"- {GAME.show(GAME.odds(match.state)[0][0])}")
        while match.to_act and match.to_act[0] >= 0:
            match.play(match.to_act[0], match.legal(match.to_act[0])[0])
    assert shares(match) == pytest.approx([1 / 3] * 3)


def test_level_seats_have_equal_shares() -> None:
    for seats in GAME.seats:
        assert shares(begin(seats)) == pytest.approx([1 / seats] * seats)


def test_greedy_beats_random_nearly_always() -> None:
    won = 0
    for number in range(GAMES):
        seat = number % 2
        players: Sequence[Bot] = [GREEDY if each == seat else RANDOM for each in range(2)]
        outcome = bots.play_out(Match(GAME, 2, {}, fairness.seed_for(5, number)), players).outcome
        assert outcome is not None
        won += outcome.winners == (seat,)
    assert won == GAMES
