"""Every room begins with its rules as plain Python, so that its tables open at once. Behind them, what is not on disk yet is compiled by
processes of their own; then the machine code is loaded function by function and takes over, in the middle of a game if need be.
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

POLL_INTERVAL = 2.0  # seconds between two looks whether another process is done
RECONNECT_DELAY, RUSH_TIMEOUT, RUSH_POLL = (
    1.0,
    10.0,
    0.1,
)  # seconds until people who come back are there, for which they go first, and between two looks


class Warmup:
    def __init__(
        self,
        keys: Sequence[str],
        get_ready: Callable[[], None] = lambda: None,
        is_rushed: Callable[[], bool] | None = None,
        *,
        compiles: bool = True,
    ) -> None:
        """`get_ready` is done first: what the first visitor would have to wait for. Of several processes only one `compiles`."""
        self._keys, self._get_ready, self._is_rushed, self._compiles = keys, get_ready, is_rushed, compiles
        self._compiling: list[subprocess.Popen[str]] = []
        self._closed = threading.Event()
        for key in keys:
            jit.use_python(games.package(key))

    def start(self) -> None:
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """First what only has to be loaded, then the others, some at a time."""
        try:
            self._get_ready()
        except Exception as error:
            print(f"the first page of each game will take its time: {error}", file=sys.stderr, flush=True)  # noqa: T201
        if jit.PYTHON_ONLY:
            return
        warm = [key for key in self._keys if warmup.is_warm(key)]
        begun = time.monotonic()
        for key in warm:
            self._wait_for_rush(begun)
            self._switch_to_compiled(key)
        with ThreadPoolExecutor(warmup.MAX_PARALLEL) as pool:
            pool.map(self._switch_to_compiled, [key for key in self._keys if key not in warm])

    def close(self) -> None:
        self._closed.set()
        for process in self._compiling:
            process.terminate()

    def _wait_for_rush(self, begun: float) -> None:
        """After a restart everybody is back at once, and wants to see their table more than to have it play quickly."""
        while self._is_rushed and (
            time.monotonic() < begun + RECONNECT_DELAY or (self._is_rushed() and time.monotonic() < begun + RUSH_TIMEOUT)
        ):
            if self._closed.wait(RUSH_POLL):
                return

    def _switch_to_compiled(self, key: str) -> None:
        """A room whose machine code turns out to be damaged is no longer warm; one that cannot be compiled plays on as it is."""
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
        """Until another process has compiled it."""
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
