"""Opponents that play between the steps of a `Vector`: policies for many games at once, and any bot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tablee.core.errors import TableeError
from tablee.research.opponents import Policy, bot_policy, mixture
from tablee.research.vector import Vector

GAMES = 6


def last_legal(vector: Vector, rows: Any) -> Any:
    return np.array([np.flatnonzero(mask)[-1] for mask in vector.masks[rows]])


@pytest.mark.parametrize("key", ["rolling-village", "mayflower"])
def test_a_policy_plays_the_seat_as_its_actions_would(key: str) -> None:
    """Both seats are stepped by hand in one batch; in the other a policy plays the second seat."""
    by_hand, played = Vector(key, 2, GAMES, reward="points"), Vector(key, 2, GAMES, reward="points", opponents=[None, last_legal])
    by_hand.reset(3)
    played.reset(3)
    total = np.zeros((GAMES, 2))
    for _ in range(40):
        actions = last_legal(played, np.arange(GAMES))
        while (by_hand.infos["seat"] == 1).any():
            rows = np.flatnonzero(by_hand.infos["seat"] == 1)
            by_hand.step_some(rows, last_legal(by_hand, rows))
            total[rows] += by_hand.rewards[rows]
        assert not total.any(), "the rewards of the policy's steps are added to the learner's"
        assert by_hand.observations.tobytes() == played.observations.tobytes()
        _, rewards, _, _, _ = played.step(actions)
        total -= rewards
        by_hand.step(actions)
        total += by_hand.rewards
    assert played.infos["seat"].tolist() == [0] * GAMES


def test_a_policy_that_ends_the_game_ends_it_for_the_learner() -> None:
    vector = Vector("rolling-village", 2, GAMES, opponents=[None, last_legal], reward="win")
    vector.reset(1)
    ended, rewards = np.zeros(GAMES, bool), np.zeros((GAMES, 2))
    while not ended.all():
        _, reward, terminated, _, _ = vector.step(vector.sample())
        rewards[~ended] += reward[~ended]
        ended |= terminated
    assert (rewards.sum(1) == 0).all()
    assert (np.abs(rewards[:, 0]) == np.abs(rewards[:, 1])).all()


@pytest.mark.parametrize("candidates", [0, 64])
def test_bots_that_the_kernel_does_not_know_play_too(candidates: int) -> None:
    vector = Vector("mayflower", 2, 2, opponents=[None, "search:nodes=2"], candidates=candidates)
    vector.reset(1)
    for _ in range(12):
        vector.step(vector.sample())
        assert vector.infos["seat"].tolist() == [0, 0]
    assert vector.states[0].tiles > 12, "both have laid tiles"


def test_in_a_mixture_each_plays_its_part_of_the_games() -> None:
    asked: list[tuple[str, list[int]]] = []

    def named(name: str) -> Policy:
        def play(vector: Vector, rows: Any) -> Any:
            asked.append((name, rows.tolist()))
            return last_legal(vector, rows)

        return play

    vector = Vector("rolling-village", 2, GAMES, opponents=[None, mixture(named("one"), named("other"))])
    vector.reset(2)
    for _ in range(6):
        vector.step(vector.sample())
    assert {row for name, rows in asked if name == "one" for row in rows} == {0, 2, 4}
    assert {row for name, rows in asked if name == "other" for row in rows} == {1, 3, 5}


def test_what_a_policy_must_not_do_is_said_in_a_sentence() -> None:
    vector = Vector("rolling-village", 2, GAMES, opponents=[None, lambda _, __: [0]])
    with pytest.raises(TableeError, match="an action for each of its games: 6, not 1"):
        stepped_until_asked(vector)
    vector = Vector("rolling-village", 2, GAMES, opponents=[None, lambda _, rows: np.full(len(rows), -1)])
    with pytest.raises(TableeError, match="action -1 is not legal in game 0"):
        stepped_until_asked(vector)
    with pytest.raises(TableeError, match="at least one seat must learn"):
        Vector("rolling-village", 1, opponents=[last_legal])
    with pytest.raises(TableeError, match="there is no bot 'expert'"):
        bot_policy("expert")


def stepped_until_asked(vector: Vector) -> None:
    vector.reset(1)
    for _ in range(20):
        vector.step(vector.sample())
