"""A game that `tablee new-game` has written, as a package that this process and those that it starts can find."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tablee.cli.new_game import write


def write_guest(folder: Path, key: str, kinds: set[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the game into the folder and return its package; processes started later find it, with rules as plain Python."""
    write(folder / key, key, kinds)
    package = key.replace("-", "_")
    metadata = folder / key / f"{package}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[tablee.games]\n{key} = {package}\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder / key), *filter(None, sys.path)]))
    monkeypatch.setenv("TABLEE_PLAIN", "1")
    return folder / key / package
