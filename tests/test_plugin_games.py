"""Games that other packages bring: whatever is wrong with one of them, it alone is left out, in one line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.plugin_game import PluginGame

STALE = "the game 'stale' is named by a package that is not there: "
BROKEN = "the game 'broken' cannot be opened: RuntimeError: not today"
ALIAS = "the game 'alias' is named by a package that opens another game: 'sticks'"


@pytest.fixture
def plugin_game(tmp_path: Path) -> PluginGame:
    """One that works; one whose package is gone, one whose import fails, one that is announced under another name."""
    made = PluginGame(tmp_path)
    made.register("stale", "gone_for_good.game")
    made.register("broken", "broken_game")
    made.register("alias", "sticks")
    (tmp_path / "broken_game").mkdir()
    (tmp_path / "broken_game/__init__.py").write_text("raise RuntimeError('not\\ntoday')\n")
    (tmp_path / "broken_game/components.toml").touch()
    return made


def run(guest: PluginGame, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(guest.command(program), env=guest.environment | environment, capture_output=True, text=True, check=True)


SERVER = """
from pathlib import Path
from starlette.testclient import TestClient
from tablee.server.app import make_app
from tablee.server.storage.store import Store
from tablee.server.registry import House
store = Store.in_folder(Path({folder!r}))
with TestClient(make_app(House(store, pace=0))) as client:
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


def test_the_server_opens_without_them(guest: PluginGame) -> None:
    said = run(guest, SERVER.format(folder=str(guest.folder)))
    first, again, stale, broken, alias = said.stdout.splitlines()
    assert first == again
    assert {"mayflower", "sticks"} <= set(first.split())
    assert not {"stale", "broken", "alias"} & set(first.split())
    assert (stale, broken, alias) == (STALE + "gone_for_good.game", BROKEN, ALIAS)
    assert sorted(said.stderr.splitlines()) == sorted((stale, broken, alias))


@pytest.mark.parametrize(("key", "sentence"), [("stale", STALE), ("broken", BROKEN), ("alias", ALIAS)])
def test_asked_for_by_name_it_says_what_is_wrong(guest: PluginGame, key: str, sentence: str) -> None:
    program = f"from tablee import games\ntry: games.find({key!r})\nexcept games.TableeError as error: print(error)"
    assert run(guest, program).stdout.startswith(sentence)


def test_a_game_that_cannot_be_opened_holds_up_no_other(guest: PluginGame, machine_code: Path) -> None:
    """`tablee warm`, and what `tablee bench` measures. Nobody has said yet that the machine code is all there."""
    shutil.copytree(machine_code, guest.cache, ignore=shutil.ignore_patterns("warm"))
    program = """
from tablee import games
from tablee.cli import main
games.rooms = lambda: {"broken": "broken_game", "sticks": "sticks"}
print(*(game.key for game in games.open_all()), main(["warm"]))
"""
    said = run(guest, program, LC_ALL="C")
    assert said.stdout.split() == ["sticks", "1"]
    assert f"broken: the rules could not be compiled: {BROKEN}" in said.stderr.splitlines()
    assert list(guest.cache.glob("tablee/sticks-*/warm"))
