"""Records of the server's rules, replayed in Pyodide, the browser's Python: the same states byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tablee.site.archive import site_games
from tests.rounds import rounds
from tests.site.replayed import replayed

HERE = Path(__file__).parent
PYODIDE = HERE.parent.parent / "node_modules" / "pyodide"
GAMES = rounds(few=2, many=1000)  # of each room
NODE = Path(sys.executable).parent / "node"


def played(key: str, number: int) -> str:
    game = games.find(key)
    seats = game.seats[number % len(game.seats)]
    level = bots.GREEDY if number % 10 == 9 else bots.RANDOM
    return record.dump(record.write(bots.play_out(Match(game, seats, {}, fairness.seed_for(1, number)), [level] * seats)))


@pytest.mark.timeout(3600)
def test_records_replay_to_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    texts = [played(key, number) for key in site_games() for number in range(GAMES)]
    (tmp_path / "records.json").write_text(json.dumps(texts), encoding="utf-8")
    command = [str(NODE), str(HERE / "replay.mjs"), str(PYODIDE.resolve()), str(archive), str(tmp_path / "records.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [replayed(text) for text in texts]
