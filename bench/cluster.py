"""What a cluster costs on one machine: games a second of `tablee simulate --cluster local` beside `--jobs`, by turns in one run.

    python -m bench.cluster [--game mayflower] [--bots greedy] [--games 20000] [--jobs 2] [--times 3] [--cluster ADDRESS]

`playing` is what the command itself says: from the first handful to the last, with processes that begin; `in all` is the whole command.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time


def run(command: list[str]) -> tuple[float, float]:
    """Games a second: playing, and in all."""
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
    asked = parser.parse_args()
    common = [sys.executable, "-m", "tablee", "simulate", asked.game, "--bots", asked.bots, "--games", str(asked.games), "--json"]
    jobs = ["--jobs", str(asked.jobs)]
    ways = {"one process": [], " ".join(jobs): jobs, f"--cluster {asked.cluster}": ["--cluster", asked.cluster]}
    if asked.cluster == "local":
        ways["--cluster local"] += jobs
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(asked.times):
        for way, options in ways.items():
            found[way].append(run([*common, *options]))
    print(f"{asked.game}, {asked.bots}, {asked.games} games, median of {asked.times}: games a second")
    for way, speeds in found.items():
        playing, in_all = (statistics.median(each) for each in zip(*speeds, strict=True))
        print(f"{way:24} playing {playing:8.0f}   in all {in_all:8.0f}")


if __name__ == "__main__":
    main()
