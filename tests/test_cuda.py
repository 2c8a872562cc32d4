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
from tablee.arena.plan_runner import PlanRunner
from tablee.cli import main
from tablee.core.errors import TableeError
from tablee.cuda import hashing, seeds
from tests.rounds import rounds

SIMULATED = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore::RuntimeWarning"}  # there SHA's sums warn of overflow
COUNT = 3


def ends_on_a_gpu(plans: list[Plan]) -> Any:
    program = [sys.executable, str(Path(__file__).parent / "simulated_gpu.py"), str(COUNT)]
    text = "\n".join(plan.dump() for plan in plans)
    return json.loads(subprocess.run(program, input=text, env=SIMULATED, stdout=subprocess.PIPE, text=True, check=True).stdout)


def ends_here(plan: Plan) -> Any:
    batch = PlanRunner(plan).batch(range(1, 1 + COUNT))
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


@pytest.mark.parametrize("length", [0, 7, 36, 44, 55])
def test_a_thread_hashes_as_everybody_does(length: int) -> None:
    text = bytes(range(length))
    for hashed, by, word, block in ((hashing.sha256, hashlib.sha256, "u4", 64), (hashing.sha512, hashlib.sha512, "u8", 128)):
        padded = (text + b"\x80").ljust(block - 8, b"\0") + (8 * length).to_bytes(8)
        words, out = np.frombuffer(padded, f">{word}").astype(word), np.zeros(8, word)
        with np.errstate(over="ignore"):
            hashed(words, out)
        assert out.astype(f">{word}").tobytes() == by(text).digest()


def test_a_seed_that_is_too_long_for_one_block_is_refused_in_a_sentence() -> None:
    seeds.seed_message(10**27)
    with pytest.raises(TableeError, match="a seed has at most 28 digits on a GPU"):
        seeds.seed_message(10**28)


def simulate(*arguments: str, env: Any = None) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "tablee", "simulate", "rolling-village", "--games", "3", "--json", *arguments]
    return subprocess.run(program, env=env or os.environ, capture_output=True, text=True, check=False)


def test_simulate_plays_there_too() -> None:
    here, there = simulate("--bots", "random"), simulate("--bots", "random", "--device", "cuda", env=SIMULATED)
    found, expected = json.loads(there.stdout), json.loads(here.stdout)
    for figures in (found, expected):
        del figures["seconds"], figures["games_per_second"]
    assert found == expected


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


def test_without_numba_cuda_or_without_a_gpu_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "rolling-village", "--device", "cuda", "--games", "1", "--lang", "en"]
    if not Path("/proc/driver/nvidia").exists():
        assert main(command) == 2
        assert capsys.readouterr().err == "tablee: there is no GPU here that CUDA can use\n"
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    assert main(command) == 2
    assert capsys.readouterr().err == "tablee: a GPU needs numba-cuda: pip install 'tablee[cuda]'\n"
