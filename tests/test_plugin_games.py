"""Games of other packages: a faulty one is left out alone, with one line that says why."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.plugin_game import PluginGame

STALE = "the game 'stale' is named by a package that is not there: "
BROKEN = "the game 'broken' cannot be opened: RuntimeError: not today ({folder}/broken_game/__init__.py, line 1)"
ALIAS = "the game 'alias' is named by a package that opens another game: 'sticks'"


@pytest.fixture
def plugin_game(tmp_path: Path) -> PluginGame:
    """Return a working game beside three faulty ones: no package, a failing import, another name."""
    made = PluginGame(tmp_path)
    made.register("stale", "gone_for_good.game")
    made.register("broken", "broken_game")
    made.register("alias", "sticks")
    (tmp_path / "broken_game").mkdir()
    (tmp_path / "broken_game/__init__.py").write_text("raise RuntimeError('not\\ntoday')\n")
    (tmp_path / "broken_game/components.toml").touch()
    return made


def run(plugin_game: PluginGame, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        plugin_game.command(program), env=plugin_game.environment | environment, capture_output=True, text=True, check=True
    )


SERVER = """
from pathlib import Path
from starlette.testclient import TestClient
from tablee.server.app import make_app
from tablee.server.storage.store import Store
from tablee.server.table.config import TableConfig
from tablee.server.registry import TableRegistry
store = Store.in_folder(Path({folder!r}))
with TestClient(make_app(TableRegistry(store, config=TableConfig(bot_pace=0)))) as client:
    for _ in range(2):
        page = client.get("/")
        assert page.status_code == 200, page.text
        assert "/new/sticks" in page.text
        assert "/new/mayflower" in page.text
        assert client.get("/credits").status_code == 200
        print(*(game["game"] for game in client.get("/api/games").json()))
    for key in ("stale", "broken", "alias"):
        print(client.post("/api/tables", json={{"game": key, "seats": [{{"kind": "human"}}] * 2}}).json()["error"])
store.close()
"""


def test_the_server_opens_without_them(plugin_game: PluginGame) -> None:
    completed = run(plugin_game, SERVER.format(folder=str(plugin_game.folder)))
    first, again, stale, broken, alias = completed.stdout.splitlines()
    assert first == again
    assert {"mayflower", "sticks"} <= set(first.split())
    assert not {"stale", "broken", "alias"} & set(first.split())
    assert (stale, broken, alias) == (STALE + "gone_for_good.game", BROKEN.format(folder=plugin_game.folder), ALIAS)
    assert sorted(completed.stderr.splitlines()) == sorted((stale, broken, alias))


@pytest.mark.parametrize(("key", "sentence"), [("stale", STALE), ("broken", BROKEN), ("alias", ALIAS)])
def test_asked_for_by_name_it_says_what_is_wrong(plugin_game: PluginGame, key: str, sentence: str) -> None:
    program = f"from tablee import games\ntry: games.find({key!r})\nexcept games.TableeError as error: print(error)"
    assert run(plugin_game, program).stdout.startswith(sentence.format(folder=plugin_game.folder))


def test_a_game_that_cannot_be_opened_holds_up_no_other(plugin_game: PluginGame, machine_code: Path) -> None:
    """`tablee warm`, and the start that `tablee bench` measures; the cache is not marked warm yet."""
    shutil.copytree(machine_code, plugin_game.cache, ignore=shutil.ignore_patterns("warm"))
    program = """
from tablee import games
from tablee.cli import main
games.rooms = lambda: {"broken": "broken_game", "sticks": "sticks"}
print(*(game.key for game in games.open_all()), main(["warm"]))
"""
    completed = run(plugin_game, program, LC_ALL="C")
    assert completed.stdout.split() == ["sticks", "1"]
    broken = BROKEN.format(folder=plugin_game.folder)
    assert f"broken: the rules could not be compiled: {broken}" in completed.stderr.splitlines()
    assert list(plugin_game.cache.glob("tablee/sticks-*/warm"))
