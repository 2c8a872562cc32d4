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
from tablee.core.i18n import Translator, msg
from tablee.server.ops import metrics
from tablee.server.process import ServerConfig, announce, configure_logging, listen, server_urls, signals_recorded

POLL_INTERVAL = 0.2  # seconds between two looks at them
SHUTDOWN_TIMEOUT = 10.0  # seconds in which a process that was told to end has ended
RESTART_DELAYS = (0.0, 1.0, 5.0, 30.0)  # seconds before one is replaced that died young, longer each time
EARLY_EXIT = 10.0  # seconds

logger = logging.getLogger(__name__)


def run(count: int, config: ServerConfig, args: Sequence[str]) -> int:
    """`words` are the arguments of each. Returns the status of the first that could not even begin, else 0."""
    if os.name != "posix":
        raise TableeError(msg("this system cannot share a port: start several servers at ports of their own, behind a proxy"))
    configure_logging(config.log_level, config.log_format)
    with (
        signals_recorded() as noted,
        listen(config.host, config.port) as listening,
        shared_metrics_dir(config.metrics_enabled) as surroundings,
        TemporaryDirectory(prefix="tablee-passage-") as passage,
    ):
        crew = Supervisor(count, [*args, "--passage", passage], listening.fileno(), surroundings)
        try:
            if status := crew.start(noted):
                return status
            if not noted:
                announce(*server_urls(config.host, listening), config.open_browser, Translator(config.language))
            while not noted:
                time.sleep(POLL_INTERVAL)
                crew.restart_dead()
        finally:
            crew.stop()
    return 0


@contextmanager
def shared_metrics_dir(enabled: bool) -> Iterator[Mapping[str, str]]:
    """What each process finds in its environment: where they count together, if they count."""
    if not enabled:
        yield os.environ
        return
    with TemporaryDirectory(prefix="tablee-figures-") as folder:
        yield os.environ | {metrics.MULTIPROC_DIR: folder}


class Supervisor:
    """All hear the same socket, so whoever is free takes the next visitor, and one who comes while another is replaced waits in line."""

    def __init__(self, count: int, args: Sequence[str], socket: int, env: Mapping[str, str]) -> None:
        self._count, self._args, self._socket, self._env = count, args, socket, env
        self._running: dict[int, tuple[subprocess.Popen[str], float]] = {}  # by number, and when each began
        self._early_exits: Counter[int] = Counter()  # how many of a number, one after the other
        self._restart_at: dict[int, float] = {}  # when the next of a number is started

    def start(self, signals: Sequence[int]) -> int:
        """The first says when it can be found; if it cannot begin, nobody can. It may wait for its database, and be told to end
        meanwhile."""
        first = self._spawn(0)
        assert first.stdout is not None
        while not select.select([first.stdout], [], [], POLL_INTERVAL)[0]:
            if signals:
                return 0
        if not first.stdout.readline():
            return first.wait()
        for number in range(1, self._count):
            self._spawn(number)
        return 0

    def _spawn(self, number: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tablee", *self._args, "--number", str(number), "--socket", str(self._socket)]
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,  # nothing is ever said there; it breaks when this process dies
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[self._socket],
            env=self._env,
        )
        self._running[number] = process, time.monotonic()
        return process

    def restart_dead(self) -> None:
        for number, (process, begun) in list(self._running.items()):
            now = time.monotonic()
            if process.poll() is not None and number not in self._restart_at:
                logger.warning("process %d has ended with status %d: another one takes its place", process.pid, process.returncode)
                self._release(process)
                self._early_exits[number] = self._early_exits[number] + 1 if now - begun < EARLY_EXIT else 0
                self._restart_at[number] = now + RESTART_DELAYS[min(self._early_exits[number], len(RESTART_DELAYS) - 1)]
            if now >= self._restart_at.get(number, now + 1):
                del self._restart_at[number]
                self._spawn(number)

    def stop(self) -> None:
        """All at once; who is not done in time is ended for good."""
        for process, _ in self._running.values():
            process.terminate()
        deadline = time.monotonic() + SHUTDOWN_TIMEOUT
        for process, _ in self._running.values():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self._release(process)

    def _release(self, process: subprocess.Popen[str]) -> None:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        metrics.remove_process(process.pid, self._env.get(metrics.MULTIPROC_DIR))
