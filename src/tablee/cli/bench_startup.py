"""How long a room keeps a fresh computer busy, how soon a later process has its machine code, and how much Python it is written in."""

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
    """A process from its first breath to its last."""

    seconds: float
    output: str


def measure(game: Game) -> dict[str, Any]:
    """Seconds from a process's start to its end, one game included."""
    cold, warm = starts([sys.executable, "-c", PROGRAM, game.key])
    return {
        "cold_compile_seconds": round(cold.seconds, 1),
        "warm_start_seconds": round(warm.seconds, 2),
        "python_lines": lines_of(game.folder),
    }


def starts(command: Sequence[str]) -> tuple[ProcessRun, ProcessRun]:
    """The same process with an empty cache, and with what it left there."""
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as cache:
        return _start(command, cache), _start(command, cache)


def _start(command: Sequence[str], cache: str) -> ProcessRun:
    began = time.perf_counter()
    said = subprocess.run(command, env={**os.environ, "TABLEE_CACHE": cache}, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return ProcessRun(time.perf_counter() - began, said.stdout)


def lines_of(folder: Path) -> int:
    """Without its drawings and its tests."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in folder.glob("*.py"))
