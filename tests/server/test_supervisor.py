"""Supervisor (`tablee serve --processes N`): it starts, replaces and ends several processes at one port."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tablee.core.errors import TableeError
from tablee.server import process, supervisor
from tests.server.engine import new_address
from tests.server.process import TIMEOUT_S, ServerProcess

pytestmark = pytest.mark.one_engine


@pytest.fixture(scope="module", autouse=True)
def plain() -> Iterator[None]:
    """Play the rules as plain Python: no process has to load machine code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLEE_PLAIN", "1")
        yield


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("together")
    server = ServerProcess(folder, extra_arguments=["--database", new_address(folder), "--processes", "2", "--metrics"]).start()
    until(lambda: len(children_of(server.pid)) == 2)
    yield server
    server.stop()


def until(true: Callable[[], Any], timeout: float = TIMEOUT_S) -> Any:
    deadline = time.monotonic() + timeout
    while not (found := true()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def test_several_processes_at_one_port_are_started_replaced_and_ended_together(tmp_path: Path) -> None:
    server = ServerProcess(
        tmp_path, extra_arguments=["--database", new_address(tmp_path), "--processes", "2", "--log-level", "warning"]
    ).start()
    try:
        children = until(lambda: found if len(found := children_of(server.pid)) == 2 else None)
        os.kill(children[0], signal.SIGKILL)
        until(lambda: len(now := children_of(server.pid)) == 2 and children[0] not in now)
        made = until(lambda: answered(server))
        assert server.ask("GET", f"/api/tables/{made['table']}")["version"] == 1
        assert re.search(r"process \d+ has ended with status -9", server.output)
    finally:
        server.stop()
    assert not any(alive(child) for child in children)


def answered(server: ServerProcess) -> Any:
    try:
        return server.create("rolling-village", ["Ada"])
    except OSError:
        return None


def children_of(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found]


def is_free(port: int) -> bool:
    try:
        with closing(process.listen("127.0.0.1", port)):
            return True
    except TableeError:
        return False


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended may stay a zombie until its parent waits for it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("count", ["1", "2"])
def test_a_port_that_others_serve_is_refused_in_one_sentence(together: ServerProcess, tmp_path: Path, count: str) -> None:
    command = [sys.executable, "-m", "tablee", "serve", "--no-open", "--host", "127.0.0.1", "--port", str(together.port)]
    elsewhere = ["--database", "postgresql://127.0.0.1:1/other", "--processes", count]
    second = subprocess.run([*command, *elsewhere], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"tablee: Tablée is already running at {together.address}/; --port and --data start another one\n"


def figure(server: ServerProcess, name: str) -> float:
    """Return a metric over a new connection, which either process may answer."""
    with urllib.request.urlopen(f"{server.address}/metrics", timeout=TIMEOUT_S) as answer:
        found = re.search(rf"^{re.escape(name)} (.+)$", answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_whichever_is_asked_tells_the_figures_of_all(together: ServerProcess) -> None:
    answered = 'tablee_requests_total{status="2xx"}'
    before = figure(together, answered)
    assert [figure(together, answered) - before for _ in range(12)] == list(range(1, 13))
    table = together.create("rolling-village", ["Ada"])["table"]
    path = f"{together.address.replace('http', 'ws')}/api/tables/{table}/ws"
    with connect(path), connect(path):
        assert [until(lambda: figure(together, "tablee_screens") == 2.0) for _ in range(4)]


def test_what_a_dead_process_had_is_not_counted_any_more_but_what_it_did(together: ServerProcess) -> None:
    before = figure(together, 'tablee_requests_total{status="2xx"}')
    table = together.create("rolling-village", ["Ada"])["table"]
    with connect(f"{together.address.replace('http', 'ws')}/api/tables/{table}/ws"):
        until(lambda: figure(together, "tablee_screens") == 1.0)
        children = children_of(together.pid)
        for child in children:
            os.kill(child, signal.SIGKILL)
    until(lambda: len(now := children_of(together.pid)) == 2 and not set(now) & set(children))
    until(lambda: figure(together, "tablee_screens") == 0.0)
    assert figure(together, 'tablee_requests_total{status="2xx"}') > before


def test_who_is_left_behind_by_a_killed_supervisor_ends_and_leaves_the_port_free(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, extra_arguments=["--database", new_address(tmp_path), "--processes", "2"]).start()
    children = until(lambda: found if len(found := children_of(server.pid)) == 2 else None)
    server.kill()
    until(lambda: not any(alive(child) for child in children))
    until(lambda: is_free(server.port))  # a thread may hold the port a moment longer than the process


def test_phones_are_told_the_address_as_one_process_would(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Nobody:
        def __init__(self, *_: Any) -> None:
            pass

        def start(self, *_: Any) -> int:
            return 0

        def restart_dead(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

        def stop(self) -> None:
            pass

    free: socket.socket = process.listen("127.0.0.1", 0)
    monkeypatch.setattr(supervisor, "Supervisor", Nobody)
    monkeypatch.setattr(supervisor, "listen", lambda *_: free)
    monkeypatch.setattr(supervisor, "configure_logging", lambda *_: None)
    monkeypatch.setattr(process, "lan_ip", lambda: "192.0.2.7")
    port = free.getsockname()[1]
    assert supervisor.run(2, process.ServerConfig("0.0.0.0", 0, Path(), "postgresql://", Path()), []) == 0
    assert (
        capsys.readouterr().out
        == f"Tablée: http://localhost:{port}/\nPhones on the same network: http://192.0.2.7:{port}/\nCtrl-C stops it; every game is kept.\n"
    )
