"""`training/mcts.py`: the worked tree search finds what is best, counts its simulations, and learns no secret."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tablee.research.vector import Vector
from training import mcts


def last_decision(vector: Vector) -> Any:
    """Play at random up to the last decision of a game whose results differ; return the result of every legal action."""
    for seed in range(50):
        vector.reset([seed])
        while True:
            legal = np.flatnonzero(vector.masks[0])
            ends = vector.fork(0, len(legal))
            _, rewards, terminated, _, _ = ends.step(legal)
            if terminated.all():
                break
            vector.step([vector.sample()[0]])
        if np.ptp(rewards[:, 0]) > 0:
            return dict(zip(legal.tolist(), rewards[:, 0].tolist(), strict=True))
    raise AssertionError("no game ends in a choice")


def test_the_last_move_of_a_village_is_the_best_one() -> None:
    vector = Vector("rolling-village", 1)
    results = last_decision(vector)
    root = mcts.search(vector, 0, rounds=4, seed=1)
    assert root.visits.sum() == 4 * 64
    assert results[int(root.visits.argmax())] == max(results.values())
    means = {action: root.sums[action] / root.visits[action] for action in results}
    assert means == pytest.approx(results), "after the last move nothing is drawn"


@pytest.mark.parametrize("key", ["mayflower", "amerique-1500"])
def test_every_seat_of_a_game_can_search(key: str) -> None:
    vector = Vector(key, 2)
    vector.reset(seed=3)
    seats = set()
    for _ in range(40):
        seats.add(int(vector.infos["seat"][0]))
        vector.step([vector.sample()[0]])
    before = [array.tobytes() for array in vector.save()]
    root = mcts.search(vector, 0, rounds=1, seed=2)
    assert [array.tobytes() for array in vector.save()] == before, "a search changes nothing"
    assert root.visits.sum() == 64
    assert not root.visits[vector.masks[0] == 0].any()
    assert abs(root.sums).max() <= 64, "each simulation wins or loses once"
    assert seats == {0, 1}
