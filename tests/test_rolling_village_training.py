"""Training of Rolling Village's learned value: the weights do not depend on the number of workers, nor on their device."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tablee import games
from tablee.arena import LocalExecutor
from tablee.core.contract import POINTS, VALUES
from tablee.core.struct import int_array
from tablee.games.rolling_village.box import CELLS, COUNT_INPUTS, FOREST, HOUSE, INPUTS, LAKE, PARK
from tablee.games.rolling_village.learned_value import Scratch
from tablee.games.rolling_village.state import State
from training import rolling_village_learner
from training.fitting import fit, predict
from training.rolling_village_learner import Learner, SheetWorker, mirror, training_rows

ROOT = Path(__file__).parent.parent


def test_one_worker_and_two_learn_the_same_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rolling_village_learner, "CHUNK_SIZE", 5)
    alone, two = Learner(1), Learner(1, LocalExecutor(2))
    sheets = alone.sheets(10, 0)
    assert two.sheets(10, 0) == sheets
    for learner in (alone, two):
        learner.learn(sheets[1], 1)
    assert (two.weights == alone.weights).all()
    assert alone.sheets(10, 1) != sheets, "the next time other games are played"
    in_force = games.find("rolling-village").kernel.box.learned_weights.array[INPUTS : 2 * INPUTS]
    assert (in_force != alone.weights[1]).any(), "bots go on by the weights that they had"


def test_a_sheet_stands_where_its_rounds_to_come_say() -> None:
    learner = Learner(1)
    sheets = learner.sheets(2, 0)
    found = [{learner.rounds - State.from_bytes(sheet).turn for sheet in some} for some in sheets]
    assert found == [{left} for left in range(learner.rounds + 1)]


def test_a_mirrored_sheet_with_lakes_for_houses_has_the_same_value() -> None:
    learner = Learner(1)
    worker = SheetWorker(learner.weights, "")
    sheets = learner.sheets(2, 0)[8]
    known, values = worker.label(sheets)
    turned, mirrored_values = worker.label([upside_down(sheet) for sheet in sheets])
    assert (turned == known[:, mirror()]).all()
    assert (turned != known).any()
    assert mirrored_values == pytest.approx(values)


def upside_down(sheet: bytes) -> bytes:
    state = State.from_bytes(sheet)
    turned = state.copy()
    for kind, other in zip((HOUSE, FOREST, LAKE, PARK), (LAKE, FOREST, HOUSE, PARK), strict=True):
        turned.marks[0, kind] = int(f"{state.marks[0, other]:0{CELLS}b}"[::-1], 2)
    return turned.tobytes()


def test_the_integer_network_equals_the_fitted_one() -> None:
    learner = Learner(1)
    sheets = learner.sheets(20, 0)[5]
    known, values = SheetWorker(learner.weights, "").label(sheets)
    learner.learn(sheets, 5)
    kernel, out, inside = SheetWorker(learner.weights, "").kernel, int_array(VALUES), []
    for sheet in sheets:
        kernel.rules.search_value(kernel.box, State.from_bytes(sheet), Scratch(), 0, out)
        inside.append(out[POINTS])
    weights, _ = fit(np.vstack([known, known[:, mirror()]]), np.tile(values, 2), learner.weights.shape[2], 1)
    assert training_rows(sheets, known[:, :COUNT_INPUTS], inside)[1] == pytest.approx(predict(weights, known.astype(float)), abs=0.01)


def test_a_gpu_judges_sheets_as_a_processor_does() -> None:
    program = (
        "import json; import numpy as np; from training.rolling_village_learner import Learner, SheetWorker; "
        "from tablee.games.rolling_village.loading import WEIGHTS_FILE; learner = Learner(1, gpu=True); "
        "learner.weights[1:] = json.loads(WEIGHTS_FILE.read_text())['weights']; "
        "sheets = learner.sheets(1, 0)[2]; here, there = SheetWorker(learner.weights, '').label(sheets), learner._on_gpu(sheets); "
        "print(all(np.array_equal(*both) for both in zip(here, there, strict=True)), len(sheets))"
    )
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    output = subprocess.run([sys.executable, "-c", program], env=simulated, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert output.split() == ["True", "3"]
