"""Warm-up in the background: rooms start with their rules as plain Python, so that tables open at once.

Separate processes compile what is not on disk; the machine code is then loaded function by function, even in the middle of a game.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tablee import games
from tablee.bots import warmup
from tablee.core import jit

POLL_INTERVAL = 2.0  # seconds between two polls whether another process has compiled
RECONNECT_DELAY = 1.0  # seconds after a restart until clients have reconnected
RUSH_TIMEOUT = 10.0  # seconds for which opening their tables goes first
RUSH_POLL = 0.1  # seconds between two polls


class Warmup:
    def __init__(
        self,
        keys: Sequence[str],
        get_ready: Callable[[], None] = lambda: None,
        is_rushed: Callable[[], bool] | None = None,
        *,
        compiles: bool = True,
    ) -> None:
        """Set up the warm-up; `get_ready` runs first and does what the first visitor would wait for. Only one process `compiles`."""
        self._keys, self._get_ready, self._is_rushed, self._compiles = keys, get_ready, is_rushed, compiles
        self._compiling: list[subprocess.Popen[str]] = []
        self._closed = threading.Event()
        for key in keys:
            jit.use_python(games.package(key))

    def start(self) -> None:
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Load the rooms whose machine code is on disk, then compile the others, several at a time."""
        try:
            self._get_ready()
        except Exception as error:
            print(f"the first page of each game will take its time: {error}", file=sys.stderr, flush=True)  # noqa: T201
        if jit.PYTHON_ONLY:
            return
        warm = [key for key in self._keys if warmup.is_warm(key)]
        started = time.monotonic()
        for key in warm:
            self._wait_for_rush(started)
            self._switch_to_compiled(key)
        with ThreadPoolExecutor(warmup.MAX_PARALLEL) as pool:
            pool.map(self._switch_to_compiled, [key for key in self._keys if key not in warm])

    def close(self) -> None:
        self._closed.set()
        for process in self._compiling:
            process.terminate()

    def _wait_for_rush(self, started: float) -> None:
        """Wait while clients reconnect after a restart: opening their tables comes first, switching to compiled rules later."""
        while self._is_rushed and (
            time.monotonic() < started + RECONNECT_DELAY or (self._is_rushed() and time.monotonic() < started + RUSH_TIMEOUT)
        ):
            if self._closed.wait(RUSH_POLL):
                return

    def _switch_to_compiled(self, key: str) -> None:
        """Load the machine code of a room, compiled first if it is missing or damaged; on failure the room stays Python."""
        try:
            if warmup.is_warm(key):
                load_compiled(key)
            if not warmup.is_warm(key) and not self._closed.is_set():
                self._compile(key) if self._compiles else self._wait_for(key)
                load_compiled(key)
        except warmup.WarmupTerminated:
            return
        except Exception as error:
            if not self._closed.is_set():
                print(f"{key} plays on as plain Python: {error}", file=sys.stderr, flush=True)  # noqa: T201

    def _wait_for(self, key: str) -> None:
        """Wait until another process has compiled the room."""
        while not warmup.is_warm(key):
            if self._closed.wait(POLL_INTERVAL):
                return

    def _compile(self, key: str) -> None:
        process = warmup.start(key)
        self._compiling.append(process)
        if self._closed.is_set():
            process.terminate()
        warmup.wait_for(process)


def load_compiled(key: str) -> None:
    games.find(key)
    jit.load_native_from_disk(games.package(key))
