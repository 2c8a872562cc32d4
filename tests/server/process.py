"""A real server process on this computer, with a data folder of its own: it can be killed without a word and started again."""

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
from typing import Any

from tests.server.engine import address_of

PATIENCE = 60.0  # seconds; a first start on a busy machine may have to compile
BOTS = ("random", "greedy")


def kept_in(folder: Path, address: str) -> list[str]:
    """The arguments that say so."""
    return ["--database", address] if address else ["--data", str(folder)]


class ServerProcess:
    def __init__(self, folder: Path, boxes: Mapping[str, Path] | None = None, words: Sequence[str] = (), files: int = 0) -> None:
        """`boxes` are corrected components, by game; `words` are further arguments, and `files` is how many the process may open."""
        self.folder, self.port = folder, 0
        self._boxes = [f"{game}={file}" for game, file in (boxes or {}).items()]
        self._words, self._files = list(words), files
        self._said = folder / "said"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> ServerProcess:
        """The same port every time, so that a page finds its way back."""
        command = [sys.executable, "-m", "tablee", "serve", "--no-open", "--host", "127.0.0.1", "--port", str(self.port)]
        command += [word for box in self._boxes for word in ("--components", box)]
        if self._files:
            command = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *command]
        if "--database" not in self._words:
            command += kept_in(self.folder / "data", address_of(self.folder / "data"))
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [*command, *self._words, "--reports", str(self.folder / "data" / "reports")],
                stdout=said,
                stderr=subprocess.STDOUT,
                env=os.environ | {"TABLEE_BOT_PACE": "0"},
            )
        self.port = self._wait_for_the_port()
        return self

    def _wait_for_the_port(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._runs():
            if found := re.search(r"http://[\w.]+:(\d+)/", self.said):
                return int(found[1])
            time.sleep(0.01)
        raise AssertionError(f"the server did not start: {self.said}")

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def said(self) -> str:
        return self._said.read_text(errors="replace")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """One request that must succeed; its JSON."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers, method=method), timeout=PATIENCE) as answer:
            return json.load(answer)

    def create(self, game: str, seats: Sequence[str], options: dict[str, Any] | None = None, **more: Any) -> Any:
        """A table: each seat is a bot's level or a person's name."""
        wanted = [{"kind": "bot", "level": seat} if seat in BOTS else {"kind": "human", "name": seat} for seat in seats]
        return self.ask("POST", "/api/tables", {"game": game, "seats": wanted, "options": options or {}, **more})


class ForkedServer(ServerProcess):
    """The same, started in a moment, so that it can be killed often: see `nursery.py`. Its rules stay plain Python."""

    def __init__(self, folder: Path, address: str = "") -> None:
        """`address` is that of a database which it shares with others."""
        super().__init__(folder)
        self._address = address or address_of(folder / "data")
        self._pid = 0
        self._nursery = subprocess.Popen(
            [sys.executable, "-m", "tests.server.nursery", str(self._said)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TABLEE_BOT_PACE": "0", "TABLEE_PLAIN": "1"},
        )

    def start(self) -> ForkedServer:
        self._said.write_text("")
        kept = [*kept_in(self.folder / "data", self._address), "--reports", str(self.folder / "data" / "reports")]
        self._pid = int(self._tell(f"serve --no-open --host 127.0.0.1 --port {self.port} {' '.join(kept)}"))
        self.port = self._wait_for_the_port()
        return self

    def _runs(self) -> bool:
        return bool(self._pid)

    def _end(self, how: signal.Signals) -> None:
        if self._pid:
            os.kill(self._pid, how)
            self._tell("")
            self._pid = 0

    def close(self) -> None:
        self.kill()
        self._nursery.communicate(timeout=PATIENCE)

    def _tell(self, line: str) -> str:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(f"{line}\n")
        self._nursery.stdin.flush()
        return self._nursery.stdout.readline()
