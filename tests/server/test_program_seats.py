"""Seats of programs: the clients of docs/bots-api.md play whole games, long polls wait, and a program that hangs is absent."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.test_program_bots import clients

pytestmark = pytest.mark.one_engine
RUN = {"player.py": [sys.executable], "player.mjs": [str(Path(sys.executable).parent / "node")], "player.sh": ["sh"]}


@pytest.mark.parametrize("name", RUN)
def test_the_clients_of_the_guide_play_a_whole_game(server: ServerProcess, tmp_path: Path, name: str) -> None:
    assert name != "player.sh" or all(map(shutil.which, ("curl", "jq"))), "the shell's client needs curl and jq"
    (tmp_path / name).write_text(clients()[name])
    completed = subprocess.run([*RUN[name], str(tmp_path / name), server.address], capture_output=True, text=True, check=False, timeout=250)
    assert completed.returncode == 0, completed.stderr
    watch = completed.stdout.split()[0]
    seen = server.ask("GET", f"/api/tables/{watch.rpartition('/')[2]}")
    assert seen["status"] == "over"
    assert seen["players"][0]["bot"]
    assert seen["players"][0]["name"].endswith(" (bot)")


def test_a_long_poll_answers_when_there_is_another_version(server: ServerProcess) -> None:
    wanted = {"game": "rolling-village", "seats": [{"kind": "program", "name": "P"}, {"kind": "human", "name": "Ada"}]}
    made = server.ask("POST", "/api/tables", wanted)
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    seen = server.ask("GET", path, token=token)
    assert server.ask("GET", f"{path}?after={seen['version']}&wait=0", token=token)["version"] == seen["version"]
    waiting = subprocess.Popen(
        ["curl", "-sS", "-H", f"Authorization: Bearer {token}", f"{server.address}{path}?after={seen['version']}"], stdout=subprocess.PIPE
    )
    server.ask("POST", f"{path}/moves", {"move": seen["legal"][0], "at": seen["version"], "id": "a"}, token)
    answer, _ = waiting.communicate(timeout=60)
    assert f'"version":{seen["version"] + 1}'.encode() in answer
