"""The rooms are found, not listed: a folder here that has an `open_box` is a game of the house."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from types import ModuleType

from tablee.core import components
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.words import say

COMPONENTS = "components.toml"


@cache
def known() -> tuple[str, ...]:
    """The games' keys, as in commands, URLs and records."""
    return tuple(sorted(room.name.replace("_", "-") for room in pkgutil.iter_modules(__path__) if room.ispkg))


def folder(key: str) -> Path:
    """Where a room stands, without opening it."""
    return Path(__path__[0]) / key.replace("-", "_")


@cache
def find(key: str, box: Path | None = None) -> Game:
    """A game with the box that comes with it, or with a corrected one."""
    _room(key)
    return open_box(key, components.load(box or folder(key) / COMPONENTS))


def open_box(key: str, box: components.Components) -> Game:
    game: Game = _room(key).open_box(box)
    return game


def _room(key: str) -> ModuleType:
    if key not in known():
        raise TableeError(say("there is no game {key!r}; there are: {known}", key=key, known=", ".join(known())))
    return importlib.import_module(f"{__name__}.{key.replace('-', '_')}")
