"""Training of the win model (`training/amerique_win_model.py`) and of the learned value (`training/amerique_value.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tablee import bots, games
from tablee.arena import LocalExecutor
from tablee.core import fairness
from tablee.core.contract import SHARE, VALUES, WHOLE_SHARE
from tablee.core.match import Match
from tablee.core.struct import int_array
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import INPUTS, SOONEST, VALUE_UNITS, WIN_UNITS
from training import amerique_value, amerique_win_model
from training.fitting import RankingFit, WinModelFit, predict

MANY = 60_000  # rows, so that the optimiser takes enough steps
NOTHING = np.zeros((2, INPUTS, VALUE_UNITS), np.int32)
NO_WIN_MODEL = np.zeros((4, INPUTS, WIN_UNITS), np.int32)


def as_bytes(found: Iterable[tuple[str, tuple[np.ndarray, ...]]]) -> list[tuple[str, bytes]]:
    return [(side, b"".join(column.tobytes() for column in columns)) for side, columns in found]


def shipped_learned_value() -> np.ndarray:
    box: Any = games.find(amerique_win_model.GAME).kernel.box
    weights: np.ndarray = box.learned_weights.array.copy()
    return weights


def mid_game_state(side: str) -> Any:
    """Return a position in the middle of a greedy game."""
    match = Match(games.find(amerique_win_model.GAME), 2, {"game": side}, fairness.seed_for(7, 1))
    next(islice(bots.decisions(match, [bots.GREEDY] * 2), 30, None))
    return match.state


def test_positions_are_the_same_by_one_worker_and_by_two() -> None:
    alone, two = (
        as_bytes(amerique_win_model.positions(shipped_learned_value(), 2, 1, where, chunk_size=1))
        for where in (LocalExecutor(1), LocalExecutor(2))
    )
    assert [side for side, _ in alone] == ["quick", "full"]
    assert alone == two


def test_games_are_played_by_the_learned_value_that_is_given() -> None:
    by_hand, learned = (amerique_win_model.SelfPlayWorker(weights, 1, 3) for weights in (NOTHING, shipped_learned_value()))
    assert as_bytes([by_hand.play(0)]) != as_bytes([learned.play(0)])
    assert as_bytes([learned.play(0)]) == as_bytes([amerique_win_model.SelfPlayWorker(shipped_learned_value(), 1, 3).play(0)])


def test_moves_that_are_played_out_are_the_same_by_one_worker_and_by_two() -> None:
    alone, two = (
        as_bytes(amerique_value.positions(NOTHING, NO_WIN_MODEL, 2, 1, where, chunk_size=1))
        for where in (LocalExecutor(1), LocalExecutor(2))
    )
    assert [side for side, _ in alone] == ["quick", "full"]
    assert alone == two


def test_playouts_are_evaluated_by_the_win_model_that_is_given() -> None:
    weights = np.random.default_rng(1).integers(-MILLION, MILLION, NO_WIN_MODEL.shape).astype(np.int32)
    without, by_weights = (amerique_value.MoveWorker(NOTHING, each, 1, 1) for each in (NO_WIN_MODEL, weights))
    assert as_bytes([without.play(0)]) != as_bytes([by_weights.play(0)])


def test_the_win_model_learns_the_odds_from_one_count() -> None:
    rng, groups = np.random.default_rng(1), []
    for seats in (2, 3):
        known = np.ones((MANY, seats, 2))
        known[:, :, 1] = rng.integers(0, 9, (MANY, seats))
        odds = 2.0 ** known[:, :, 1]
        groups.append((known.astype(np.int16), rng.multinomial(1, odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)))
    chances = WinModelFit(groups, 3, 1)
    for weights in chances.fit():
        standing = predict(weights, np.array([(1.0, count) for count in range(9)]))
        assert np.polyfit(range(9), standing, 1)[0] == pytest.approx(1, abs=0.1), "one more is twice as likely to win"
    assert chances.validation_error() < 0.15


def test_what_sets_the_moves_of_one_position_apart_is_learned_and_nothing_else() -> None:
    """The second input shifts all moves of a position alike: it explains who is ahead, not what to play."""
    rng, counted, known = np.random.default_rng(1), np.ones((MANY, 3, 3)), np.zeros((MANY, 3, 3))
    counted[:, :, 1], counted[:, :, 2] = rng.integers(0, 5, (MANY, 3)), rng.integers(0, 5, (MANY, 1))
    known[:, :, 0], known[:, :, 1] = 0.4, 0.1
    known[:, :, 2] = 0.1 + 0.02 * counted[:, :, 1] + 0.1 * counted[:, :, 2] + 0.05 * rng.standard_normal((MANY, 3))
    differences = RankingFit([(counted.astype(np.int16), known.astype(np.float32), np.ones((MANY, 3), bool))], 3, 1)
    weights = differences.fit()
    by_first, by_second = (predict(weights, 1.0 * np.array([(1, a, b) for a, b in some])) for some in ([(1, 2), (3, 2)], [(2, 1), (2, 3)]))
    assert np.diff(by_first) == pytest.approx(0.4, abs=0.08), "a fifth of a turn for each"
    assert np.diff(by_second) == pytest.approx(0, abs=0.08)
    assert f"{MANY} positions" in differences.validation_gain()


def test_the_integer_win_model_equals_the_fitted_one() -> None:
    worker, state, out = amerique_win_model.SelfPlayWorker(shipped_learned_value(), 1, 30), mid_game_state("quick"), int_array(VALUES)
    box: Any = worker.kernel.box
    found = [worker.play(0)]
    weights, summary = amerique_win_model.learn(found, "quick", 1)
    assert summary.startswith(f"{len(found[0][1][0])} positions")
    box.win_weights.array[: 2 * INPUTS] = weights.reshape(-1, WIN_UNITS)
    worker.kernel.rules.leaf_value(box, state, worker.workspace.scratch, 0, out)
    mine, others = np.array(worker.inputs(state, 0), float)
    own_weights, others_weights = weights[1] / MILLION, weights[0] / MILLION
    lead = predict(own_weights, mine[None])[0] - predict(others_weights, others[None])[0]
    assert out[SHARE] / WHOLE_SHARE == pytest.approx(1 / (1 + 2**-lead), abs=0.001)


def test_weights_times_inputs_are_the_turns_the_learned_value_saves() -> None:
    """The fit relies on this equality."""
    weights = np.random.default_rng(1).integers(-5, 5, (2, INPUTS, VALUE_UNITS)).astype(np.int32)
    plain, by_weights = (amerique_value.MoveWorker(each, NO_WIN_MODEL, 1, 1) for each in (NOTHING, weights))
    state, after = mid_game_state("full"), int_array(VALUES)
    before, slope = (plain.hand_made_value(state, 0, more) for more in (0, amerique_value.PERTURBATION))
    by_weights.kernel.rules.search_value(by_weights.kernel.box, state, by_weights.workspace.scratch, 0, after)
    scratch: Any = by_weights.workspace.scratch
    counted = np.array(list(scratch.inputs), float)
    assert counted[SOONEST] > 0
    sooner = predict(weights[1] / MILLION, counted[None])[0]
    assert before is not None
    assert slope is not None
    assert after[SHARE] / WHOLE_SHARE - before == pytest.approx(sooner * (slope - before) * MILLION / amerique_value.PERTURBATION, rel=0.1)
