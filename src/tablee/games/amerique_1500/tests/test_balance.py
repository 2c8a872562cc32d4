"""The box of the game favours no society, keeps games short and can be laid out with real pieces.

These are a few games; docs/balance.md has many.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tablee import games

SCRIPT = Path(__file__).parents[5] / "bench" / "balance.py"
COMPILED = {name: value for name, value in os.environ.items() if name != "TABLEE_PLAIN"}
GAMES = "960"
ROUNDS = {"quick": (7, 10), "full": (9, 13)}  # 20 to 40 minutes, as the booklet says


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], env=COMPILED, capture_output=True, text=True, check=False)


@cache
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
    assert all(rate["percent"] < 31 for rate in found["turn order"])


@pytest.mark.parametrize("version", ["quick", "full"])
def test_a_game_takes_the_time_that_the_booklet_promises(version: str) -> None:
    found, (fewest, most) = balance("--version", version), ROUNDS[version]
    assert fewest - 0.1 <= found["rounds"]["mean"] <= most
    assert found["taps"]["90 %"] <= 10
    assert balance("--version", "quick")["rounds"]["mean"] < balance("--version", "full")["rounds"]["mean"]


@pytest.mark.parametrize("version", ["quick", "full"])
def test_a8_nearly_everybody_explores(version: str) -> None:
    assert balance("--version", version)["explore"]["percent"] > 93


@pytest.mark.parametrize("version", ["quick", "full"])
def test_a20_the_pieces_of_a_real_box_suffice(version: str) -> None:
    """99 of 100 games in docs/balance.md; a few games may be unlucky."""
    assert balance("--version", version)["pieces"]["percent"] > 98


def test_a_team_of_greedy_bots_mostly_wins() -> None:
    found = balance("--coop")
    assert found["team wins"]["percent"] > 80


def test_the_numbers_are_small_enough_for_a_table() -> None:
    facts = games.find("amerique-1500").components.data
    assert all(5 <= len(request["quick"]) <= 8 and 7 <= len(request["full"]) <= 10 for request in facts["requests"].values())
    assert all(len(item["cost"]) <= (3 if item["kind"] == "tool" else 4) for item in facts["items"].values())
    for face in facts["die"].values():
        assert 1 <= len(face.get("goods", "")) + face.get("cards", 0) + face.get("food", 0) <= 2


def test_a_wrong_box_is_named_and_nothing_is_played(tmp_path: Path) -> None:
    finished = run("--components", str(tmp_path / "none.toml"))
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert "none.toml cannot be read" in finished.stderr
