"""`make play` in a terminal: what it prints while it works, and what the server prints when it starts and stops."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.server.process import TIMEOUT_S, ServerProcess

PROJECT = Path(__file__).parent.parent
# A fake of every program that make starts: it prints its command line and creates the environment.
FAKE_PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*"
if [ "$2" = venv ]; then mkdir -p "$3/bin"; for name in python pip tablee; do cp "$0" "$3/bin/$name"; done; fi
"""


def test_make_play_says_what_it_does_before_it_takes_long(tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text(FAKE_PROGRAM)
    python.chmod(0o755)
    command = ["make", "-f", str(PROJECT / "Makefile"), f"PYTHON={python}", f"VENV={tmp_path}/venv", "play"]
    # Without the variables of an outer make that runs the tests: a nested make prints the folder it enters.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    run = partial(subprocess.run, command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=True)
    first, again = (run().stdout.splitlines() for _ in range(2))
    checked, notice, made, installed, served = first
    assert checked.startswith("python3 -c import sys")
    assert notice == f"Setting up Tablée in {tmp_path}/venv: pip fetches what it needs. The first time this takes about a minute."
    assert (made, installed, served) == (f"python3 -m venv {tmp_path}/venv", "pip install -q -e .[serve]", "tablee serve")
    assert again == ["tablee serve"]


def serve(*arguments: str, browser: Path) -> subprocess.CompletedProcess[str]:
    """Start another server, which would open this browser."""
    command = [sys.executable, "-m", "tablee", "serve", "--host", "127.0.0.1", *arguments]
    environment = os.environ | {"LC_ALL": "C", "BROWSER": f"sh -c 'echo $0 >{browser}' %s"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


@pytest.mark.one_engine
def test_a_second_start_opens_the_table_that_is_there(own_server: ServerProcess, tmp_path: Path) -> None:
    second = serve("--port", str(own_server.port), "--data", str(tmp_path / "data"), browser=tmp_path / "opened")
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout == f"Tablée is already running: {own_server.address}/\n"
    assert (tmp_path / "opened").read_text() == f"{own_server.address}/\n"


def test_a_port_that_another_program_has_is_told_with_what_to_do(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        port = other.server_port
        threading.Thread(target=other.handle_request).start()
        second = serve("--port", str(port), "--data", str(tmp_path / "data"), browser=tmp_path / "opened")
    assert (second.returncode, second.stdout) == (2, "")
    sentence = "another program has this port; choose another one with --port"
    assert second.stderr == f"tablee: cannot listen on 127.0.0.1:{port}: {sentence}\n"
    assert not (tmp_path / "opened").exists()


@pytest.mark.one_engine
def test_the_server_says_how_to_stop_it_and_that_it_has_stopped(own_server: ServerProcess) -> None:
    own_server.stop()
    assert own_server.output.endswith("\nCtrl-C stops it; every game is kept.\nTablée has stopped. See you at the table!\n")
