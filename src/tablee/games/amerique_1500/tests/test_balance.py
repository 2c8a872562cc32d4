"""The box that comes with the game favours no society, as far as a few games can tell; docs/balance.md has the many."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[5] / "bench" / "balance.py"
COMPILED = {name: value for name, value in os.environ.items() if name != "TABLEE_PLAIN"}
GAMES = "960"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], env=COMPILED, capture_output=True, text=True, check=False)


def balance(*arguments: str) -> dict[str, Any]:
    finished = run("--games", GAMES, "--json", *arguments)
    assert finished.returncode == 0, finished.stderr
    found: dict[str, Any] = json.loads(finished.stdout)
    return found


@pytest.mark.parametrize("version", ["quick", "full"])
def test_no_society_and_no_seat_is_favoured(version: str) -> None:
    found = balance("--version", version)
    assert found["games"] >= int(GAMES)
    assert all(20 < rate["percent"] < 30 for rate in found["societies"].values())
    assert found["turn order"][0]["percent"] < 28
    assert 8 <= found["rounds"]["mean"] <= 16


def test_a_team_of_greedy_bots_neither_always_wins_nor_always_loses() -> None:
    found = balance("--coop")
    assert 35 < found["team wins"]["percent"] < 75


def test_a_wrong_box_is_named_and_nothing_is_played(tmp_path: Path) -> None:
    finished = run("--components", str(tmp_path / "none.toml"))
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert "none.toml cannot be read" in finished.stderr
