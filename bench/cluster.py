"""Benchmark of cluster overhead on one machine: games a second of `tablee simulate --cluster local` and of `--jobs`, alternating.

    python -m bench.cluster [--game mayflower] [--bots greedy] [--games 20000] [--jobs 2] [--times 3] [--cluster ADDRESS]

`playing` is the rate that the command reports: from the first chunk to the last, including the start of processes; `in all` is the rate of
the whole command.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time


def run(command: list[str]) -> tuple[float, float]:
    """Return the games a second while playing, and of the whole command."""
    began = time.perf_counter()
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found["games_per_second"], found["games"] / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="mayflower")
    parser.add_argument("--bots", default="greedy")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--cluster", default="local")
    chosen = parser.parse_args()
    common = [sys.executable, "-m", "tablee", "simulate", chosen.game, "--bots", chosen.bots, "--games", str(chosen.games), "--json"]
    jobs = ["--jobs", str(chosen.jobs)]
    variants = {"one process": [], " ".join(jobs): jobs, f"--cluster {chosen.cluster}": ["--cluster", chosen.cluster]}
    if chosen.cluster == "local":
        variants["--cluster local"] += jobs
    found: dict[str, list[tuple[float, float]]] = {variant: [] for variant in variants}
    for _ in range(chosen.times):
        for variant, options in variants.items():
            found[variant].append(run([*common, *options]))
    print(f"{chosen.game}, {chosen.bots}, {chosen.games} games, median of {chosen.times}: games a second")
    for variant, speeds in found.items():
        playing, in_all = (statistics.median(each) for each in zip(*speeds, strict=True))
        print(f"{variant:24} playing {playing:8.0f}   in all {in_all:8.0f}")


if __name__ == "__main__":
    main()
