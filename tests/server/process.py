"""Real server process with a data folder of its own, which tests kill and start again."""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

from tests.server.engine import address_of

TIMEOUT_S = 120.0  # seconds, for every wait; far longer than anything takes on an idle machine
BOTS = ("random", "greedy")


def storage_args(folder: Path, address: str) -> list[str]:
    """Return the arguments that name the data folder, or the database at this address."""
    return ["--database", address] if address else ["--data", str(folder)]


class ServerProcess:
    def __init__(self, folder: Path, boxes: Mapping[str, Path] | None = None, extra_arguments: Sequence[str] = (), files: int = 0) -> None:
        """Take corrected components by game (`boxes`), further arguments, and a limit of open files (0 for none)."""
        self.folder, self.port = folder, 0
        self._boxes = [argument for game, file in (boxes or {}).items() for argument in ("--components", f"{game}={file}")]
        self._extra_arguments, self._files = list(extra_arguments), files
        self._output_file = folder / "said"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start the server, after the first time on the same port, so that pages reconnect."""
        command = [sys.executable, "-m", "tests.server.seeded_server", *self._arguments()]
        if self._files:
            command = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *command]
        with self._output_file.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=os.environ | {"TABLEE_BOT_PACE": "0"})
        self.port = self._wait_for_the_port()
        return self

    def _arguments(self) -> list[str]:
        data = self.folder / "data"
        arguments = ["serve", "--no-open", "--host", "127.0.0.1", "--port", str(self.port), *self._boxes, *self._extra_arguments]
        storage = [] if "--database" in self._extra_arguments else storage_args(data, address_of(data))
        return [*arguments, *storage, "--reports", str(data / "reports")]

    def _wait_for_the_port(self) -> int:
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline and self._runs():
            if found := re.search(r"http://[\w.]+:(\d+)/", self.output):
                return int(found[1])
            time.sleep(0.01)
        raise AssertionError(f"the server did not start: {self.output}")

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def output(self) -> str:
        return self._output_file.read_text(errors="replace")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(TIMEOUT_S)
            self._process = None

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Send one request that must succeed, and return its JSON."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers, method=method), timeout=TIMEOUT_S) as answer:
            return json.load(answer)

    def create(self, game: str, seats: Sequence[str], options: dict[str, Any] | None = None, **more: Any) -> Any:
        """Create a table; each seat is a bot's level or a person's name."""
        wanted = [{"kind": "bot", "level": seat} if seat in BOTS else {"kind": "human", "name": seat} for seat in seats]
        return self.ask("POST", "/api/tables", {"game": game, "seats": wanted, "options": options or {}, **more})


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
