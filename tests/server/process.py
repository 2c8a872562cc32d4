"""Real server process with a data folder of its own, which tests kill and start again."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any, Self

from tablee.checks.local_server import BOTS, TIMEOUT_S, LocalServer
from tests.server.engine import address_of

__all__ = ["BOTS", "TIMEOUT_S", "ForkServer", "ForkedServer", "ServerProcess", "fork_server", "storage_args"]


def storage_args(folder: Path, address: str) -> list[str]:
    """Return the arguments that name the data folder, or the database at this address."""
    return ["--database", address] if address else ["--data", str(folder)]


class ServerProcess(LocalServer):
    """Server whose data is in a folder, or in the database that the tests run on, and whose deals follow from a seed."""

    module = "tests.server.seeded_server"

    def _storage(self) -> list[str]:
        data = self.folder / "data"
        return [] if "--database" in self._extra_arguments else storage_args(data, address_of(data))


class ForkServer:
    """Process that forks the servers of this test process (see `fork_server.py`); it ends with its standard input."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TABLEE_PLAIN": "1"},
        )
        self._lock = threading.Lock()

    def request(self, **order: Any) -> str:
        """Send one order and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(order)}\n")
            self._process.stdin.flush()
            return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate(timeout=TIMEOUT_S)


@cache
def fork_server() -> ForkServer:
    """Return the fork server that all servers of this test process share."""
    made = ForkServer()
    atexit.register(made.close)
    return made


class ForkedServer(ServerProcess):
    """Server process that starts in a moment, so that tests can kill it often; its rules stay plain Python."""

    _pid = 0

    @property
    def pid(self) -> int:
        return self._pid

    def start(self) -> Self:
        self._output_file.write_text("")
        environment = os.environ | {"TABLEE_BOT_PACE": "0", "TABLEE_PLAIN": "1"}
        self._pid = int(fork_server().request(start=self._arguments(), output=str(self._output_file), environment=dict(environment)))
        self.port = self._wait_for_the_port()
        return self

    def _runs(self) -> bool:
        return bool(self._pid)

    def _end(self, how: signal.Signals) -> None:
        if self._pid:
            os.kill(self._pid, how)
            fork_server().request(end=self._pid)
            self._pid = 0
