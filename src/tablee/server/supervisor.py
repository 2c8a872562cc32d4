"""Supervisor of several server processes that share one listening socket and one database.

It replaces a process that dies. A signal ends all of them in order, and so does the end of the supervisor.
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

POLL_INTERVAL = 0.2  # seconds between two polls
SHUTDOWN_TIMEOUT = 10.0  # seconds until a terminated process is killed
RESTART_DELAYS = (0.0, 1.0, 5.0, 30.0)  # seconds before a process is replaced that keeps dying early
EARLY_EXIT = 10.0  # seconds of life below which an exit is early

logger = logging.getLogger(__name__)


def run(count: int, config: ServerConfig, args: Sequence[str]) -> int:
    """Serve with several processes, each started with these arguments; return the status of the first if it fails to start, else 0."""
    if os.name != "posix":
        raise TableeError(msg("this system cannot share a port: start several servers at ports of their own, behind a proxy"))
    configure_logging(config.log_level, config.log_format)
    with (
        signals_recorded() as signals,
        listen(config.host, config.port) as listening,
        shared_metrics_dir(config.metrics_enabled) as env,
    ):
        supervisor = Supervisor(count, args, listening.fileno(), env)
        try:
            if status := supervisor.start(signals):
                return status
            if not signals:
                announce(*server_urls(config.host, listening), config.open_browser, Translator(config.language))
            while not signals:
                time.sleep(POLL_INTERVAL)
                supervisor.restart_dead()
        finally:
            supervisor.stop()
    return 0


@contextmanager
def shared_metrics_dir(enabled: bool) -> Iterator[Mapping[str, str]]:
    """Yield the environment of the processes, with a shared folder for metrics if these are enabled."""
    if not enabled:
        yield os.environ
        return
    with TemporaryDirectory(prefix="tablee-metrics-") as folder:
        yield os.environ | {metrics.MULTIPROC_DIR: folder}


class Supervisor:
    """Server processes that accept from one socket: any idle one takes the next connection, and connections queue while one restarts."""

    def __init__(self, count: int, args: Sequence[str], socket: int, env: Mapping[str, str]) -> None:
        self._count, self._args, self._socket, self._env = count, args, socket, env
        self._running: dict[int, tuple[subprocess.Popen[str], float]] = {}  # by number, with the time of its start
        self._early_exits: Counter[int] = Counter()  # consecutive ones, by number
        self._restart_at: dict[int, float] = {}  # by number

    def start(self, signals: Sequence[int]) -> int:
        """Start the first process and, once it serves, the others; return the status of the first if it fails.

        The first may wait for its database; a signal ends the waiting.
        """
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
            stdin=subprocess.PIPE,  # nothing is ever written; it breaks when this process dies
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[self._socket],
            env=self._env,
        )
        self._running[number] = process, time.monotonic()
        return process

    def restart_dead(self) -> None:
        for number, (process, started) in list(self._running.items()):
            now = time.monotonic()
            if process.poll() is not None and number not in self._restart_at:
                logger.warning("process %d has ended with status %d: another one takes its place", process.pid, process.returncode)
                self._release(process)
                self._early_exits[number] = self._early_exits[number] + 1 if now - started < EARLY_EXIT else 0
                self._restart_at[number] = now + RESTART_DELAYS[min(self._early_exits[number], len(RESTART_DELAYS) - 1)]
            if now >= self._restart_at.get(number, now + 1):
                del self._restart_at[number]
                self._spawn(number)

    def stop(self) -> None:
        """Terminate all processes at once, and kill those that have not ended in time."""
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
