"""Templates become pages: the platform's own and each room's under its key. A table is rendered as a tree of parts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from tablee import games
from tablee.core.game import Game
from tablee.core.words import Words
from tablee.server.parts import Parts

HERE = Path(str(resources.files("tablee.server")))
HEARD = 12
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


def style_link(key: str, name: str) -> Markup:
    """In a template, `style("platform", "pages.css")`: a style sheet, by its address."""
    return Markup('<link rel="stylesheet" href="{}">').format(asset(key, name))


def style_written_out(key: str, name: str) -> Markup:
    """The same for a page that must do without a server."""
    return Markup("<style>\n{}</style>").format(Markup((static_folder(key) / name).read_text(encoding="utf-8")))


def static_folder(key: str) -> Path:
    return HERE / "static" if key == "platform" else games.folder(key) / "static"


@cache
def pictured(key: str) -> bool:
    """Whether the room can draw its final board as one picture."""
    return (games.folder(key) / "templates" / "picture.svg").exists()


def picture(context: dict[str, Any]) -> str:
    """The final board as an SVG file that stands alone, its styles inside."""
    key = context["game"].key
    styles = "".join(file.read_text(encoding="utf-8") for file in sorted(static_folder(key).glob("*.css")))
    palette = (static_folder("platform") / "palette.css").read_text(encoding="utf-8")
    return templates().get_template(f"{key}/picture.svg").render(styles=Markup(palette + styles), **context)


def room_assets(key: str) -> dict[str, list[str]]:
    """A room's style sheets, and its `table.js` if it has one."""
    folder = static_folder(key)
    return {
        "sheets": [asset(key, file.name) for file in sorted(folder.glob("*.css"))],
        "scripts": [asset(key, "table.js")] if (folder / "table.js").exists() else [],
    }


def box_page(game: Game, words: Words, path: str | None = None) -> str:
    """What lies in the box: inside the house at that path; without one, a file that stands alone, to compare with the real box."""
    page = templates().select_template([f"{game.key}/box.html", "platform/box.html"])
    frame = {"layout": "platform/base.html", "style": style_link, "path": path}
    alone = {"layout": "platform/alone.html", "style": style_written_out}
    return page.render({"_": words, "lang": words.language, "game": game, **game.contents(), **(alone if path is None else frame)})


def render(context: dict[str, Any]) -> Parts:
    """The part of the page that changes, as a tree of parts."""
    parts = Parts()
    key = context["game"].key
    inner = templates().get_template(f"{key}/table.html").render(part=parts.part, pictured=pictured(key), **context)
    parts.top = parts.part("room", class_="room", caller=lambda: inner)
    return parts


def now(context: dict[str, Any]) -> dict[str, Any]:
    """What the browser's own code may know besides the page: the moves it may offer."""
    names = ("me", "mine", "legal", "draft", "refused", "ready", "over", "my_turn", "covered", "version", "looks_back")
    return {name: context[name] for name in names} | {"heard": heard(context), "scene": context["scene"].get("client")}


def heard(context: dict[str, Any]) -> list[tuple[int, str]]:
    """The last things that somebody else did or nature brought, with their place in the log: for those who listen."""
    others = [entry for entry in context["tale"][-HEARD:] if entry["seat"] is None or entry["seat"] not in context["mine"]]
    return [(entry["position"], f"{entry['name']} {entry['sentence']}".strip()) for entry in others]
