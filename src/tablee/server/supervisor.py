"""Several processes serve the same tables at one socket, over one database. Whichever dies is replaced; a signal ends them all in order,
and so does the end of the one that started them.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from tablee.core.errors import TableeError
from tablee.core.i18n import Words, say
from tablee.server.ops import metrics
from tablee.server.process import Orders, addresses, announce, listen, log_at, signals_noted

LOOK = 0.2  # seconds between two looks at them
PATIENCE = 10.0  # seconds in which a process that was told to end has ended
PAUSES = (0.0, 1.0, 5.0, 30.0)  # seconds before one is replaced that died young, longer each time
YOUNG = 10.0  # seconds

logger = logging.getLogger(__name__)


def run(count: int, orders: Orders, words: Sequence[str]) -> int:
    """`words` are the arguments of each. Returns the status of the first that could not even begin, else 0."""
    if os.name != "posix":
        raise TableeError(say("this system cannot share a port: start several servers at ports of their own, behind a proxy"))
    log_at(orders.log_level, orders.log_format)
    with (
        signals_noted() as noted,
        listen(orders.host, orders.port) as listening,
        figures_together(orders.measured) as surroundings,
        TemporaryDirectory(prefix="tablee-passage-") as passage,
    ):
        crew = Crew(count, [*words, "--passage", passage], listening.fileno(), surroundings)
        try:
            if status := crew.begin(noted):
                return status
            if not noted:
                announce(*addresses(orders.host, listening), orders.open_browser, Words(orders.language))
            while not noted:
                time.sleep(LOOK)
                crew.replace_the_dead()
        finally:
            crew.end()
    return 0


@contextmanager
def figures_together(measured: bool) -> Iterator[Mapping[str, str]]:
    """What each process finds in its environment: where they count together, if they count."""
    if not measured:
        yield os.environ
        return
    with TemporaryDirectory(prefix="tablee-figures-") as folder:
        yield os.environ | {metrics.TOGETHER: folder}


class Crew:
    """All hear the same socket, so whoever is free takes the next visitor, and one who comes while another is replaced waits in line."""

    def __init__(self, count: int, words: Sequence[str], socket: int, surroundings: Mapping[str, str]) -> None:
        self._count, self._words, self._socket, self._surroundings = count, words, socket, surroundings
        self._running: dict[int, tuple[subprocess.Popen[str], float]] = {}  # by number, and when each began
        self._died_young: Counter[int] = Counter()  # how many of a number, one after the other
        self._due: dict[int, float] = {}  # when the next of a number is started

    def begin(self, noted: Sequence[int]) -> int:
        """The first says when it can be found; if it cannot begin, nobody can. It may wait for its database, and be told to end
        meanwhile."""
        first = self._start(0)
        assert first.stdout is not None
        while not select.select([first.stdout], [], [], LOOK)[0]:
            if noted:
                return 0
        if not first.stdout.readline():
            return first.wait()
        for number in range(1, self._count):
            self._start(number)
        return 0

    def _start(self, number: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tablee", *self._words, "--number", str(number), "--socket", str(self._socket)]
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,  # nothing is ever said there; it breaks when this process dies
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[self._socket],
            env=self._surroundings,
        )
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
        deadline = time.monotonic() + PATIENCE
        for process, _ in self._running.values():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self._let_go(process)

    def _let_go(self, process: subprocess.Popen[str]) -> None:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        metrics.gone(process.pid, self._surroundings.get(metrics.TOGETHER))
