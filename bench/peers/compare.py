"""Comparison of random games a second with other projects, on this machine; writes docs/peers.md.

python -m venv /tmp/peers && /tmp/peers/bin/pip install -r bench/peers/requirements.txt
python -m bench.peers.compare --peers /tmp/peers/bin/python [--seconds 5]
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tablee.core.files import write_text

PAGE, PLAY = Path("docs/peers.md"), Path(__file__).with_name("play.py")
OURS = (
    ("Rolling Village", "rolling-village", 2, ""),
    ("Amérique 1500, quick", "amerique-1500", 2, "game=quick"),
    ("Amérique 1500, full", "amerique-1500", 2, "game=full"),
    ("Mayflower", "mayflower", 2, ""),
    ("Mayflower", "mayflower", 4, ""),
)
FEW, RECORDED = 500, 50  # games: of the first measurement; of the sample that counts decisions
HEAD = """# How fast Tablée plays, compared with other projects

Random games on one core, all on the same machine within a few minutes. Seconds are CPU time, so that other load matters less. Tablée plays
`tablee simulate --bots random`; the other projects' games are played as their own documentation shows (`bench/peers/play.py`).

Read the table for the order of magnitude only. Games differ in length, so decisions a second say more than games a second; rules differ in
complexity, so neither figure compares like with like.

`python -m bench.peers.compare --peers PYTHON --seconds {seconds:g}` made this page on {date}: {machine}, Python {python}. PYTHON is the
interpreter of an environment with `bench/peers/requirements.txt`.

| project | game | seats | games a second | decisions a second |
|---|---|---|---|---|
"""


def simulated(key: str, seats: int, option: str, count: int, *more: str) -> Any:
    command = [sys.executable, "-m", "tablee", "simulate", key, "--seats", str(seats), "--bots", "random", "--json", *more]
    command += ["--games", str(count), *(("--option", option) if option else ())]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def decisions(key: str, seats: int, option: str) -> float:
    """Return the mean decisions of a game: the lines of its record that are not nature's."""
    with tempfile.TemporaryDirectory() as folder:
        simulated(key, seats, option, RECORDED, "--record", folder)
        logs = [json.loads(file.read_text(encoding="utf-8"))["log"] for file in Path(folder).glob("*.json")]
    return sum(not line.startswith("-") for log in logs for line in log) / len(logs)


def processor_time(key: str, seats: int, option: str, count: int) -> float:
    """Return the CPU seconds of a whole run, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    simulated(key, seats, option, count)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pace_of(key: str, seats: int, option: str, seconds: float) -> float:
    """Return the games a second, from the difference of a long and a short run: start and compilation cancel out."""
    simulated(key, seats, option, FEW)  # compiles, if need be
    start, count = processor_time(key, seats, option, FEW), FEW
    while True:
        count *= 4
        if (more := processor_time(key, seats, option, count) - start) >= seconds:
            return (count - FEW) / more


def ours(seconds: float) -> Iterator[dict[str, Any]]:
    for title, key, seats, option in OURS:
        pace = pace_of(key, seats, option, seconds)
        found = {"project": f"Tablée {version('tablee')}", "game": title, "seats": seats, "games_per_second": pace}
        yield found | {"decisions_per_second": pace * decisions(key, seats, option)}


def theirs(peers: str, seconds: float) -> Iterator[dict[str, Any]]:
    command = [peers, str(PLAY), "--seconds", str(seconds)]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        yield json.loads(line)


def row(found: dict[str, Any]) -> str:
    pace = f"{found['games_per_second']:,.0f}" if found["games_per_second"] >= 10 else f"{found['games_per_second']:.1f}"
    return f"| {found['project']} | {found['game']} | {found['seats']} | {pace} | {found['decisions_per_second']:,.0f} |\n"


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True, help="the Python of the environment that holds the others")
    parser.add_argument("--seconds", type=float, default=5)
    chosen = parser.parse_args()
    rows = [row(found) for found in (*ours(chosen.seconds), *theirs(chosen.peers, chosen.seconds))]
    head = HEAD.format(seconds=chosen.seconds, date=f"{datetime.now(UTC):%Y-%m-%d}", machine=machine(), python=platform.python_version())
    write_text(PAGE, head + "".join(rows))


if __name__ == "__main__":
    main()
