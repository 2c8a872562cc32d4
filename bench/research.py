"""How fast learners are served: vectorised steps a second, with the observation and the mask of the seat that is asked written in every
step; and one game through PettingZoo beside PettingZoo's own connect four.

python -m bench.research [seconds]      random legal actions; drawing them is not counted; best of three
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from tablee.research.pettingzoo import seats
from tablee.research.vector import Vector

BATCHES = (1, 64, 1024, 4096)
TABLES = (("rolling-village", 1), ("rolling-village", 2), ("mayflower", 2), ("amerique-1500", 2))
TIMES = 3


def steps_per_second(key: str, table: int, batch: int, threads: int, seconds: float) -> float:
    vector = Vector(key, table, batch, threads=threads)
    vector.reset(1)
    for _ in range(300 if batch > 1 else 1000):  # so that games are at every stage
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


def agents_per_second(environment: Any, seconds: float) -> float:
    """Steps of agents, each with `last()`; drawing the actions is not counted."""
    rng, steps, spent = np.random.default_rng(1), 0, 0.0
    while spent < seconds:
        environment.reset(seed=steps)
        while environment.agents:
            begin = time.perf_counter()
            observation, _, terminated, truncated, _ = environment.last()
            spent += time.perf_counter() - begin
            action = None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))
            begin = time.perf_counter()
            environment.step(action)
            spent += time.perf_counter() - begin
            steps += 1
    return steps / spent


def main(seconds: float) -> None:
    for key, table in TABLES:
        for batch in BATCHES:
            found = [steps_per_second(key, table, batch, threads, seconds) for threads in (1, 2)]
            print(f"{key:16} {table} seats  {batch:5} games  one core {found[0]:12,.0f}  two {found[1]:12,.0f} steps/s", flush=True)
    for key, table in TABLES[1:]:
        print(
            f"{key:16} {table} seats  PettingZoo  {agents_per_second(seats.raw_env(key, seats=table), seconds):12,.0f} steps/s", flush=True
        )
    try:
        from pettingzoo.classic.connect_four import connect_four  # noqa: PLC0415  only where its own extra is there
    except ImportError as error:
        print(f"PettingZoo's connect four is not there: {error}")
        return
    print(f"connect four     2 seats  PettingZoo  {agents_per_second(connect_four.raw_env(), seconds):12,.0f} steps/s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
