"""`tablee dataset`: one row per decision of the games that `tablee simulate` plays, with only what the seat may know."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from pyarrow import parquet

from tablee import bots, games
from tablee.arena import Plan, dataset
from tablee.cli import main
from tablee.core import fairness
from tablee.core.match import Match
from tests.rounds import rounds

GAME = "rolling-village"
COLUMNS = ["game", "line", "seat", "bot", "seen", "legal", "move", "text", "score", "final_score", "share"]


@pytest.fixture(autouse=True)
def in_an_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def write(key: str, *arguments: str) -> None:
    assert main(["dataset", key, "--seed", "5", "--out", "d.parquet", *arguments]) == 0


@pytest.mark.parametrize(
    ("levels", "key"),
    [("greedy,random", key) for key in games.known()]
    + [("search:nodes=3,easy", key) for key in rounds(few=["rolling-village"], many=games.known())],
)
def test_every_decision_of_a_match_is_a_row(key: str, levels: str) -> None:
    write(key, "--bots", levels, "--games", "2")
    rows = iter(parquet.read_table("d.parquet").to_pylist())
    game = games.find(key)
    for number in (1, 2):
        match = Match(game, 2, {}, fairness.seed_for(5, number))
        match_rows = []
        for seat, move in bots.decisions(match, [bots.find(name) for name in levels.split(",")]):
            row = next(rows)
            match_rows.append(row)
            assert (row["game"], row["line"], row["seat"], row["bot"]) == (number, len(match.log), seat, levels.split(",")[seat])
            assert (row["move"], row["text"]) == (move, game.show(move))
            assert sorted(row["legal"]) == game.legal(match.state, seat)
            assert row["seen"] == game.observe(match.state, seat).state.tobytes()
            assert row["score"] == game.scores(match.state)[seat]
        outcome = game.outcome(match.state)
        for row in match_rows:
            assert row["final_score"] == outcome.scores[row["seat"]]
            assert row["share"] == (1 / len(outcome.winners) if row["seat"] in outcome.winners else 0)
    assert next(rows, None) is None


def test_pandas_and_polars_read_it_in_one_line() -> None:
    write(GAME, "--games", "3")
    frames: list[Any] = [pandas.read_parquet("d.parquet"), polars.read_parquet("d.parquet")]
    for frame in frames:
        assert list(frame.columns) == COLUMNS
        assert frame["game"].n_unique() == 3 if isinstance(frame, polars.DataFrame) else frame["game"].nunique() == 3
    assert frames[0]["text"].tolist() == frames[1]["text"].to_list()
    assert np.array_equal(frames[0]["legal"][0], frames[1]["legal"][0].to_numpy())


@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=games.known()))
def test_the_same_arguments_give_the_same_bytes_whatever_the_jobs(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "GAMES_PER_CHUNK", 2)
    monkeypatch.setattr(dataset, "ROW_GROUP_BYTES", 1 << 20)
    write(key, "--bots", "random", "--games", "7")
    write(key, "--bots", "random", "--games", "7", "--jobs", "2", "--out", "two.parquet")
    assert (tmp_path / "d.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_off_a_terminal_one_line_says_that_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    write(GAME, "--games", "3", "--lang", "en")
    assert capsys.readouterr() == ("", "3 games are in d.parquet\n")


def test_the_file_says_what_was_played() -> None:
    write(GAME, "--games", "1", "--seats", "3", "--option", "setup_types=free")
    found = json.loads(parquet.read_schema("d.parquet").metadata[b"tablee"])
    assert found == {
        "game": GAME,
        "rules": games.find(GAME).rules,
        "components": games.find(GAME).components.sha256,
        "seats": 3,
        "bots": ["greedy"] * 3,
        "options": {"setup_types": "free"},
        "games": 1,
        "seed": 5,
    }


def test_it_is_written_piece_by_piece(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Memory is bounded, and the progress bar moves with every chunk."""
    monkeypatch.setattr(dataset, "GAMES_PER_CHUNK", 2)
    monkeypatch.setattr(dataset, "ROW_GROUP_BYTES", 1)
    plan = Plan.of(games.find(GAME), 2, ["random", "random"], {}, 5)
    seen = []
    for written in dataset.write_dataset(plan, 6, tmp_path / "d.parquet"):
        seen.append((written, (tmp_path / ".d.parquet.part").exists(), (tmp_path / "d.parquet").exists()))
    assert seen == [(2, True, False)] * 3
    assert parquet.ParquetFile("d.parquet").metadata.num_row_groups == 3
    assert [file.name for file in tmp_path.iterdir()] == ["d.parquet"]


def test_an_interrupted_command_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablee", "dataset", "mayflower", "--games", "300000", "--jobs", "2", "--out", "d.parquet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | {"LANG": "C"}) as running:
        while running.poll() is None and not (tmp_path / ".d.parquet.part").exists():
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        assert running.stderr is not None
        assert running.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "tablee.arena.dataset")
    monkeypatch.delattr("tablee.arena.dataset")
    assert main(["dataset", GAME, "--out", "d.parquet", "--lang", "en"]) == 2
    assert capsys.readouterr().err == "tablee: tablee dataset needs pyarrow: pip install 'tablee[research]'\n"
    assert list(tmp_path.iterdir()) == []
