"""The environments as other libraries expect them: Gymnasium's vector environments and PettingZoo's parallel ones."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import tablee.research  # noqa: F401  registers them
from tablee.core.errors import TableeError
from tablee.research import pettingzoo
from tablee.research.pettingzoo.parallel_env import parallel_env
from tablee.research.spaces import known

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import parallel_api_test

SOLO = "tablee/RollingVillageSolo-v0"
SIMULTANEOUS = [key for key in known() if hasattr(pettingzoo.environment(key), "parallel_env")]


def legal(masks: Any, step: int) -> Any:
    return np.array([np.flatnonzero(mask)[7 * step % int(mask.sum())] for mask in masks])


@pytest.mark.parametrize("name", [name for name in gymnasium.registry if name.startswith("tablee/")])
def test_make_vec_plays_the_games_of_single_environments_with_the_fast_vector(name: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=3)
    assert isinstance(envs, VectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    singles = [gymnasium.make(name).unwrapped for _ in range(3)]
    seen, infos = envs.reset(seed=5)
    assert seen.dtype == np.int16
    assert envs.observation_space.contains(seen)
    begun: list[Any] = [single.reset(seed=5 + number) for number, single in enumerate(singles)]
    for step in range(20):
        assert [each[0].tolist() for each in begun] == seen.tolist()
        assert [each[-1]["action_mask"].tolist() for each in begun] == infos["action_mask"].tolist()
        actions = legal(infos["action_mask"], step)
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        begun = [single.step(int(action)) for single, action in zip(singles, actions, strict=True)]
        if (terminated | truncated).any():
            break
        assert [each[1] for each in begun] == rewards.tolist()


def test_gymnasiums_statistics_of_episodes_are_those_of_the_game() -> None:
    envs = RecordEpisodeStatistics(gymnasium.make_vec(SOLO, num_envs=4))
    _, infos = envs.reset(seed=1)
    first, earlier = infos["action_mask"], infos["action_mask"].copy()
    for step in range(40):
        _, _, terminated, _, infos = envs.step(legal(infos["action_mask"], step))
        if terminated.any():
            final = infos["final_info"]
            assert (infos["_final_info"] == terminated).all()
            assert infos["episode"]["r"][terminated].tolist() == final["scores"][terminated, 0].tolist()
            break
    else:
        pytest.fail("no game ended")
    assert (first == earlier).all(), "arrays are copies"


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(TableeError, match="there is no seat 2 at a table of 2"):
        gymnasium.make_vec("tablee/Mayflower-v0", num_envs=2, seat=2)
    with pytest.raises(TableeError, match="one bot is needed for each seat: 1, not 2"):
        gymnasium.make_vec("tablee/Mayflower-v0", num_envs=2, opponent=["greedy", "easy"])


def test_seats_that_act_at_the_same_time_have_a_parallel_environment() -> None:
    assert SIMULTANEOUS == ["rolling-village"]
    with pytest.raises(TableeError, match="the seats of mayflower act one after another"):
        parallel_env("mayflower")


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.parametrize("key", SIMULTANEOUS)
def test_pettingzoo_parallel_conformance(key: str) -> None:
    env = pettingzoo.environment(key).parallel_env(seats=3)
    parallel_api_test(env, num_cycles=60)


@pytest.mark.parametrize("key", SIMULTANEOUS)
def test_the_parallel_environment_plays_the_games_of_the_sequential_one(key: str) -> None:
    """A round of single decisions, seat by seat, ends where the same decisions at the same time do."""
    module = pettingzoo.environment(key)
    together, alone = module.parallel_env(seats=3, reward="points"), module.raw_env(seats=3, reward="points")
    seen, _ = together.reset(seed=4)
    alone.reset(seed=4)
    totals = dict.fromkeys(together.possible_agents, 0.0)
    wanted: dict[str, list[int]] = {agent: [] for agent in totals}
    while together.agents:
        actions = {agent: int(legal([each["action_mask"]], 3)[0]) if each["action_mask"].any() else 0 for agent, each in seen.items()}
        for agent, action in actions.items():
            wanted[agent] += [action] * bool(seen[agent]["action_mask"].any())
        seen, rewards, _, _, _ = together.step(actions)
        totals = {agent: total + rewards[agent] for agent, total in totals.items()}
    while not all(alone.terminations.values()):
        alone.step(wanted[alone.agent_selection].pop(0))
    assert list(totals.values()) == alone.stepper.scores


def test_scales_bring_observations_near_one() -> None:
    for key in known():
        envs = pettingzoo.environment(key).raw_env()
        scales = envs.stepper.spaces.scales()
        assert scales.min() >= 1
        assert scales.max() <= 50
