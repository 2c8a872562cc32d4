"""Templates become pages: the platform's own and each room's under its key. A table is rendered as a tree of parts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from tablee import games
from tablee.server.parts import Parts

HERE = Path(str(resources.files("tablee.server")))
LANGUAGE_NAMES = {"fr": "Français", "en": "English", "it": "Italiano"}


@cache
def templates() -> Environment:
    """The platform's templates, and each room's under its key."""
    loaders = {key: FileSystemLoader(games.folder(key) / "templates") for key in games.known()}
    loaders["platform"] = FileSystemLoader(HERE / "templates")
    env = Environment(loader=PrefixLoader(loaders), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.globals.update(asset=asset, languages=LANGUAGE_NAMES)
    env.filters["named"] = named
    return env


def named(seats: Sequence[int], players: Sequence[dict[str, Any]]) -> str:
    """In a template, `to_act | named(players)`: the names of these seats, one after the other."""
    return ", ".join(players[seat]["name"] for seat in seats)


@cache
def asset(key: str, name: str) -> str:
    """The address of a static file; it changes with the file, so browsers may keep it for ever."""
    file = static_folder(key) / name
    return f"/static/{key}/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:10]}"


def static_folder(key: str) -> Path:
    return HERE / "static" if key == "platform" else games.folder(key) / "static"


def room_assets(key: str) -> dict[str, list[str]]:
    """A room's style sheets, and its `table.js` if it has one."""
    folder = static_folder(key)
    return {
        "sheets": [asset(key, file.name) for file in sorted(folder.glob("*.css"))],
        "scripts": [asset(key, "table.js")] if (folder / "table.js").exists() else [],
    }


def render(context: dict[str, Any]) -> Parts:
    """The part of the page that changes, as a tree of parts."""
    parts = Parts()
    inner = templates().get_template(f"{context['game'].key}/table.html").render(part=parts.part, **context)
    parts.top = parts.part("room", class_="room", caller=lambda: inner)
    return parts


def now(context: dict[str, Any]) -> dict[str, Any]:
    """What the browser's own code may know besides the page: the moves it may offer."""
    names = ("me", "mine", "legal", "draft", "refused", "ready", "over", "my_turn", "covered", "version")
    return {name: context[name] for name in names} | {"scene": context["scene"].get("client")}
