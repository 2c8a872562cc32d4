"""Static files and their URLs. Each URL has a content hash, and the import map gives it to the modules: a later visit asks for none."""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from importlib import resources
from pathlib import Path
from urllib.parse import urljoin

from markupsafe import Markup

from tablee import games

SERVER_FOLDER = Path(str(resources.files("tablee.server")))
RELOAD = os.environ.get("TABLEE_RELOAD") == "1"  # for developers: read files again when they change, and cache no fragment
STATIC_IMPORT = re.compile(r"""^(?:import|\} from|import .* from) "([./][^"]+)";""", re.MULTILINE)


def static_folder(key: str) -> Path:
    return SERVER_FOLDER / "static" if key == "platform" else games.folder(key) / "static"


@cache
def asset(key: str, name: str) -> str:
    """Return the URL of a static file with its content hash, so that browsers may cache it for ever."""
    url = f"/static/{key}/{name}"
    return url if RELOAD else f"{url}?v={hashlib.sha256((static_folder(key) / name).read_bytes()).hexdigest()[:10]}"


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
