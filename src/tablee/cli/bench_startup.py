"""Cost of a room at start-up: compiling on a fresh computer, loading its machine code later, and its lines of Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablee.core.game import Game

PROGRAM = "import sys; from tablee import games; from tablee.bots import warmup; warmup.compile_all(games.find(sys.argv[1]))"


@dataclass(frozen=True)
class ProcessRun:
    """Duration and output of a process."""

    seconds: float
    output: str


def measure(game: Game) -> dict[str, Any]:
    """Return the seconds of a process that compiles a room and of one that loads it, and the room's lines of Python."""
    cold, warm = starts([sys.executable, "-c", PROGRAM, game.key])
    return {
        "cold_compile_seconds": round(cold.seconds, 1),
        "warm_start_seconds": round(warm.seconds, 2),
        "python_lines": lines_of(game.folder),
    }


def starts(command: Sequence[str]) -> tuple[ProcessRun, ProcessRun]:
    """Run the command with an empty cache, and again with the cache that the first run left."""
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as cache:
        return _start(command, cache), _start(command, cache)


def _start(command: Sequence[str], cache: str) -> ProcessRun:
    began = time.perf_counter()
    completed = subprocess.run(command, env={**os.environ, "TABLEE_CACHE": cache}, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return ProcessRun(time.perf_counter() - began, completed.stdout)


def lines_of(folder: Path) -> int:
    """Count the lines of Python in a room, without its drawings and tests."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in folder.glob("*.py"))
