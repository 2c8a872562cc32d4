"""`tablee check-game` says what is wrong with a game of another package; what is right, `make test` and `test_dist.py` see."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tablee.cli import main
from tests.plugin_game import PluginGame


def check(game: PluginGame, words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tablee", "check-game", "sticks", "--only", words]
    return subprocess.run(command, env=game.environment | {"TABLEE_PLAIN": "1"}, capture_output=True, text=True, check=False)


def test_a_lawful_game_passes_a_check_and_no_other_game_is_looked_at(plugin_game: PluginGame) -> None:
    completed = check(plugin_game, "longer_than_most_moves")
    assert completed.returncode == 0, completed.stdout
    assert "[sticks-2-{}] PASSED" in completed.stdout
    assert "mayflower" not in completed.stdout


def test_a_list_that_is_too_long_fails_it(plugin_game: PluginGame) -> None:
    kernel = plugin_game.room / "kernel.py"
    kernel.write_text(kernel.read_text().replace("MOST_MOVES, SECRETS = 2", "MOST_MOVES, SECRETS = 1"))
    completed = check(plugin_game, "longer_than_most_moves")
    assert completed.returncode == 1
    assert "writes a list longer than MOST_MOVES, which is 1" in completed.stdout


def test_a_hidden_number_that_the_view_shows_fails_it(plugin_game: PluginGame) -> None:
    kernel = plugin_game.room / "kernel.py"
    kernel.write_text(
        kernel.read_text()
        .replace("randbelow(rng, 2)", "state.left = 1 + randbelow(rng, 9)")
        .replace("SECRETS = 2, False", "SECRETS = 2, True")
    )
    completed = check(plugin_game, "keeps_the_laws")
    assert completed.returncode == 1
    assert "check_hidden_information" in completed.stdout


def test_a_score_that_tells_a_secret_fails_it(plugin_game: PluginGame) -> None:
    kernel = plugin_game.room / "kernel.py"
    kernel.write_text(
        kernel.read_text()
        .replace("    turn: int = field()\n", "    turn: int = field()\n    secret: int = field()\n")
        .replace("    pass\n", "    state.secret = 0\n")
        .replace("randbelow(rng, 2)", "state.secret = 1 + randbelow(rng, 9)")
        .replace("return int(wins(box, state, seat))", "return state.secret")
        .replace("SECRETS = 2, False", "SECRETS = 2, True")
    )
    completed = check(plugin_game, "keeps_the_laws")
    assert completed.returncode == 1
    assert "everybody sees all scores" in completed.stdout


def test_a_missing_file_is_named(plugin_game: PluginGame) -> None:
    completed = check(plugin_game, "files")
    assert completed.returncode == 1
    assert "sticks lacks RULES.md" in completed.stdout


def test_no_such_game_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "chess"]) == 2
    assert capsys.readouterr().err.startswith("tablee: ")
