"""Benchmark of the environments: vectorised steps a second with observations and masks, and PettingZoo steps of one game.

PettingZoo's own connect four is measured for comparison.

python -m bench.research [SECONDS]      random legal actions; sampling them is not timed; the best of several runs
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from tablee.research.pettingzoo import aec_env
from tablee.research.vector import Vector

BATCHES = (1, 64, 1024, 4096)
TABLES = (("rolling-village", 1), ("rolling-village", 2), ("mayflower", 2), ("amerique-1500", 2))
TIMES = 3
TURNS = 6


def steps_per_second(key: str, seats: int, batch: int, threads: int, seconds: float) -> float:
    vector = Vector(key, seats, batch, threads=threads)
    vector.reset(1)
    for _ in range(300 if batch > 1 else 1000):  # brings the games to different stages
        vector.step(vector.sample())
    return max(_measured(vector, seconds / TIMES) for _ in range(TIMES))


def _measured(vector: Vector, seconds: float) -> float:
    steps, spent = 0, 0.0
    while spent < seconds:
        actions = vector.sample()
        begin = time.perf_counter()
        vector.step(actions)
        spent += time.perf_counter() - begin
        steps += vector.games
    return steps / spent


def agents_per_second(environments: Mapping[str, Any], seconds: float) -> dict[str, float]:
    """Return agent steps (each with `last()`) per CPU second, the best of several alternating runs; sampling is not timed."""
    found = dict.fromkeys(environments, 0.0)
    for _ in range(TURNS):
        for name, environment in environments.items():
            found[name] = max(found[name], _steps_of_agents(environment, seconds / TURNS))
    return found


def _steps_of_agents(environment: Any, seconds: float) -> float:
    rng, steps, spent = np.random.default_rng(1), 0, 0.0
    while spent < seconds:
        environment.reset(seed=steps)
        while environment.agents:
            begin = time.process_time()
            observation, _, terminated, truncated, _ = environment.last()
            spent += time.process_time() - begin
            action = None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))
            begin = time.process_time()
            environment.step(action)
            spent += time.process_time() - begin
            steps += 1
    return steps / spent


def all_agents() -> dict[str, Any]:
    """Return Tablée's environments, and PettingZoo's connect four if its extra is installed."""
    found: dict[str, Any] = {key: aec_env.raw_env(key, seats=seats) for key, seats in TABLES[1:]}
    try:
        from pettingzoo.classic.connect_four import connect_four  # noqa: PLC0415
    except ImportError as error:
        print(f"PettingZoo's connect four is not there: {error}")
        return found
    return found | {"connect four": connect_four.raw_env()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float, nargs="?", default=3.0, metavar="SECONDS", help="for each figure")
    seconds = parser.parse_args().seconds
    for key, seats in TABLES:
        for batch in BATCHES:
            found = [steps_per_second(key, seats, batch, threads, seconds) for threads in (1, 2)]
            print(f"{key:16} {seats} seats  {batch:5} games  one core {found[0]:12,.0f}  two {found[1]:12,.0f} steps/s", flush=True)
    for name, speed in agents_per_second(all_agents(), seconds).items():
        print(f"{name:16} 2 seats  PettingZoo  {speed:12,.0f} steps/s", flush=True)


if __name__ == "__main__":
    main()
