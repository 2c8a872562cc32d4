"""Games in Numba's GPU simulator, which runs the same kernels and needs no GPU.

`bench/gpu.py` measures a real GPU, after checking that the games are the same there.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablee import bots, games
from tablee.arena import Plan
from tablee.cli import main
from tablee.core.rng import Rng, derive_key
from tablee.cuda.games import batch_on_processor
from tests.rounds import rounds

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
COUNT = 3


def ends_on_a_gpu(plans: list[Plan]) -> Any:
    program = [sys.executable, str(Path(__file__).parent / "simulated_gpu.py"), str(COUNT)]
    text = "\n".join(plan.dump() for plan in plans)
    return json.loads(subprocess.run(program, input=text, env=SIMULATED, stdout=subprocess.PIPE, text=True, check=True).stdout)


def ends_here(plan: Plan) -> Any:
    batch = batch_on_processor(plan, range(1, 1 + COUNT))
    states = [hashlib.sha256(state.tobytes()).hexdigest() for state in batch.states.array]
    return [*(np.asarray(each).tolist() for each in (*batch.results(), batch.lines)), states]


@pytest.mark.parametrize("key", games.known())
def test_the_same_seeds_give_the_same_games_as_on_the_processor_byte_for_byte(key: str) -> None:
    """Random games and games of all levels, at the smallest table and at a larger one."""
    game = games.find(key)
    plans = [
        Plan.of(game, seats, [names[seat % len(names)] for seat in range(seats)], {}, seed)
        for seed, seats in ((7, game.seats[0]), (10**18, game.seats[0] + 1))
        for names in (["random"], list(bots.KERNEL_LEVELS))
    ][:: rounds(few=3, many=1)]
    assert ends_on_a_gpu(plans) == [ends_here(plan) for plan in plans]


def test_no_two_games_of_a_plan_draw_the_same() -> None:
    """A GPU plays more than 2³² games in a quarter of a minute."""
    keys, rng = set(), Rng()
    for number in (1, 2, 1 << 32, (1 << 32) + 1, (1 << 33) + 1, (1 << 62) + 1):
        derive_key(rng, 5, 6, number)
        keys.add((rng.key_one, rng.key_two))
    assert len(keys) == 6


def simulate(*arguments: str, env: Any = None) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "tablee", "simulate", "rolling-village", "--games", "3", "--json", *arguments]
    return subprocess.run(program, env=env or os.environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("plain", ["0", "1"])
def test_simulate_plays_there_too(plain: str) -> None:
    figures = json.loads(simulate("--bots", "random", "--device", "cuda", env=SIMULATED | {"TABLEE_PLAIN": plain}).stdout)
    plan = Plan.of(games.find("rolling-village"), figures["seats"], figures["bots"], figures["options"], figures["seed"])
    scores, _ = batch_on_processor(plan, range(1, 4)).results()
    assert figures["games"] == 3
    assert figures["mean_scores"] == pytest.approx(scores.mean(axis=0).tolist(), abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bots", "medium"], "on a GPU only these bots play: random, easy, greedy"),
        (["--record", "records"], "on a GPU there are no records, no jobs and no cluster"),
        (["--cluster", "local"], "on a GPU there are no records, no jobs and no cluster"),
        (["--jobs", "2"], "on a GPU there are no records, no jobs and no cluster"),
    ],
)
def test_what_a_gpu_cannot_do_is_said_in_one_line(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    completed = simulate("--device", "cuda", "--lang", "en", *arguments, env=SIMULATED)
    assert (completed.returncode, completed.stdout, completed.stderr) == (2, "", f"tablee: {sentence}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_gpu_that_may_not_compile_says_so() -> None:
    completed = simulate("--device", "cuda", "--lang", "en", env=os.environ | {"TABLEE_PLAIN": "1"})
    assert (completed.returncode, completed.stdout) == (2, "")
    assert completed.stderr == "tablee: a GPU needs compiled rules, and TABLEE_PLAIN forbids them\n"


def test_without_numba_cuda_or_without_a_gpu_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "rolling-village", "--device", "cuda", "--games", "1", "--lang", "en"]
    if not Path("/proc/driver/nvidia").exists():
        assert main(command) == 2
        assert capsys.readouterr().err == "tablee: there is no GPU here that CUDA can use\n"
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    assert main(command) == 2
    assert capsys.readouterr().err == "tablee: a GPU needs numba-cuda: pip install 'tablee[cuda]'\n"
