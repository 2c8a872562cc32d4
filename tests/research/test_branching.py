"""Games that are saved, loaded, forked, pickled and copied go on as they would have."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from tablee import games
from tablee.core.errors import TableeError
from tablee.research import pettingzoo
from tablee.research.gymnasium_env import SingleSeatEnv
from tablee.research.spaces import known
from tablee.research.vector import Vector


def played(vector: Vector, steps: int) -> list[bytes]:
    """Step at random and return everything that a learner receives."""
    found = []
    for _ in range(steps):
        vector.step(vector.sample())
        found.append(b"".join(array.tobytes() for array in vector.save()))
    return found


def reset(key: str, seats: int = 2, size: int = 4, **settings: Any) -> Vector:
    vector = Vector(key, seats, size, **settings)
    vector.reset(5)
    for _ in range(12):
        vector.step(vector.sample())
    return vector


@pytest.mark.parametrize("key", known())
def test_a_loaded_game_goes_on_as_it_did_when_it_was_saved(key: str) -> None:
    vector = reset(key, longest=30, final_obs=True)
    saved, begun = vector.save(), copy.deepcopy(vector)
    first = played(vector, 40)
    assert played(begun, 40) == first, "a deep copy plays alike, on its own"
    vector.load([0, 1, 2, 3], saved)
    assert b"".join(array.tobytes() for array in vector.save()) == b"".join(array.tobytes() for array in saved)


@pytest.mark.parametrize("key", known())
def test_a_batch_survives_pickling(key: str) -> None:
    vector = reset(key, opponents=[None, "greedy"])
    again = pickle.loads(pickle.dumps(vector))
    assert played(vector, 20) == played(again, 20)
    fresh = pickle.loads(pickle.dumps(Vector(key)))
    with pytest.raises(TableeError, match="there are no games yet"):
        fresh.sample()


def test_a_game_can_be_put_into_other_slots() -> None:
    vector = reset("mayflower", candidates=64)
    vector.load([1, 3], vector.save([0, 0]))
    assert vector.observations[1].tobytes() == vector.observations[0].tobytes() == vector.observations[3].tobytes()
    actions = vector.sample().copy()
    actions[[1, 3]] = actions[0]
    vector.step(actions)
    assert vector.states.array[1].tobytes() == vector.states.array[0].tobytes(), "with the same luck to come"
    with pytest.raises(TableeError, match="does not fit"):
        vector.load([0], vector.save([0, 1]))
    with pytest.raises(TableeError, match="does not fit"):
        vector.load([0], reset("mayflower").save([0]))


@pytest.mark.parametrize("key", known())
def test_a_fork_has_the_same_luck_or_with_a_seed_luck_of_its_own(key: str) -> None:
    vector = reset(key)
    same, other = vector.fork(2, 8), vector.fork(2, 8, seed=1)
    for fork in (same, other):
        assert {row.tobytes() for row in fork.observations} == {vector.observations[2].tobytes()}
        assert {row.tobytes() for row in fork.masks} == {vector.masks[2].tobytes()}
    for _ in range(30):
        for fork in (same, other):
            fork.step(np.full(8, fork.masks[0].argmax()) if fork is same else fork.sample())
    assert len({row.tobytes() for row in same.states.array}) == 1
    assert len({row.tobytes() for row in other.states.array}) == 8


@pytest.mark.parametrize("key", [key for key in known() if games.find(key).secrets])
def test_a_fork_with_a_seed_samples_what_the_acting_seat_does_not_know(key: str) -> None:
    vector = reset(key, 3)
    while len({row.tobytes() for row in vector.fork(0, 8, seed=1).states.array}) == 1:
        vector.step(vector.sample())
    fork, seat = vector.fork(0, 8, seed=1), int(vector.infos["seat"][0])
    seen = vector.spaces.observe(vector.states[0], seat)
    assert all(vector.spaces.observe(fork.states[number], seat).tobytes() == seen.tobytes() for number in range(8))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("name", [name for name in gymnasium.registry if name.startswith("tablee/")])
def test_a_gymnasium_environment_can_be_copied(name: str, duplicate: Any) -> None:
    env = SingleSeatEnv(**gymnasium.spec(name).kwargs)
    env.reset(seed=3)
    for _ in range(3):
        env.step(int(env.action_masks().argmax()))
    other = duplicate(env)
    for _ in range(10):
        action = int(np.flatnonzero(env.action_masks())[-1])
        one, two = env.step(action), other.step(action)
        assert one[0].tobytes() == two[0].tobytes()
        assert one[1:4] == two[1:4]
        if one[2]:  # the game is over
            break


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("key", known())
def test_a_pettingzoo_environment_can_be_copied(key: str, duplicate: Any) -> None:
    env = pettingzoo.environment(key).raw_env(seats=2)
    env.reset(seed=3)
    for _ in range(5):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    other = duplicate(env)
    for _ in range(10):
        action = int(np.flatnonzero(env.last()[0]["action_mask"])[-1])
        env.step(action)
        other.step(action)
        assert env.agent_selection == other.agent_selection
        assert env.last()[0]["observation"].tobytes() == other.last()[0]["observation"].tobytes()
