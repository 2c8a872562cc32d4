"""`disk_cached`: a drawing is made once for each version of a room, then read from disk."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tablee.core import cache

SCENE = """
from tablee.core.memoisation import disk_cached
from draws.art.pen import LINE
made = []

@disk_cached
def drawing(*given):
    made.append(given)
    return f"{LINE} {given}"
"""
Draw = Callable[[], ModuleType]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Return a function that imports the room afresh, as a new process would."""
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    (room := tmp_path / "draws" / "art").mkdir(parents=True)
    (tmp_path / "draws" / "__init__.py").touch()
    (tmp_path / "draws" / "scene.py").write_text(SCENE)
    (room / "pen.py").write_text("LINE = 'thin'")

    def fresh() -> ModuleType:
        cache.stamp_of.cache_clear()
        for name in [each for each in sys.modules if each.split(".")[0] == "draws"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return importlib.import_module("draws.scene")

    return fresh


def test_it_is_made_once_and_then_read(start: Draw) -> None:
    first = start()
    assert first.drawing(1, "a") == first.drawing(1, "a") == "thin (1, 'a')"
    assert first.made == [(1, "a")]
    second = start()
    assert second.drawing(1, "a") == "thin (1, 'a')"
    assert second.made == []
    assert second.drawing(2) == "thin (2,)"


def test_another_pen_draws_it_anew(start: Draw, tmp_path: Path) -> None:
    start().drawing(1)
    (tmp_path / "draws" / "art" / "pen.py").write_text("LINE = 'thick'")
    assert start().drawing(1) == "thick (1,)"


def test_a_damaged_one_is_drawn_anew(start: Draw, tmp_path: Path) -> None:
    start().drawing(1)
    (file,) = tmp_path.rglob("*.text")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert start().drawing(1) == "thin (1,)"
