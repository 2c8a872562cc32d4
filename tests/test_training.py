"""Every shipped weights file is made again by the one command that training/README.md names; here on a few games."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parent.parent
FEW = {
    "mayflower_value": ["--games", "2"],
    "rolling_village_value": ["--games", "9", "--times", "2"],
    "amerique_1500": ["--games", "400", "--value-games", "40"],
}
ROW = re.compile(r"^\| `(src/[^`]+\.json)` \|.*\| `python -m training\.(\w+)` \|$", re.MULTILINE)


def commands() -> dict[str, list[Path]]:
    """Return the files that each command writes, as the page says."""
    found = defaultdict[str, list[Path]](list)
    for file, command in ROW.findall((PROJECT / "training/README.md").read_text(encoding="utf-8")):
        found[command].append(PROJECT / file)
    return found


def shape(value: Any) -> Any:
    """Return the keys, lengths and types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    return [shape(each) for each in value] if isinstance(value, list) else type(value)


def test_every_weights_file_has_a_command() -> None:
    assert set(commands()) == set(FEW)
    files = (PROJECT / "src/tablee/games").glob("*/*.json")
    shipped = {file for file in files if "weights" in json.loads(file.read_text(encoding="utf-8"))}
    assert {file for written in commands().values() for file in written} == shipped


@pytest.mark.parametrize("command", FEW)
def test_a_command_writes_the_files_that_are_shipped(command: str, tmp_path: Path) -> None:
    arguments = [*FEW[command], "--out", str(tmp_path)]
    subprocess.run([sys.executable, "-m", f"training.{command}", *arguments], cwd=PROJECT, check=True, capture_output=True)
    files = commands()[command]
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in files}
    for file in files:
        made, shipped = (json.loads(each.read_text(encoding="utf-8")) for each in (tmp_path / file.name, file))
        assert shape(made) == shape(shipped)
        assert f"python -m training.{command} {' '.join(FEW[command])} --seed 1" in json.dumps(made)
