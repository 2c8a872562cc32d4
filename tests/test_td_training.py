"""`training/td.py`: the trainer on afterstates learns, its λ-returns are right, and its weights can be saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tablee.research.vector import Vector
from training import td


def test_a_second_of_training_beats_what_was_there_before() -> None:
    untrained = td.Net(2 * Vector("rolling-village", 1, candidates=1).spaces.feature_size, 1)
    untrained.parts[2][:] = 0  # the present points alone decide
    trained = td.train("rolling-village", 2.0, seed=1, say=lambda *_, **__: None)
    before, after = (td.play(net, "rolling-village", 64, seed=9)[0].mean() for net in (untrained, trained))
    assert after > before + 5


def test_weights_are_saved_and_play_alike(tmp_path: Path) -> None:
    net = td.Net(2 * Vector("rolling-village", 1, candidates=1).spaces.feature_size, 3)
    net.save(str(tmp_path / "net.npz"))
    again = td.Net.load(str(tmp_path / "net.npz"))
    one, other = (td.play(each, "rolling-village", 8, seed=2)[0] for each in (net, again))
    assert (one == other).all()


def test_returns_mix_the_next_value_of_the_same_seat_and_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game: seat 0, seat 1, seat 0, and then the end, where seat 0 has won by 1."""
    monkeypatch.setattr(td, "GAMES", 1)
    agent = td.Agent(td.Net(2, 0), "mayflower")
    chosen = [td.Choice(np.array([0]), np.array([[float(step), 0.0]]), np.array([value])) for step, value in enumerate((0.5, -0.5, 0.25))]
    seen, ends = [np.array([seat]) for seat in (0, 1, 0)], [np.array([over]) for over in (False, False, True)]
    results = [np.array([[1.0, -1.0]], np.float32)] * 3
    inputs, values, targets = td.lambda_returns(chosen, seen, ends, results, agent)
    assert inputs[:, 0].tolist() == [2.0, 1.0, 0.0]
    assert values.tolist() == [0.25, -0.5, 0.5]
    assert targets.tolist() == pytest.approx([1.0, -1.0, (1 - td.LAMBDA) * 0.25 + td.LAMBDA * 1.0])


def test_a_lead_is_over_the_best_other_seat() -> None:
    assert td.leads(np.array([[5.0, 2.0, 4.0]])).tolist() == [[1.0, -3.0, -1.0]]
    assert td.leads(np.array([[7.0]])).tolist() == [[7.0]]
