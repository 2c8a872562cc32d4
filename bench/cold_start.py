"""Benchmark of a cold start: seconds to compile all rules of a room, seconds to load them from disk, and CPU seconds by compiler phase.

python -m bench.cold_start [ROOM ...]      each figure from a fresh process, with an empty cache of its own; CPU seconds in brackets
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba.core import codegen, event

from tablee import games
from tablee.bots import warmup
from tablee.cli import bench_startup
from tablee.core import compiler

IN_PROCESS = "--here"
REST = "rest"  # imports of Python, Numba and the room, and the warm-up game
PARTS = ("reading", "typing", "lowering", "linking", "optimising", "machine code", "saving", REST)
PASSES = {"nopython_type_inference": "typing", "native_lowering": "lowering", "deferred_lowering": "lowering"}
INSIDE: list[tuple[Any, str, str]] = [
    (codegen.CPUCodeLibrary, "finalize", "linking"),
    (codegen.CPUCodeLibrary, "_optimize_functions", "optimising"),
    (codegen.CPUCodeLibrary, "_optimize_final_module", "optimising"),
    (codegen.CPUCodeLibrary, "_finalize_final_module", "machine code"),
    (compiler.DiskCache, "save_overload", "saving"),
]


class PhaseTimer(event.Listener):  # type: ignore[misc]  # Numba has no types
    """CPU seconds by compiler phase; a nested phase pauses the outer one, because a rule is compiled while its caller is typed."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.open, self.since = [REST], time.process_time()

    def begin(self, part: str) -> None:
        self._count()
        self.open.append(part)

    def end(self) -> None:
        self._count()
        self.open.pop()

    def _count(self) -> None:
        now = time.process_time()
        self.seconds[self.open[-1]] += now - self.since
        self.since = now

    def on_start(self, event: Any) -> None:
        self.begin(PASSES.get(event.data["name"].partition(" ")[0], "reading"))

    def on_end(self, event: Any) -> None:  # noqa: ARG002  Numba's signature
        self.end()

    def timed(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            self.begin(part)
            try:
                return function(*args)
            finally:
                self.end()

        return call


@contextmanager
def phase_timer() -> Iterator[PhaseTimer]:
    timer = PhaseTimer()
    for owner, name, part in INSIDE:
        setattr(owner, name, timer.timed(getattr(owner, name), part))
    with event.install_listener("numba:run_pass", timer):
        yield timer


def use_every_rule(key: str) -> dict[str, Any]:
    with phase_timer() as parts, event.install_recorder("numba:compile") as recorder:
        warmup.compile_all(games.find(key))
    compiled = [each.data["dispatcher"].py_func.__qualname__ for _, each in recorder.buffer if each.is_start]
    return {"cpu": time.process_time(), "compiled": compiled, "parts": parts.seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", choices=games.known(), default=games.known(), metavar="ROOM")
    parser.add_argument(IN_PROCESS, metavar="ROOM", help="measure in this process only")
    chosen = parser.parse_args()
    if chosen.here:
        print(json.dumps(use_every_rule(chosen.here)))
    else:
        compare(chosen.rooms)


def compare(rooms: Sequence[str]) -> None:
    """Print the cold and the warm start of each room."""
    print(f"{'room':16} {'cold':>16} {'functions':>10} {'specialisations':>16} {'warm':>16}  " + " ".join(f"{part:>12}" for part in PARTS))
    for key in rooms:
        cold, warm = bench_startup.starts([sys.executable, "-m", "bench.cold_start", IN_PROCESS, key])
        first, later = json.loads(cold.output), json.loads(warm.output)
        assert not later["compiled"], "the second process had to compile again"
        seconds = [f"{start.seconds:.1f} s ({found['cpu']:.1f})" for start, found in ((cold, first), (warm, later))]
        compiled, parts = first["compiled"], first["parts"]
        parts[REST] = first["cpu"] - sum(parts.get(part, 0) for part in PARTS if part != REST)
        print(f"{key:16} {seconds[0]:>16} {len(set(compiled)):>10} {len(compiled):>16} {seconds[1]:>16}  ", end="")
        print(" ".join(f"{parts.get(part, 0):>10.1f} s" for part in PARTS))


if __name__ == "__main__":
    main()
