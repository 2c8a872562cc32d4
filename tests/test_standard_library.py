"""Plain play needs the standard library only: the same games, byte for byte, as the machine code plays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from tablee import games

THIRD_PARTY = sorted(set(packages_distributions()) - {"tablee"})
BLOCK = f"import sys; sys.modules.update(dict.fromkeys({THIRD_PARTY!r}))\n"  # from here on, importing them raises ModuleNotFoundError
PLAY = """
import hashlib, json, sys
from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.i18n import Translator
from tablee.core.match import Match

game = games.find(sys.argv[1])
seats = game.seats[min(1, len(game.seats) - 1)]
match = bots.play_out(Match(game, seats, {}, fairness.seed_for(1, 1)), [bots.GREEDY, bots.EASY] * seats)
text = record.dump(record.write(match))
verdict = record.verify(games.find, text)
translator = Translator("fr")
views = [game.view(game.observe(match.at(line).state, seat)) for line in range(0, len(match.log), 9) for seat in (None, 0)]
print(json.dumps({
    "record": text,
    "draws": verdict.draws,
    "state": match.state.tobytes().hex(),
    "states": hashlib.sha256(b"".join(match.at(line).state.tobytes() for line in range(len(match.log)))).hexdigest(),
    "narration": [translator(event.sentence) for events in match.events for event in events],
    "views": hashlib.sha256(json.dumps(views, default=str).encode()).hexdigest(),
    "board": game.text_board(match.state),
    "plain": "numpy" not in sys.modules or sys.modules["numpy"] is None,
}))
"""
SEARCH = """
from tablee import bots, games
from tablee.core import fairness
from tablee.core.match import Match

bots.play_out(Match(games.find("rolling-village"), 1, {}, fairness.seed_for(1, 1)), [bots.MEDIUM])
"""


def run(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "TABLEE_PLAIN"} | {"LC_ALL": "C"}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, input="", env=environment, cwd=folder, check=False)


def played(program: str, key: str, folder: Path) -> dict[str, Any]:
    done = run(program, key, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("key", games.known())
def test_a_whole_game_is_the_same_without_numpy(key: str, tmp_path: Path) -> None:
    plain, compiled = (played(program, key, tmp_path) for program in (BLOCK + PLAY, PLAY))
    assert (plain.pop("plain"), compiled.pop("plain")) == (True, False)
    assert plain == compiled
    assert plain["draws"] > 0


def test_a_search_says_that_it_needs_numpy(tmp_path: Path) -> None:
    done = run(BLOCK + SEARCH, folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("TableeError: bots that search need NumPy: pip install numpy")


COMMAND = f"{BLOCK}from tablee.__main__ import main; sys.exit(main())"
EXAMPLE = games.folder("mayflower") / "example.json"


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("--help", "simulate"),
        ("games", "Rolling Village"),
        ("play rolling-village --seed 1", "the seed was"),
        (f"replay {EXAMPLE}", "bag"),
        (f"verify {EXAMPLE} --lang fr", "suivent toutes les règles"),
    ],
)
def test_the_command_plays_tells_and_checks_games(command: str, printed: str, tmp_path: Path) -> None:
    done = run(COMMAND, *command.split(), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


@pytest.mark.parametrize("command", ["simulate", "arena", "bench", "dataset --out x.parquet", "components"])
def test_a_command_that_needs_a_package_says_in_one_line_what_to_install(command: str, tmp_path: Path) -> None:
    name, *options = command.split()
    done = run(COMMAND, name, "mayflower", *options, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"tablee: the command needs the package (\w+): pip install \1\n", done.stderr)
