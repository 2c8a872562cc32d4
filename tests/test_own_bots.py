"""Bots of other packages: named in the entry point group `tablee.bots`, or as `module:function`."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tablee import bots
from tablee.cli import main
from tablee.core.errors import TableeError

HASTY = """
def hasty(game, seen, rng):
    return game.legal(seen.state, seen.seat)[-1]

number = 5
"""


@pytest.fixture(autouse=True)
def with_a_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "somebodys_bots.py").write_text(HASTY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    bots.packaged.cache_clear()


def arena(capsys: pytest.CaptureFixture[str], names: str) -> list[dict[str, Any]]:
    assert main(["arena", "rolling-village", "--bots", names, "--games", "4", "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["bots"]
    return found


def test_the_arena_seats_a_function_of_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    found = arena(capsys, "somebodys_bots:hasty,random")
    assert [(each["bot"], each["games"]) for each in found] == [("somebodys_bots:hasty", 4), ("random", 4)]


def test_an_installed_package_names_its_bots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [metadata.EntryPoint(name, "somebodys_bots:hasty", "tablee.bots") for name in ("hasty", "greedy")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == "tablee.bots" else [])
    assert arena(capsys, "hasty,random")[0]["bot"] == "hasty"
    assert "hasty" in bots.known()
    assert bots.find("greedy") is bots.GREEDY, "a built-in bot keeps its name"
    bots.packaged.cache_clear()


def test_a_bot_that_cannot_be_loaded_is_explained_in_a_sentence() -> None:
    for name, reason in {
        "no_such_module:bot": "the bot no_such_module:bot cannot be loaded: ModuleNotFoundError",
        "somebodys_bots:slow": "the bot somebodys_bots:slow cannot be loaded: AttributeError",
        "somebodys_bots:number": "the bot somebodys_bots:number is no function",
        "somebodys_bots:": "there is no bot 'somebodys_bots:'",
    }.items():
        with pytest.raises(TableeError, match=reason):
            bots.find(name)


def test_a_table_of_the_server_seats_only_the_levels() -> None:
    with pytest.raises(TableeError, match="there is no bot 'somebodys_bots:hasty'"):
        bots.find_for_table("somebodys_bots:hasty")
