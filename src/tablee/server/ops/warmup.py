"""Warm-up: a room whose machine code is on disk loads it before the server listens; the others start as plain Python.

Those are compiled in processes of their own. A thread then loads all their machine code and switches the room, even in mid-game.
"""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tablee import games
from tablee.bots import warmup
from tablee.core import jit

POLL_INTERVAL = 2.0  # seconds between two polls whether another process has compiled

logger = logging.getLogger(__name__)


class Warmup:
    def __init__(self, keys: Sequence[str], get_ready: Callable[[], None] = lambda: None, *, compiles: bool = True) -> None:
        """Set up the warm-up; `get_ready` does what the first visitor would wait for. Only one process `compiles`."""
        self._keys, self._get_ready, self._compiles = keys, get_ready, compiles
        self._compiling: list[subprocess.Popen[str]] = []
        self._closed = threading.Event()
        for key in keys:
            jit.use_python(games.package(key))

    def load(self) -> None:
        """Load the machine code that is on disk: 1.1 s of CPU for three games."""
        for key in self._keys:
            if not jit.PYTHON_ONLY and warmup.is_warm(key):
                self._try(load_compiled, key)

    def start(self) -> None:
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Get ready for the first visitor, then compile the rooms that are not on disk, several at a time."""
        try:
            self._get_ready()
        except Exception as error:
            logger.warning("the first page of each game will take its time: %s", error)
        cold = [key for key in self._keys if not warmup.is_warm(key)]
        with ThreadPoolExecutor(warmup.MAX_PARALLEL) as pool:
            pool.map(lambda key: self._try(self._compile_and_load, key), cold)

    def close(self) -> None:
        self._closed.set()
        for process in self._compiling:
            process.terminate()

    def _try(self, step: Callable[[str], None], key: str) -> None:
        """Run a step; where it fails, the room stays Python."""
        try:
            step(key)
        except Exception as error:
            if not self._closed.is_set():
                logger.warning("%s plays on as plain Python: %s", key, error)

    def _compile_and_load(self, key: str) -> None:
        if games.open_or_skip(key) is None:
            return
        if self._compiles:
            self._compiling.append(process := warmup.start(key))
            if self._closed.is_set():
                process.terminate()
            warmup.wait_for(process)
        while not warmup.is_warm(key):  # another process compiles it
            if self._closed.wait(POLL_INTERVAL):
                return
        load_compiled(key)


def load_compiled(key: str) -> None:
    games.find(key)
    jit.load_native(games.package(key))
