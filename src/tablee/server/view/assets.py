"""Static files, style sheets and art, and their URLs: each has a content hash, so that a later visit asks for none.

The import map gives these URLs to the modules. Style sheets are many small files, joined into one request, each folder in its cascade
layer: a later layer wins over an earlier one, whatever the selectors, and `!important` turns that round. So a room wins over the stage,
`[hidden]` hides everywhere, and `still` ends every animation but those that a room declares important.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from markupsafe import Markup

from tablee import games
from tablee.core.game import Game

SERVER_FOLDER = Path(str(resources.files("tablee.server")))
STATIC_IMPORT = re.compile(r"""^(?:import|\} from|import .* from) "([./][^"]+)";""", re.MULTILINE)
STAMP_LENGTH = 16  # hexadecimal digits of the content hash
LAYERS = "@layer reset, tokens, base, pages, stage, room, still;\n"


def static_folder(key: str) -> Path:
    return SERVER_FOLDER / "static" if key == "platform" else games.folder(key) / "static"


@cache
def asset(key: str, name: str) -> str:
    """Return the URL of a static file with its content hash, so that browsers may cache it for ever."""
    url = f"/static/{key}/{name}"
    return f"{url}?v={hashlib.sha256((static_folder(key) / name).read_bytes()).hexdigest()[:10]}"


@cache
def import_map() -> Markup:
    """Return the import map of all modules: each has the URL of `asset`, so that a later visit asks for none of them."""
    files = {key: sorted(static_folder(key).rglob("*.js")) for key in ("platform", *games.known())}
    names = [(key, file.relative_to(static_folder(key)).as_posix()) for key in files for file in files[key]]
    imports = {f"/static/{key}/{name}": asset(key, name) for key, name in names}
    return Markup(json.dumps({"imports": imports}, separators=(",", ":")))


@cache
def modules(key: str, name: str) -> tuple[str, ...]:
    """Return the URLs of what a module imports, and what that imports, for the page to ask for all of them at once."""
    found, todo = dict[tuple[str, str], None](), [(key, name)]
    while todo:
        folder, file = todo.pop()
        for path in STATIC_IMPORT.findall((static_folder(folder) / file).read_text(encoding="utf-8")):
            *_, other, imported = urljoin(f"/static/{folder}/{file}", path).split("/", 3)
            if (other, imported) not in found:
                found[other, imported] = None
                todo.append((other, imported))
    return tuple(asset(*module) for module in found)


def room_assets(key: str) -> dict[str, list[str]]:
    """Return the URLs of a room's `table.js`, if it has one, and of what that imports."""
    scripts = ["table.js"] if (static_folder(key) / "table.js").exists() else []
    return {
        "scripts": [asset(key, name) for name in scripts],
        "preloads": [url for name in scripts for url in modules(key, name)],
    }


def art_url(game: Game) -> str | None:
    """Return the URL of a game's art with its stamp, or None for a game without art.

    The checksum of the box lets any process find the art, also of a table that was started with another box.
    """
    return game.art and f"/art/{game.key}/{game.components.sha256}/{stamp_of(game.art())}.svg"


@lru_cache(maxsize=64)
def stamp_of(svg: str) -> str:
    """Return the stamp of an SVG document, a hash of its content."""
    return hashlib.sha256(svg.encode()).hexdigest()[:STAMP_LENGTH]


class Folder(NamedTuple):
    """The `*.css` of a folder, in the order of their names."""

    layer: str
    path: str


PLATFORM: Mapping[str, Sequence[Folder]] = {
    "base": [Folder(layer, f"styles/{layer}") for layer in ("reset", "tokens", "base", "still")],  # on every page, first
    "tokens": [Folder("tokens", "styles/tokens")],  # for a picture of its own
    "pages": [Folder("pages", "styles/pages")],
    "stage": [Folder("stage", "styles/stage"), Folder("stage", "styles/stage/sizes")],
}
ROOM: Mapping[str, Sequence[Folder]] = {
    "table": [Folder("room", path) for path in ("drawings", ".", "sizes")],
    "pages": [Folder("room", path) for path in ("drawings", "pages")],
}


def sheets(key: str) -> Mapping[str, Sequence[Folder]]:
    """Return the joined style sheets of the platform or of a room, by name, each with its folders."""
    return PLATFORM if key == "platform" else ROOM


@cache
def joined(key: str, name: str) -> str:
    """Return a joined style sheet, such as `("mayflower", "table")`; a room may have none, so that it is empty."""
    folders = sheets(key)[name]
    css = "".join(f"@layer {folder.layer} {{\n{text}}}\n" for folder in folders if (text := _text_of(static_folder(key) / folder.path)))
    return LAYERS + css if folders[0].layer in ("reset", "tokens") else css


def _text_of(folder: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.css")))


@cache
def joined_url(key: str, name: str) -> str:
    """Return the URL of a joined style sheet with its content hash, so that browsers may cache it for ever."""
    return f"/static/{key}/joined/{name}.css?v={hashlib.sha256(joined(key, name).encode()).hexdigest()[:10]}"
