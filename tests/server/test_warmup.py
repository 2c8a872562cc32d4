"""Warm-up: on a cold computer tables open at once in plain Python, and change over to machine code during the game."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tablee import games
from tablee.bots import warmup as compiling
from tablee.core import jit
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.ops import warmup
from tablee.server.ops.warmup import Warmup
from tests.plugin_game import PluginGame, output_of
from tests.server.process import ServerProcess

pytestmark = pytest.mark.one_engine

ROOMS = ("cold a", "warm", "broken", "cold b")


class Compiler:
    """Replacement for the compiler processes; `broken` cannot be compiled."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.compiled: set[str] = {"warm"}
        self.at_work = self.most_at_work = 0
        self.first_two = threading.Barrier(2)

    def is_warm(self, key: str) -> bool:
        return key in self.compiled

    def start(self, key: str) -> Any:
        self.at_work += 1
        self.most_at_work = max(self.at_work, self.most_at_work)
        return key

    def wait_for(self, key: str) -> None:
        if key in ROOMS[:3]:
            self.first_two.wait()
        self.at_work -= 1
        self.did.append(f"compile {key}")
        if key == "broken":
            raise TableeError(msg("the game is over"))
        self.compiled.add(key)

    def load(self, key: str) -> None:
        self.did.append(f"load {key}")


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    made = Compiler()
    monkeypatch.setattr(compiling, "start", made.start)
    monkeypatch.setattr(compiling, "wait_for", made.wait_for)
    monkeypatch.setattr(compiling, "is_warm", made.is_warm)
    monkeypatch.setattr(warmup, "load_compiled", made.load)
    monkeypatch.setattr(games, "package", lambda key: f"rooms.{key}")
    monkeypatch.setattr(games, "open_or_skip", lambda key: key)
    return made


def test_every_room_begins_as_plain_python(compiler: Compiler) -> None:
    Warmup(ROOMS)
    assert all(jit.room(f"rooms.{key}").uses_python for key in ROOMS)
    assert compiler.did == []


def test_what_is_on_disk_is_loaded_first_and_the_rest_compiled_two_at_a_time(compiler: Compiler) -> None:
    warming = Warmup(ROOMS)
    warming.load()
    assert compiler.did == ["load warm"]
    warming.run()
    assert compiler.most_at_work == 2
    assert compiler.did.count("load warm") == 1
    for key in ("cold a", "cold b"):
        assert compiler.did.index(f"compile {key}") < compiler.did.index(f"load {key}")


def test_a_room_that_cannot_be_compiled_says_so_in_one_line_and_stays_plain(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    Warmup(ROOMS).run()
    assert "load broken" not in compiler.did
    assert caplog.messages == ["broken plays on as plain Python: the game is over"]


def test_a_room_that_turns_out_to_be_damaged_is_compiled_and_loaded_again(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(key: str) -> None:
        if not compiler.did:
            compiler.compiled.remove(key)
        compiler.load(key)

    monkeypatch.setattr(warmup, "load_compiled", load)
    compiler.first_two = threading.Barrier(1)
    warming = Warmup(["warm"])
    warming.load()
    warming.run()
    assert compiler.did == ["load warm", "compile warm", "load warm"]


SERVER = """
import sys, threading
from tablee import games
from tablee.core import fairness, jit
from tablee.core.match import Match
from tablee.server.ops.warmup import Warmup
warming = Warmup(["sticks"])
warming.load()
game = games.find("sticks")
match = Match(game, 2, {}, fairness.seed_for(1, 1))
match.play(match.to_act[0], 1)
print("numba" in sys.modules)
behind = threading.Thread(target=warming.run)
behind.start()
while behind.is_alive():
    other = Match(game, 2, {}, fairness.seed_for(1, 1))
    other.play(other.to_act[0], 1)
    behind.join(0.1)
match.play(match.to_act[0], 1)
print(*{each.__name__ for each in jit.room("sticks").rules if not each.uses_python})
"""
COMPILED = {"apply", "to_act", "choose", "legal", "sticks_left"}


def test_servers_on_a_cold_computer_play_without_a_compiler_and_change_over(cold_plugin_game: PluginGame) -> None:
    """The first move needs no compiler; then each server changes over to machine code in the same game."""
    for process in [cold_plugin_game.start(SERVER) for _ in range(2)]:
        first, compiled = output_of(process).splitlines()
        assert first == "False"
        assert set(compiled.split()) >= COMPILED
    assert cold_plugin_game.compiled() == []


@pytest.mark.parametrize("left", [None, b""])
def test_machine_code_that_went_bad_is_made_again(warm_plugin_game: PluginGame, left: bytes | None) -> None:
    (file,) = warm_plugin_game.folders()[0].glob("kernel.apply-*.code")
    file.write_bytes(file.read_bytes()[:-1] + b"?" if left is None else left)
    assert set(warm_plugin_game.run(SERVER).splitlines()[-1].split()) >= COMPILED
    warm_plugin_game.run("from tablee.bots import warmup; assert warmup.is_warm('sticks')")


def test_rules_that_do_not_compile_are_played_all_the_same(plugin_game: PluginGame) -> None:
    kernel = plugin_game.room / "kernel.py"
    kernel.write_text(kernel.read_text().replace("return state.left\n", "return {0: state.left}[0] + len([object()]) - 1\n"))
    program = SERVER[: SERVER.index("behind = ")] + "warming.run()\nprint(match.play(match.to_act[0], 1).state.left)\n"
    process = subprocess.run(plugin_game.command(program), env=plugin_game.environment, capture_output=True, text=True, check=True)
    assert process.stdout.split()[-1] == "7"
    assert process.stderr.startswith("sticks plays on as plain Python: ")
    assert process.stderr.count("\n") == 1


def test_a_compiler_ends_with_the_server_that_started_it(plugin_game: PluginGame) -> None:
    """It ends also when the server is killed: its pipe reaches the end, though this room would never compile."""
    pipe = plugin_game.folder / "pipe"
    os.mkfifo(pipe)
    sitting = f"import time\nwriting = open({str(pipe)!r}, 'w')\nprint('at work', file=writing, flush=True)\nwhile True: time.sleep(1)\n"
    (plugin_game.room / "kernel.py").write_text(sitting)
    server = plugin_game.start("from tablee.bots import warmup; warmup.wait_for(warmup.start('sticks'))")
    with pipe.open() as reading:
        assert reading.readline() == "at work\n"
        server.kill()
        assert reading.read() == ""
    server.communicate()


STUCK = """
import os, sys
if "tablee.bots.warmup" in sys.orig_argv:
    sys.stdin.read()
    os._exit(1)
"""


def test_a_cold_server_seats_people_while_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compilers of this server never finish."""
    (tmp_path / "sitecustomize.py").write_text(STUCK)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *(place for place in sys.path if place)]))
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path / "cache"))
    server = ServerProcess(tmp_path).start()
    try:
        made = server.create("rolling-village", ["Ada", "greedy"])
        path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
        seen = server.ask("GET", path, token=token)
        server.ask("POST", f"{path}/moves", {"move": seen["legal"][0], "at": seen["version"], "id": "first"}, token)
        assert not list(tmp_path.glob("cache/tablee/*/*.code"))
    finally:
        server.stop()
