"""Style sheets as pages load them: many small files, joined into one request, each folder in its cascade layer.

A later layer wins over an earlier one, whatever the selectors; `!important` turns that round. So a room wins over the stage,
`[hidden]` hides everywhere, and `still` ends every animation but those that a room declares important.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tablee.server.view.assets import RELOAD, static_folder

LAYERS = "@layer reset, tokens, base, pages, stage, room, still;\n"


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


def joined(key: str, name: str) -> str:
    """Return a joined style sheet, such as `("mayflower", "table")`; a room may have none, so that it is empty."""
    folders = sheets(key)[name]
    css = "".join(f"@layer {folder.layer} {{\n{text}}}\n" for folder in folders if (text := _text_of(static_folder(key) / folder.path)))
    return LAYERS + css if folders[0].layer in ("reset", "tokens") else css


if not RELOAD:
    joined = cache(joined)


def _text_of(folder: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.css")))


@cache
def joined_url(key: str, name: str) -> str:
    """Return the URL of a joined style sheet with its content hash, so that browsers may cache it for ever."""
    url = f"/static/{key}/joined/{name}.css"
    return url if RELOAD else f"{url}?v={hashlib.sha256(joined(key, name).encode()).hexdigest()[:10]}"
