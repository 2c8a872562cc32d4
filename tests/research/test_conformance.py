"""The conformance tests that PettingZoo and Gymnasium ship, and tests of what those leave out."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

import tablee.research  # noqa: F401  registers them
from tablee import bots, games
from tablee.core.game import Game, Move, Observation
from tablee.core.rng import Rng, randbelow
from tablee.research.gymnasium_env import env_name
from tablee.research.spaces import known
from tablee.research.vector import Vector
from tests.plugin_game import PluginGame
from tests.rounds import rounds

with warnings.catch_warnings():  # with pygame installed, PettingZoo's tests import its games in a deprecated way
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

CYCLES = rounds(20, 60)
SOLO = "tablee/RollingVillageSolo-v0"
IDS = [SOLO, *(f"tablee/{env_name(key)}-v0" for key in known())]


def environment(key: str) -> Any:
    return import_module(f"tablee.research.pettingzoo.{key.replace('-', '_')}_v0")


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")  # it warns of every
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")  # observation with a mask beside it, its own games' too
@pytest.mark.parametrize(
    ("kind", "key"),
    [("env", key) for key in known()] + [("raw_env", key) for key in rounds(few=["rolling-village"], many=known())],
)
def test_pettingzoo_conformance(key: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(getattr(environment(key), kind)(), num_cycles=CYCLES)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("key", known())
def test_pettingzoo_finds_the_same_games_from_the_same_seed(key: str) -> None:
    seed_test(environment(key).env, num_cycles=CYCLES)


@pytest.mark.parametrize("key", known())
def test_pettingzoo_finds_the_table_drawn(key: str) -> None:
    render_test(environment(key).env)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_conformance(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_a_game_of_random_actions_ends(name: str) -> None:
    environment, rng = gymnasium.make(name, opponent="random"), np.random.default_rng(2)
    _, info = environment.reset(seed=7)
    ended, got = False, 0.0
    while not ended:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, ended, cut_off, info = environment.step(action)
        got += float(reward)
        assert not cut_off
        assert environment.observation_space.contains(seen)
    assert info["action_mask"].sum() == 0
    assert got == info["scores"][0] if name == SOLO else -1 <= got <= 1


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry yet")
@pytest.mark.parametrize("key", known())
def test_pettingzoo_makes_them_by_name_too(key: str) -> None:
    environment(key)
    found = pettingzoo.make("aec", f"tablee/{env_name(key)}-v0", seats=3)
    assert found.possible_agents == ["seat_0", "seat_1", "seat_2"]


def test_any_bot_may_sit_opposite_also_one_of_your_own() -> None:
    def last(game: Game, seen: Observation, rng: Rng) -> Move:
        assert seen.seat == 1
        randbelow(rng, 2)
        return game.legal(seen.state, seen.seat)[-1]

    for opponent in ("greedy", "search:nodes=1", last, bots.EASY):
        found: Any = gymnasium.make("tablee/Mayflower-v0", opponent=opponent, reward="points").unwrapped
        _, info = found.reset(seed=1)
        for _ in range(12):
            assert (found.action_masks() == info["action_mask"]).all()
            _, _, _, _, info = found.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_what_is_not_legal_changes_nothing_and_costs_a_point_of_reward() -> None:
    environment = gymnasium.make(SOLO)
    seen, info = environment.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    again, reward, ended, _, info = environment.step(wrong)
    assert (reward, ended, info["illegal"]) == (-1.0, False, True)
    assert (again == seen).all()


def test_a_table_is_drawn_as_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    drawn: Any = gymnasium.make(SOLO, render_mode="ansi")
    drawn.reset(seed=1)
    printing: Any = gymnasium.make(SOLO, render_mode="human")
    printing.reset(seed=1)
    assert drawn.render()
    printing.render()
    assert capsys.readouterr().out.strip() == drawn.render().strip()


@pytest.mark.parametrize("key", known())
def test_agents_are_seats_and_all_of_them_play_to_the_end(key: str) -> None:
    seats = min(3, games.find(key).seats[-1])
    found = environment(key).env(seats=seats)
    found.reset(seed=5)
    rng = np.random.default_rng(1)
    total = dict.fromkeys(found.possible_agents, 0.0)
    for agent in found.agent_iter():
        observation, reward, terminated, truncated, _ = found.last()
        total[agent] += reward
        for other in found.agents:
            if other != agent:
                assert found.observe(other)["action_mask"].sum() == 0
        done = terminated or truncated
        found.step(None if done else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert len(total) == seats
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)
    assert max(total.values()) <= 1


def test_a_room_without_tensors_has_no_environment(tmp_path: Path) -> None:
    program = "from tablee import games; from tablee.research.spaces import known; print(set(games.known()) - set(known()))"
    plugin_game = PluginGame(tmp_path)
    assert plugin_game.run(program).strip() == "{'sticks'}"
    refused = "from tablee.research import spaces\ntry: spaces.specialized_for('sticks')\nexcept Exception as error: print(error)"
    assert plugin_game.run(refused).startswith("sticks has no environment; there are: ")
    with pytest.raises(ImportError):
        import_module("tablee.research.pettingzoo.sticks_v0")


@pytest.mark.parametrize("name", IDS)
def test_what_an_info_says_is_an_array(name: str) -> None:
    """Libraries read an info's dtype and shape, as TorchRL's `auto_register_info_dict` does."""
    environment: Any = gymnasium.make(name).unwrapped
    _, info = environment.reset(seed=1)
    infos = [info, environment.step(int(np.flatnonzero(info["action_mask"])[0]))[-1], environment.step(environment.spaces.actions)[-1]]
    for each in infos:
        assert (each["scores"].dtype, each["scores"].shape) == (np.dtype(np.int64), (environment.stepper.seats,))
        assert (each["action_mask"].dtype, each["action_mask"].shape) == (np.dtype(np.int8), (environment.spaces.actions,))


def test_one_seed_gives_the_same_games_in_every_environment_one_after_the_other() -> None:
    """Compares every observation of three solo games in which the first legal action is always played."""
    vector, one_seat, agents = Vector("rolling-village", 1), gymnasium.make(SOLO).unwrapped, environment("rolling-village").env(seats=1)
    seen, _ = vector.reset(seed=[5])
    in_vector, in_gymnasium, in_pettingzoo = list[bytes](), list[bytes](), list[bytes]()
    for game in range(3):
        observation, info = one_seat.reset(seed=5 if game == 0 else None)
        agents.reset(seed=5 if game == 0 else None)
        ended = False
        while not ended:
            action = int(info["action_mask"].argmax())
            in_vector.append(seen[0].tobytes())
            in_gymnasium.append(observation.tobytes())
            in_pettingzoo.append(agents.last()[0]["observation"].tobytes())
            seen, *_ = vector.step([action])
            observation, _, ended, _, info = one_seat.step(action)
            agents.step(action)
        assert vector.terminated[0]
    assert in_vector == in_gymnasium == in_pettingzoo
