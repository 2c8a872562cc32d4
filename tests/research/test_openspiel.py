"""The OpenSpiel games: its own conformance test and searches, unmodified, and no hidden information in what a seat sees.

Only the searches written in Python run: `pyspiel.MCTSBot` of OpenSpiel 2.0 releases the GIL and then crashes with any game written
in Python, its own `python_tic_tac_toe` too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from tablee import games
from tablee.core.loops import GREEDY
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.research import openspiel
from tablee.research.spaces import known

NAMES = [openspiel.spiel_name(key) for key in known()]
SECRET = [openspiel.spiel_name(key) for key in known() if games.find(key).secrets]
OTHER_TABLES = ["tablee_rolling_village(players=1)", "tablee_mayflower(players=3,rows=10,order=automatic)",
                "tablee_amerique_1500(players=3,game=full)", "tablee_amerique_1500(cooperative=true)"]  # fmt: skip


def positions(name: str, seed: int, every: int = 1) -> Iterator[Any]:
    """Yield the positions of a random game up to its end."""
    draw, state = random.Random(seed), pyspiel.load_game(name).new_initial_state()
    step = 0
    while not state.is_terminal():
        if step % every == 0:
            yield state
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draw.choices(outcomes, chances)[0])
        else:
            state.apply_action(draw.choice(state.legal_actions()))
        step += 1
    yield state


def test_every_environment_is_registered() -> None:
    assert {"tablee_mayflower", "tablee_rolling_village", "tablee_amerique_1500"} <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", [*NAMES, *OTHER_TABLES])
def test_openspiels_own_conformance_test_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_openspiels_mcts_plays(name: str) -> None:
    game, draw = pyspiel.load_game(name), np.random.RandomState(7)
    play_some(game, [mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)] * 2, decisions=8)


@pytest.mark.parametrize("name", SECRET)
def test_openspiels_is_mcts_plays_where_something_is_hidden(name: str) -> None:
    """IS-MCTS refuses games of perfect information."""
    game, draw = pyspiel.load_game(name), np.random.RandomState(7)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, draw), 2.0, 6, random_state=draw)
    play_some(game, [bot] * 2, decisions=16)


def play_some(game: Any, bots: list[Any], decisions: int) -> None:
    """Play the beginning of a game, one bot per seat."""
    draw, state = random.Random(3), game.new_initial_state()
    while decisions and not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draw.choices(outcomes, chances)[0])
        else:
            action = bots[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decisions -= 1


@pytest.mark.parametrize("name", NAMES)
def test_its_games_are_our_games(name: str) -> None:
    """`Match` accepts the log of an OpenSpiel game and ends with the same outcome."""
    *_, last = positions(name, seed=5)
    match = Match(last.position.game, last.position.config.seats)
    for line in last.position.log:
        match.play(line.seat, line.move)
    assert match.state == last.position.state
    assert match.outcome is not None
    best = max(last.returns())
    assert [seat for seat, share in enumerate(last.returns()) if share == best] == list(match.outcome.winners)
    assert sum(last.returns()) == pytest.approx(0)


@pytest.mark.parametrize("name", NAMES)
def test_chance_is_explicit(name: str) -> None:
    for state in positions(name, seed=6):
        if state.is_chance_node():
            odds = state.position.game.odds(state.position.state)
            assert [action for action, _ in state.chance_outcomes()] == list(range(len(odds)))
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            assert state.action_to_string(pyspiel.PlayerId.CHANCE, 0) == state.position.game.show(odds[0][0])


@pytest.mark.parametrize("name", NAMES)
def test_what_a_seat_is_told_does_not_depend_on_what_it_may_not_know(name: str) -> None:
    """A determinized state gives the same strings and tensors, byte for byte."""
    draw = random.Random(8)
    for state in positions(name, seed=8, every=9):
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, draw.random)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)


@pytest.mark.parametrize("name", SECRET)
def test_a_determinized_log_shows_nobody_what_was_hidden(name: str) -> None:
    """Hidden parts of the log are not in the log of a determinized state, for any reader."""
    for state in positions(name, seed=9, every=15):
        shown = state.resample_from_infostate(0, random.Random(9).random).information_state_string(1).splitlines()
        for place, line in enumerate(state.position.log):
            if line.show_to(state.position.game, 0) != line.show(state.position.game):
                assert shown[place] == line.show_to(state.position.game, 0)


@pytest.mark.parametrize("name", SECRET)
def test_determinizing_twice_reveals_no_more(name: str) -> None:
    """What was hidden from the first seat stays hidden, even if the second seat saw it in the original state."""
    hidden = 0
    for state in positions(name, seed=9, every=15):
        determinized = state.resample_from_infostate(0, random.Random(9).random).resample_from_infostate(1, random.Random(8).random)
        shown = determinized.information_state_string(1).splitlines()
        for place, line in enumerate(state.position.log):
            if line.show_to(state.position.game, 0) != line.show(state.position.game):
                hidden += line.show_to(state.position.game, 1) == line.show(state.position.game)
                assert shown[place] == line.show_to(state.position.game, 0)
    assert hidden > 0


def test_m6_a_place_without_its_turn_is_told_as_a_place() -> None:
    for state in positions("tablee_mayflower", seed=2):
        if state.is_terminal() or state.is_chance_node():
            continue
        names = {state.action_to_string(action) for action in state.legal_actions()}
        halves = {each for each in names if each.startswith("place")}
        if halves and names != halves:
            break
    assert all(re.fullmatch(r"place \d+,-?\d+", each) for each in halves)
    assert all(re.fullmatch(r"lay \d+,-?\d+ [0-3]", each) for each in names - halves)
    action = next(action for action in state.legal_actions() if state.action_to_string(action).startswith("place"))
    chosen = state.action_to_string(action)
    state.apply_action(action)
    assert state.observation_string(state.current_player()).endswith(chosen)
    assert str(state).endswith(chosen)


def test_options_are_the_games_own() -> None:
    table = pyspiel.load_game("tablee_mayflower", {"players": 4, "first": "2", "rows": 10})
    start = table.new_initial_state().position.state
    assert (start.seats, start.active, start.rows) == (4, 2, 10)


def test_an_option_that_is_none_is_refused_in_a_sentence() -> None:
    with pytest.raises(Exception, match="option rows cannot be 7; it is one of: 0, 10"):
        pyspiel.load_game("tablee_mayflower(rows=7)")


def counted(name: str, choose: Callable[[Any], int]) -> tuple[Any, int, int]:
    """Play a game by `choose`; return its last state and the numbers of decisions and draws."""
    draw, state, decisions, draws = random.Random(4), pyspiel.load_game(name).new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draw.choices(outcomes, chances)[0])
            draws += 1
        else:
            state.apply_action(choose(state))
            decisions += 1
    return state, decisions, draws


def greedily(state: Any) -> int:
    at = state.position
    move = at.game.kernel.choose(at.state, at.seats[0], GREEDY, make_rng((len(at.log), 1)))
    spaces = at.config.spaces
    return int(spaces.loops.action_of(at.game.kernel.box, at.state, at.half, at.seats[0], move))


def every_table() -> Iterator[str]:
    """Yield each number of seats, and each value of each option once."""
    for key in known():
        game = games.find(key)
        yield from (f"{openspiel.spiel_name(key)}(players={seats})" for seats in game.seats)
        for option in game.options:
            yield from (
                f"{openspiel.spiel_name(key)}({option.key}={str(value).lower()})" for value in option.values[1:] if not option.seat_choices
            )


@pytest.mark.parametrize("name", [name for name in every_table() if "first" not in name])
def test_no_game_passes_the_bounds_that_openspiel_is_told(name: str) -> None:
    game, rng = pyspiel.load_game(name), random.Random(3)
    for choose in (lambda state: rng.choice(state.legal_actions()), greedily):
        last, decisions, draws = counted(name, choose)
        assert not last.position.seats, "it came to its own end"
        assert decisions <= game.max_game_length() <= openspiel.MAX_GAME_LENGTH
        assert draws <= game.max_chance_nodes_in_history() <= openspiel.MAX_GAME_LENGTH
        assert all(game.min_utility() <= each <= game.max_utility() for each in last.returns())


def test_the_longest_village_is_as_long_as_openspiel_is_told() -> None:
    """Double ones in every round: an avenue is picked each time."""
    game = pyspiel.load_game("tablee_rolling_village(players=1)")
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(0 if state.is_chance_node() else state.legal_actions()[0])
    assert (decisions, game.max_game_length(), game.max_chance_nodes_in_history()) == (32, 32, 10)
    assert game.min_utility() == 0
    assert 150 < game.max_utility() < 600


def test_a_game_without_an_end_ends_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Amérique 1500 never ends if every seat only explores."""
    monkeypatch.setattr(openspiel, "MAX_GAME_LENGTH", 300)
    last, decisions, draws = counted("tablee_amerique_1500(players=3)", lambda state: state.legal_actions()[0])
    assert decisions + draws == 300
    assert last.returns() == [0, 0, 0]
    assert last.current_player() == pyspiel.PlayerId.TERMINAL
