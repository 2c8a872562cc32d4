"""`tablee dataset --observations --card`: what the environments show in every row, and what is written beside the file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from tablee import games
from tablee.cli import main
from tablee.research.spaces import Spaces


@pytest.mark.parametrize(("key", "seats"), [("rolling-village", 1), ("mayflower", 2)])
def test_every_row_has_what_the_environment_shows(key: str, seats: int, tmp_path: Path) -> None:
    file, game = tmp_path / "d.parquet", games.find(key)
    arguments = ["--seats", str(seats), "--games", "2", "--bots", "greedy", "--observations", "--card", "--out", str(file)]
    assert main(["dataset", key, *arguments]) == 0
    spaces, rows = Spaces(game, seats), parquet.read_table(file).to_pylist()
    assert len(rows) > 20
    for row in rows:
        state = game.kernel.state.from_bytes(row["seen"])
        observation, mask = spaces.observe_and_mask(state, row["seat"])
        assert row["observation"] == observation.tolist()
        assert row["mask"] == mask.tolist()
        assert spaces.decode(state, row["seat"], row["actions"]) == row["move"]
        assert row["legal"][row["candidate"]] == row["move"]
        points, win = row["final_score"] - row["score"], 2 * row["share"] - 1
        assert row["return"] == (points if seats == 1 else win)


def test_the_card_and_the_metadata_describe_the_file(tmp_path: Path) -> None:
    file = tmp_path / "d.parquet"
    assert main(["dataset", "rolling-village", "--seats", "1", "--games", "1", "--observations", "--card", "--out", str(file)]) == 0
    card, croissant = (
        (tmp_path / "d.md").read_text(encoding="utf-8"),
        json.loads((tmp_path / "d.croissant.json").read_text(encoding="utf-8")),
    )
    fingerprint, names = Spaces(games.find("rolling-village"), 1).fingerprint, parquet.read_schema(file).names
    assert json.loads(parquet.read_schema(file).metadata[b"tablee"])["fingerprint"] == fingerprint == croissant["version"]
    assert fingerprint in card
    assert all(f"`{name}`" in card for name in names)
    assert [each["name"] for each in croissant["recordSet"][0]["field"]] == names
    assert croissant["distribution"][0]["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    kinds = {each["name"]: each["dataType"] for each in croissant["recordSet"][0]["field"]}
    assert (kinds["observation"], kinds["return"], kinds["share"], kinds["text"]) == ("sc:Integer", "sc:Float", "sc:Float", "sc:Text")
    assert np.isfinite(parquet.read_table(file)["return"].to_numpy()).all()
