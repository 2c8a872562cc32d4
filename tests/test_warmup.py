"""Warm-up: a command for one game never waits for the compiler; one for thousands of games does, and says so."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablee import games
from tablee.bots import warmup
from tablee.cli import main
from tablee.core import cache
from tablee.core.jit import PYTHON_ONLY
from tests.plugin_game import PluginGame

pytestmark = pytest.mark.skipif(PYTHON_ONLY, reason="nothing is compiled")
ON_A_TERMINAL = """
import sys
from tablee.cli import main
sys.stderr.isatty = lambda: True
print(main(sys.argv[1:]), "numba" in sys.modules)
"""


def run(plugin_game: PluginGame, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    arguments = [*plugin_game.command(ON_A_TERMINAL), *command]
    return subprocess.run(arguments, env=plugin_game.environment | {"LC_ALL": "C"}, input=typed, capture_output=True, text=True, check=True)


def warmed(plugin_game: PluginGame) -> bool:
    return bool(list(plugin_game.folder.glob("cache/tablee/*/warm")))


@pytest.mark.parametrize("key", games.known())
def test_a_warm_room_has_the_rollouts_without_which_nobody_coaches(key: str) -> None:
    warmup.warm_once(key)
    folder = cache.folder_of(games.package(key))
    assert folder is not None
    assert list(folder.glob("core_loops.rollout-*"))


def test_a_game_in_the_terminal_is_played_at_once_and_compiled_once_it_is_warm(plugin_game: PluginGame, machine_code: Path) -> None:
    cold = run(plugin_game, "play", "sticks", "--seed", "1", typed="1\n" * 9)
    assert cold.stdout.splitlines()[-1] == "0 False", cold.stdout
    shutil.copytree(machine_code, plugin_game.cache, dirs_exist_ok=True)
    warm = run(plugin_game, "play", "sticks", "--seed", "1", typed="1\n" * 9)
    assert warm.stdout.splitlines()[-1] == "0 True"
    assert warm.stdout.splitlines()[:-1] == cold.stdout.splitlines()[:-1]


def test_a_long_simulation_compiles_once_and_records_need_no_compiler(cold_plugin_game: PluginGame) -> None:
    plugin_game = cold_plugin_game
    first, again = (run(plugin_game, "simulate", "sticks", "--games", "2", "--record", str(plugin_game.folder / name)) for name in "ab")
    assert "compiling the rules of sticks, once and for all\n" in first.stderr
    assert "compiling" not in again.stderr
    assert warmed(plugin_game)
    record = str(plugin_game.folder / "a/game-00001.json")
    for command in ("replay", "verify"):
        assert run(plugin_game, command, record).stdout.splitlines()[-1] == "0 False"


def test_a_measurement_compiles_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("tablee.cli.bench.compile_first", lambda key, _: asked.append(key))
    monkeypatch.setattr("tablee.cli.bench._progress", lambda _: sys.exit())
    with pytest.raises(SystemExit):
        main(["bench", "mayflower"])
    assert asked == ["mayflower"]


def test_on_a_pipe_compiling_is_said_beside_the_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    done: list[str] = []
    monkeypatch.setattr("tablee.bots.warmup.is_warm", done.__contains__)
    monkeypatch.setattr("tablee.bots.warmup.warm", done.append)
    assert main(["simulate", "rolling-village", "--games", "1", "--json"]) == 0
    printed = capsys.readouterr()
    assert (done, printed.err) == (["rolling-village"], "compiling the rules of rolling-village, once and for all\n")
    assert json.loads(printed.out)["games"] == 1
