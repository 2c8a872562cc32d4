"""Training of Mayflower's learned value by rollouts (`training/mayflower_value.py`)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, LocalExecutor
from tablee.core.contract import VALUES
from tablee.core.struct import fill, int_array
from training import mayflower_value


def test_turns_that_are_played_out_are_the_same_by_one_worker_and_by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mayflower_value, "GAMES_PER_CHUNK", 1)
    alone, two = (mayflower_value.positions(2, 1, place, sample_probability=0.02) for place in (LOCAL_EXECUTOR, LocalExecutor(2)))
    assert [position.tobytes() for position in alone] == [position.tobytes() for position in two]
    assert len(alone) > 2


def test_without_weights_the_learned_value_is_the_hand_made_one() -> None:
    worker, learned = mayflower_value.TurnWorker("law"), [*games.find(mayflower_value.GAME).kernel.box.learned_weights]
    kernel, workspace, (by_hand, found) = worker.kernel, worker.kernel.workspace(), (int_array(VALUES), int_array(VALUES))
    differ = 0
    for state, seat in worker.sampled_turns(worker.starts[2].copy(), random.Random(1)):
        kernel.rules.value(kernel.box, state, workspace.scratch, seat, by_hand)
        kernel.rules.search_value(kernel.box, state, workspace.scratch, seat, found)
        assert [*found] == [*by_hand]
        fill(kernel.box.learned_weights, learned)
        kernel.rules.search_value(kernel.box, state, workspace.scratch, seat, found)
        fill(kernel.box.learned_weights, 0)
        differ += [*found] != [*by_hand]
        kernel.rules.apply(kernel.box, state, seat, kernel.legal(state, seat)[0])
    assert differ


def test_inputs_times_weights_are_what_the_learned_value_adds() -> None:
    """The fit relies on this equality."""
    worker, rng = mayflower_value.TurnWorker("law"), random.Random(3)
    state, seat = next(iter(worker.sampled_turns(worker.starts[2].copy(), rng)))
    turn = worker.best_turns(state, seat, rng)[0]
    row = worker.row(state, seat, turn, 0.5)
    assert row is not None
    weights = [
        rng.randrange(-100, 100) * mayflower_value.PERTURBATION // (100 * max(1, int(count))) for count in row[mayflower_value.COUNTS :]
    ]
    fill(worker.kernel.box.learned_weights, weights)
    for move in turn.moves[: turn.steps]:
        state = worker.kernel.apply(state, seat, move)
    added = row[mayflower_value.SLOPE] * sum(weight * count for weight, count in zip(weights, row[mayflower_value.COUNTS :], strict=True))
    assert worker.hand_made_value(state, seat) - row[mayflower_value.HAND_MADE] == pytest.approx(added, rel=0.05)


def test_what_sets_the_turns_of_one_position_apart_is_learned_and_nothing_else() -> None:
    """The first of two inputs shifts all turns of a position alike: it explains who is ahead, not what to play."""
    positions = [np.array([(0.5, 0.5 + 0.1 * ahead + 0.001 * own, 0.01, ahead, 0.001 * own) for own in range(4)]) for ahead in range(9)]
    weights, summary = mayflower_value.learn(positions)
    assert "9 positions, 36 turns" in summary
    assert weights[0] == 0
    assert weights[1] == pytest.approx(100, rel=0.05)
