"""Discovery of games: the subpackages of this package, and the packages of the entry point group `tablee.games`.

The games in `examples` are there to copy: they open if asked for by name, and `TABLEE_EXAMPLES=1` lists them with the others.

A third-party package registers itself with `my-game = my_package` and offers `open_box`. A game that cannot be found or opened is skipped
with one warning; asked for by name, it raises a `TableeError` with the reason.
"""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
import logging
import os
import pkgutil
import traceback
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from tablee.core import components
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import add_catalogues, msg

COMPONENTS = "components.toml"
ENTRY_POINT_GROUP = "tablee.games"
EXAMPLES = "examples"
LISTED = "TABLEE_EXAMPLES"  # the environment variable

logger = logging.getLogger(__name__)
_logging, _logged = Lock(), set[str]()


@cache
def rooms() -> Mapping[str, str]:
    """Return the package of each game by its key; a built-in game wins over a third-party one with the same key."""
    third_party = {entry.name: entry.value for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    listed = example_rooms() if os.environ.get(LISTED) == "1" else {}
    return dict(sorted((listed | third_party | _packages(__path__, __name__)).items()))


@cache
def example_rooms() -> dict[str, str]:
    """Return the package of each example by its key."""
    return _packages([str(Path(folder) / EXAMPLES) for folder in __path__], f"{__name__}.{EXAMPLES}")


def _packages(folders: Iterable[str], parent: str) -> dict[str, str]:
    found = (room.name for room in pkgutil.iter_modules(folders) if room.ispkg and room.name != EXAMPLES)
    return {name.replace("_", "-"): f"{parent}.{name}" for name in found}


@cache
def known() -> tuple[str, ...]:
    """Return the keys of the installed games, as commands, URLs and records write them."""
    return tuple(key for key in rooms() if _is_installed(key))


def _is_installed(key: str) -> bool:
    try:
        folder(key)
    except TableeError as error:
        _log_skipped(error)
        return False
    return True


def _log_skipped(error: TableeError) -> None:
    """Log why a game is skipped, once, although several threads may find out at the same time."""
    with _logging:
        if str(error) not in _logged:
            _logged.add(str(error))
            logger.warning("%s", error)


@cache
def folder(key: str) -> Path:
    """Return the folder of a room without importing the room, and register its translation catalogues."""
    origin = _origin(package(key))
    if origin is None:
        raise TableeError(msg("the game {key!r} is named by a package that is not there: {package}", key=key, package=package(key)))
    add_catalogues(Path(origin).parent / "locale")
    return Path(origin).parent


def _origin(name: str) -> str | None:
    try:
        found = importlib.util.find_spec(name)
    except Exception:  # a parent package is missing or fails on import
        return None
    return found.origin if found else None


def package(key: str) -> str:
    found = rooms().get(key) or example_rooms().get(key)
    if found is None:
        raise TableeError(msg("there is no game {key!r}; there are: {known}", key=key, known=", ".join(known())))
    return found


@cache
def find(key: str, box: Path | None = None) -> Game[Any]:
    """Open a game with its own box, or with a corrected one."""
    standard = folder(key) / COMPONENTS
    return open_box(key, components.load(box or standard))


def open_box(key: str, box: components.Components) -> Game[Any]:
    """Open a game with this box; tables with the same box share the instance."""
    return _open_cached(key, box.name, box.text)


def _open_again(key: str, name: str, text: str) -> Game[Any]:
    return open_box(key, components.Components.parse(name, text))


def _pickled(game: Game[Any]) -> tuple[Any, ...]:
    return _open_again, (game.key, game.components.name, game.components.text)


copyreg.pickle(Game, _pickled)  # a game is pickled and copied as its key and its box


def open_all(boxes: Mapping[str, Path] | None = None) -> list[Game[Any]]:
    """Open every installed game that can be opened, with the corrected box if `boxes` names one."""
    found = [open_or_skip(key, boxes[key]) if boxes and key in boxes else open_or_skip(key) for key in known()]
    return [game for game in found if game]


@cache
def open_or_skip(key: str, box: Path | None = None) -> Game[Any] | None:
    """Open a game; return None for one that cannot be opened, and log why, once."""
    try:
        return find(key, box)
    except TableeError as error:
        _log_skipped(error)
        return None


@lru_cache(maxsize=64)
def _open_cached(key: str, name: str, text: str) -> Game[Any]:
    box = components.Components.parse(name, text)
    try:
        game: Game[Any] = _import_room(key).open_box(box)
    except TableeError:
        raise
    except Exception as error:  # a third-party room may raise anything
        reason = f"{type(error).__name__}: {error}{_place_of(error)}"
        raise TableeError(msg("the game {key!r} cannot be opened: {reason}", key=key, reason=" ".join(reason.split()))) from error
    if game.key != key:
        raise TableeError(msg("the game {key!r} is named by a package that opens another game: {found!r}", key=key, found=game.key))
    return game


def _place_of(error: Exception) -> str:
    """Return the file and the line of the room in which an error happened; a syntax error says so itself."""
    frames = traceback.extract_tb(error.__traceback__)
    return "" if isinstance(error, SyntaxError) or not frames else f" ({frames[-1].filename}, line {frames[-1].lineno})"


def _import_room(key: str) -> ModuleType:
    folder(key)
    return importlib.import_module(package(key))
