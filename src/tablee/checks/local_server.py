"""A server process of this Tablée on a free port of this computer, with a data folder of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

TIMEOUT_S = 120.0  # seconds, for every wait; far longer than anything takes on an idle machine
BOTS = ("random", "greedy")


class LocalServer:
    module = "tablee"  # the program that is started

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
        command = [sys.executable, "-m", self.module, *self._arguments()]
        if self._files:
            command = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *command]
        with self._output_file.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=os.environ | {"TABLEE_BOT_PACE": "0"})
        self.port = self._wait_for_the_port()
        return self

    def _arguments(self) -> list[str]:
        arguments = ["serve", "--no-open", "--host", "127.0.0.1", "--port", str(self.port), *self._boxes, *self._extra_arguments]
        return [*arguments, *self._storage(), "--reports", str(self.folder / "data/reports")]

    def _storage(self) -> list[str]:
        return ["--data", str(self.folder / "data")]

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

    def read(self, path: str, language: str = "en") -> str:
        """Return a page, which must be there."""
        wanted = urllib.request.Request(self.address + path, headers={"accept-language": language})
        with urllib.request.urlopen(wanted, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    def create(self, game: str, seats: Sequence[str], options: dict[str, Any] | None = None, **more: Any) -> Any:
        """Create a table; each seat is a bot's level or a person's name."""
        wanted = [{"kind": "bot", "level": seat} if seat in BOTS else {"kind": "human", "name": seat} for seat in seats]
        return self.ask("POST", "/api/tables", {"game": game, "seats": wanted, "options": options or {}, **more})
