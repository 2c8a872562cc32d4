"""The server's games in Pyodide, the browser's Python: the same states byte for byte, and the same thoughts by compiled loops."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tablee.site.archive import site_games
from tests.rounds import rounds
from tests.site import replayed, thought

HERE = Path(__file__).parent
PYODIDE = HERE.parent.parent / "node_modules" / "pyodide"
GAMES = rounds(few=2, many=1000)  # of each room
THOUGHT_OVER = rounds(few=1, many=20)
NODE = Path(sys.executable).parent / "node"


def played(key: str, number: int) -> str:
    game = games.find(key)
    seats = game.seats[number % len(game.seats)]
    level = bots.GREEDY if number % 10 == 9 else bots.RANDOM
    return record.dump(record.write(bots.play_out(Match(game, seats, {}, fairness.seed_for(1, number)), [level] * seats)))


def in_pyodide(program: Any, texts: list[str], archive: Path, folder: Path) -> Any:
    """Return what the program's function `run` returns there."""
    (folder / "records.json").write_text(json.dumps(texts), encoding="utf-8")
    command = [NODE, HERE / "run.mjs", PYODIDE.resolve(), archive, program.__file__, folder / "records.json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.timeout(3600)
def test_records_replay_to_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    texts = [played(key, number) for key in site_games() for number in range(GAMES)]
    assert in_pyodide(replayed, texts, archive, tmp_path) == replayed.run(texts)


@pytest.mark.timeout(3600)
def test_bots_and_the_coach_think_the_same(archive: Path, tmp_path: Path) -> None:
    texts = [played(key, number) for key in site_games() for number in range(THOUGHT_OVER)]
    assert in_pyodide(thought, texts, archive, tmp_path) == thought.run(texts)
