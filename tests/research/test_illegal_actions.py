"""Illegal actions of learners: each is refused in one sentence and changes nothing."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import tablee.research.openspiel
from tablee.core.errors import TableeError
from tablee.research.game_stepper import GameStepper
from tablee.research.gymnasium_env import SingleSeatEnv
from tablee.research.pettingzoo import environment
from tablee.research.vector import Vector

KEYS = ("amerique-1500", "mayflower", "rolling-village")
NO_ACTIONS = (-1, 10**8, 9999, 1.5, float("nan"), True, None, "lay", 10**30)


@pytest.mark.parametrize("key", KEYS)
def test_an_agent_of_pettingzoo_is_told_and_the_game_stands_where_it_stood(key: str) -> None:
    env = environment(key).raw_env()
    env.reset(seed=1)
    before = env.stepper.state.tobytes()
    mask = env.observe(env.agent_selection)["action_mask"]
    for action in (*NO_ACTIONS, *np.flatnonzero(mask == 0)):
        with pytest.raises(TableeError, match="is not legal here"):
            env.step(action)
    assert env.stepper.state.tobytes() == before
    env.step(np.array(mask.argmax()))
    assert env.stepper.state.tobytes() != before or env.stepper.half, "a whole number may come as an array of one"


def test_where_pettingzoo_ends_the_game_a_number_beyond_the_space_is_an_error() -> None:
    env = environment("rolling-village").env(seats=2)
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(len(mask))
    assert not any(env.terminations.values())
    agent = env.agent_selection
    env.step(int(mask.argmin()))
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1


@pytest.mark.parametrize("key", KEYS)
def test_whoever_changes_the_mask_that_was_shown_may_do_no_more(key: str) -> None:
    table = GameStepper(key, None)
    table.reset(1)
    _, mask = table.observe_and_mask()
    no_action = int(mask.argmin())
    mask[:] = 1
    with pytest.raises(TableeError, match="is not legal here"):
        table.step(no_action)


@pytest.mark.parametrize("key", KEYS)
def test_a_seat_of_gymnasium_is_fined_and_nothing_has_happened(key: str) -> None:
    env: Any = SingleSeatEnv(key)
    seen, info = env.reset(seed=1)
    for action in (*NO_ACTIONS, int(info["action_mask"].argmin())):
        again, reward, over, _, info_after = env.step(action)
        assert (reward, over, info_after["illegal"]) == (-1.0, False, True)
        assert (again == seen).all()
    assert "illegal" not in env.step(np.array(info["action_mask"].argmax()))[-1]


@pytest.mark.parametrize("key", KEYS)
def test_openspiel_is_told_of_an_action_that_is_not_legal(key: str) -> None:
    assert tablee.research.openspiel
    state = pyspiel.load_game(f"tablee_{key.replace('-', '_')}").new_initial_state()
    if state.is_chance_node():
        with pytest.raises(Exception, match="not legal"):
            state.apply_action(10**6)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    no_action = next(number for number in range(state.get_game().num_distinct_actions()) if number not in state.legal_actions())
    before = str(state)
    for action in (no_action, 10**6):
        assert state.action_to_string(state.current_player(), action).endswith("not legal")
        with pytest.raises(Exception, match="not legal"):
            state.apply_action(action)
    assert str(state) == before


@pytest.mark.parametrize("key", KEYS)
def test_only_legal_moves_have_actions_and_only_legal_actions_a_move(key: str) -> None:
    table = GameStepper(key, None)
    table.reset(1)
    legal = table.game.kernel.legal(table.state, table.seat)
    with pytest.raises(TableeError, match="is not legal here"):
        table.encode(next(move for move in range(10**6) if move not in legal))
    for move in legal[:5]:
        assert table.spaces.decode(table.state, table.seat, table.encode(move)) == move
        with pytest.raises(TableeError, match="the move is finished before action 3"):
            table.spaces.decode(table.state, table.seat, [*table.encode(move), 3])
    for actions in ([-1], [10**8], [1.5]):
        with pytest.raises(TableeError, match="is not legal here"):
            table.spaces.decode(table.state, table.seat, actions)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0.5] * 4, "whole numbers"),
        ([float("nan")] * 4, "whole numbers"),
        (3, "whole numbers"),
        ([[1], [1], [1], [1]], "whole numbers"),
        ([1, 2, 3], "one action is needed for each game: 4, not 3"),
        ([-1] * 4, "action -1 is not legal in game 0"),
    ],
)
def test_a_batch_takes_a_row_of_whole_numbers(actions: Any, sentence: str) -> None:
    vector = Vector("rolling-village", games=4)
    with pytest.raises(TableeError, match="reset"):
        vector.sample()
    vector.reset(np.int64(3))
    before = vector.states.array.tobytes()
    with pytest.raises(TableeError, match=sentence):
        vector.step(actions)
    assert vector.states.array.tobytes() == before


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": -3}, {"longest": -1}, {"threads": 0}])
def test_a_batch_of_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TableeError, match="at least"):
        Vector("rolling-village", **wrong)


@pytest.mark.parametrize("wrong", [{"seat": 2}, {"seat": -1}, {"opponent": ["random", "random", "greedy"]}])
def test_a_seat_that_is_not_there_and_a_bot_too_many_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TableeError):
        gymnasium.make("tablee/Mayflower-v0", **wrong)


def test_new_games_begin_with_nothing_made() -> None:
    vector = Vector("rolling-village", games=1)
    vector.reset(1)
    while not vector.terminated.all():
        vector.step(vector.sample())
    assert vector.scores.any()
    vector.reset(1)
    assert not vector.scores.any()
    assert not vector.rewards.any()
