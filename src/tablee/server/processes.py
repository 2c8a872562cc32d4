"""Several processes serve the same tables at one port, over one database. Whichever dies is replaced; a signal ends them all in order."""

from __future__ import annotations

import logging
import select
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from tablee.core.errors import TableeError
from tablee.core.words import say
from tablee.server.process import listen, log_at, signals_noted

LOOK = 0.2  # seconds between two looks at them
HANDED_OVER = 10.0  # seconds in which a process that was told to end has ended
PAUSES = (0.0, 1.0, 5.0, 30.0)  # seconds before one is replaced that died young, longer each time
YOUNG = 10.0  # seconds

logger = logging.getLogger(__name__)


def run(count: int, host: str, port: int, words: Sequence[str], log_level: str, log_format: str) -> int:
    """`words` are the arguments of each. Returns the status of the first that could not even begin, else 0."""
    if not hasattr(socket, "SO_REUSEPORT"):
        raise TableeError(say("this system cannot share a port: start several servers at ports of their own, behind a proxy"))
    log_at(log_level, log_format)
    with signals_noted() as noted, closing(reserve(host, port)) as reserved:
        crew = Crew(count, [*words, "--port", str(reserved.getsockname()[1])])
        try:
            if status := crew.begin(noted):
                return status
            while not noted:
                time.sleep(LOOK)
                crew.replace_the_dead()
        finally:
            crew.end()
    return 0


def reserve(host: str, port: int) -> socket.socket:
    """The port, which nobody else gets then; whoever only reserves it hears no visitor."""
    return listen(host, port, among_others=True, hears=False)


class Crew:
    def __init__(self, count: int, words: Sequence[str]) -> None:
        self._count, self._words = count, words
        self._running: dict[int, tuple[subprocess.Popen[str], float]] = {}  # by number, and when each began
        self._died_young: Counter[int] = Counter()  # how many of a number, one after the other
        self._due: dict[int, float] = {}  # when the next of a number is started

    def begin(self, noted: Sequence[int]) -> int:
        """The first says where it is found, on behalf of all; if it cannot begin, nobody can. It may wait for its database, and be told to
        end meanwhile."""
        first = self._start(0)
        assert first.stdout is not None
        while not select.select([first.stdout], [], [], LOOK)[0]:
            if noted:
                return 0
        said = first.stdout.readline()
        if not said:
            return first.wait()
        print(said, end="", flush=True)  # noqa: T201
        for number in range(1, self._count):
            self._start(number)
        return 0

    def _start(self, number: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tablee", *self._words, "--number", str(number)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        self._running[number] = process, time.monotonic()
        return process

    def replace_the_dead(self) -> None:
        for number, (process, begun) in list(self._running.items()):
            now = time.monotonic()
            if process.poll() is not None and number not in self._due:
                logger.warning("process %d has ended with status %d: another one takes its place", process.pid, process.returncode)
                self._let_go(process)
                self._died_young[number] = self._died_young[number] + 1 if now - begun < YOUNG else 0
                self._due[number] = now + PAUSES[min(self._died_young[number], len(PAUSES) - 1)]
            if now >= self._due.get(number, now + 1):
                del self._due[number]
                self._start(number)

    def end(self) -> None:
        """All at once; who is not done in time is ended for good."""
        for process, _ in self._running.values():
            process.terminate()
        deadline = time.monotonic() + HANDED_OVER
        for process, _ in self._running.values():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self._let_go(process)

    @staticmethod
    def _let_go(process: subprocess.Popen[str]) -> None:
        if process.stdout is not None:
            process.stdout.close()
