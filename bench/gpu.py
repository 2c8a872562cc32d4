"""Benchmark of the GPU: checks that games equal the CPU's byte for byte, then measures speed.

Whole games for different block sizes, with a thread for each game or persistent threads (`--steps`: vectorised steps with observations and
masks, and whether torch, cupy and jax, where installed, share the arrays without copying).

python bench/gpu.py [GAME...] [--bots random] [--seats N] [--check 512] [--million 16] [--registers N] [--quick] [--steps]
"""

from __future__ import annotations

import argparse
import fcntl
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numba import cuda

from tablee import games
from tablee.arena import Plan
from tablee.core.game import Game
from tablee.cuda.games import GameRunner, batch_on_processor
from tablee.research.vector import Vector

SIZES = (32, 64, 128, 256)  # threads of a block
PERSISTENT_THREADS = (None, 128, 256, 512, 1024)  # on each multiprocessor; None: a thread for each game
TRIES = 3
BATCHES = (4_096, 65_536, 262_144)
STEPS, WARM_UP = 100, 20
SHARED_BY = ("torch", "cupy", "jax")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games.known())
    parser.add_argument("--bots", default="random")
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--check", type=int, default=512, help="games to compare")
    parser.add_argument("--million", type=float, default=16, help="games of a launch")
    parser.add_argument("--registers", type=int, help="the most that a thread may use")
    parser.add_argument("--quick", action="store_true", help="only a thread for each game, 256 in a block")
    parser.add_argument("--steps", action="store_true", help="step games instead of playing them out")
    args = parser.parse_args()
    for key in args.games:
        game = games.find(key)
        seats = args.seats or game.seats[0]
        measured = measure_steps(game, seats) if args.steps else measure_games(game, seats, args)
        for line in measured:
            print(f"{key}, {seats} seats: {line}", flush=True)


def measure_games(game: Game, seats: int, args: argparse.Namespace) -> Iterator[str]:
    names, count = args.bots.split(","), int(args.million * 1e6)
    plan = Plan.of(game, seats, [names[seat % len(names)] for seat in range(seats)], {}, 1)
    began = time.perf_counter()
    same = same_games(plan, range(1, args.check + 1))
    yield f"{args.bots}, {args.check} games the same as on the processor: {same}; compiled and checked in {passed(began)}"
    runner = GameRunner(plan, registers=args.registers)
    runner.play(range(1, 2))
    cuda.synchronize()
    registers, local = (
        next(iter(each().values())) for each in (runner.program.get_regs_per_thread, runner.program.get_local_mem_per_thread)
    )
    yield f"{registers} registers and {local} bytes of its own for a thread"
    shapes = [(size, persistent) for size in SIZES for persistent in PERSISTENT_THREADS if persistent is None or size <= persistent]
    with exclusive_gpu():
        for size, persistent in [(256, None)] if args.quick else shapes:
            runner.threads, runner.blocks = size, persistent and persistent // size * cuda.get_current_device().MULTIPROCESSOR_COUNT
            speed, lines = timed(runner, count)
            threads = f"{persistent} threads each" if persistent else "a thread a game"
            yield f"blocks of {size}, {threads}: {speed / 1e6:.3f} million games/s, {speed * lines / 1e6:.0f} million lines/s"


def same_games(plan: Plan, numbers: range) -> bool:
    """Return whether GPU and CPU agree on scores, winners, lengths and the bytes of the last states."""
    played, batch = GameRunner(plan, keep_states=True).play(numbers), batch_on_processor(plan, numbers)
    pairs = zip((*batch.results(), batch.lines), (played.scores, played.winners, played.lines), strict=True)
    return (
        all(np.array_equal(here, there.copy_to_host()) for here, there in pairs)
        and played.last_states(plan.opened.kernel.state).tobytes() == batch.states.array.tobytes()
    )


def timed(runner: GameRunner, count: int) -> tuple[float, float]:
    """Return the games a second and the mean lines of a game."""
    took = []
    for number in range(TRIES):
        cuda.synchronize()
        began = time.perf_counter()
        played = runner.play(range(1 + number * count, 1 + (number + 1) * count))
        cuda.synchronize()
        took.append(time.perf_counter() - began)
    return count / statistics.median(took), float(played.lines.copy_to_host().mean())


def measure_steps(game: Game, seats: int) -> Iterator[str]:
    began = time.perf_counter()
    same = steps_the_same(game, seats)
    yield f"64 games stepped the same as on the processor: {same}; compiled and checked in {passed(began)}"
    yield f"shared without copying: {', '.join(f'{name} {shared(name, game, seats)}' for name in SHARED_BY)}"
    with exclusive_gpu():
        for batch in BATCHES:
            vector = Vector(game, seats, batch, device="cuda")
            vector.reset(1)
            speed = steps_per_second(vector)
            yield f"{batch} games: {speed / 1e6:.2f} million steps/s with observations, masks and sampled actions"


def steps_the_same(game: Game, seats: int) -> bool:
    here: Any = Vector(game, seats, 64, longest=200)
    there: Any = Vector(game, seats, 64, longest=200, device="cuda")
    here.reset(5)
    there.reset(5)
    for _ in range(300):
        actions = here.sample().copy()
        here.step(actions)
        there.step(actions)
        for name in ("observations", "masks", "rewards", "scores", "terminated", "truncated"):
            if getattr(here, name).tobytes() != getattr(there, name).copy_to_host().tobytes():
                return False
    return bool(here.states.array.tobytes() == there.states.copy_to_host(np.zeros(64, here.states.array.dtype)).tobytes())


def shared(name: str, game: Game, seats: int) -> str:
    """Return whether a library shares the memory of the observations; also step with its actions."""
    try:
        library: Any = import_module(name)
        vector: Any = Vector(game, seats, 64, device="cuda")
        vector.reset(1)
        address = vector.observations.__cuda_array_interface__["data"][0]
        if name == "torch":
            found = library.as_tensor(vector.observations, device="cuda").data_ptr() == address
            vector.step(library.as_tensor(vector.sample(), device="cuda"))
        elif name == "cupy":
            found = library.asarray(vector.observations).data.ptr == address
            vector.step(library.asarray(vector.sample()))
        else:
            through = import_module("cupy").asarray(vector.observations)
            found = library.dlpack.from_dlpack(through).unsafe_buffer_pointer() == address
    except Exception as error:  # the report includes any error of a library
        return f"({type(error).__name__}: {error})"
    return str(found)


def steps_per_second(vector: Any) -> float:
    """Return the steps a second over all games."""
    for number in range(WARM_UP + STEPS):
        if number == WARM_UP:
            cuda.synchronize()
            began = time.perf_counter()
        vector.step(vector.sample())
    cuda.synchronize()
    return float(vector.games * STEPS / (time.perf_counter() - began))


def passed(began: float) -> str:
    return f"{time.perf_counter() - began:.1f} s"


@contextmanager
def exclusive_gpu() -> Iterator[None]:
    """Lock the GPU, so that other processes may compile but not measure meanwhile."""
    with (Path(tempfile.gettempdir()) / "tablee-gpu.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main()
