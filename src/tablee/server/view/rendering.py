"""Rendering of templates: the platform's own and each room's under its key. A table becomes a tree of fragments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, cast
from urllib.parse import urlsplit

from jinja2 import BaseLoader, Environment, FileSystemLoader, ModuleLoader, PrefixLoader, StrictUndefined, TemplateNotFound
from jinja2.runtime import Macro
from markupsafe import Markup
from typing_extensions import TypedDict

from tablee import games
from tablee.core import tutorial
from tablee.core.game import Game, S
from tablee.core.i18n import OrList, Translator
from tablee.core.points import format_change, format_points, format_sum
from tablee.core.prepared import PREPARED_FOLDER
from tablee.server.view.assets import SERVER_FOLDER, asset, import_map, joined, joined_url, modules, static_folder
from tablee.server.view.fragments import Fragment, FragmentCache, FragmentRenderer
from tablee.server.view.narrator import BOT_NAMES, COLOUR_NAMES
from tablee.server.view.table_view import PlayerView, TableView, ViolatedRule

MAX_ANNOUNCEMENTS = 12
BUILD_FILES = ("*.py", "*.html", "*.svg", "*.po", "*.js", "*.css")
BUILD_FILE = "build.txt"  # the hash, prepared
TEMPLATES_FOLDER = "templates"  # compiled, of the prepared files
BUILD_ID_LENGTH = 12  # hexadecimal digits of the build hash
JINJA_SETTINGS: dict[str, Any] = {
    **{"autoescape": True, "auto_reload": False, "undefined": StrictUndefined},
    **{"trim_blocks": True, "lstrip_blocks": True},
}
LOCAL_HOSTNAMES = ("localhost", "127.0.0.1", "::1")  # names of the loopback interface
LANGUAGE_NAMES = {"fr": "Français", "en": "English", "it": "Italiano"}


class PageEnvironment(Environment):
    """Jinja environment that looks up `view.round` in dictionaries first, because templates mostly get plain data."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)


class SnapshotLoader(FileSystemLoader):
    """Loader that reads a folder's templates at start: another version may be installed while this one still runs.

    Each template is compiled on first use, because compiling all of them takes a second.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        read = super().get_source
        self._sources = {name: read(Environment(), name) for name in self.list_templates()}  # noqa: S701  renders nothing

    def get_source(self, _: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return self._sources[template]
        except KeyError:
            raise TemplateNotFound(template) from None


@cache
def loader() -> BaseLoader:
    """Return the loader of the platform's templates, and of each room's under its key."""
    if (prepared := PREPARED_FOLDER / TEMPLATES_FOLDER).exists():
        return ModuleLoader(prepared)
    loaders = {key: SnapshotLoader(games.folder(key) / "templates") for key in games.known()}
    return PrefixLoader({**loaders, "platform": SnapshotLoader(SERVER_FOLDER / "templates")})


@cache
def templates() -> Environment:
    """Return the environment of all pages, with the functions and filters that every template may use."""
    env = PageEnvironment(loader=loader(), **JINJA_SETTINGS)
    env.globals.update(
        asset=asset,
        import_map=import_map,
        modules=modules,
        build_id=build_id,
        on_device=PREPARED_FOLDER.exists(),  # in a tab, which no server answers
        languages=LANGUAGE_NAMES,
        colour_names=COLOUR_NAMES,
        levels=BOT_NAMES,
    )
    env.globals.update(has_picture=has_picture, has_tutorial=has_tutorial, forms=forms, style=style_link)
    env.filters.update(
        player_names=player_names,
        is_local_url=is_local_url,
        pick=pick,
        tuple=tuple,
        either=OrList,
        points=format_points,
        signed=format_change,
        summed=format_sum,
    )
    return env


def compile_templates() -> None:
    """Compile every template, which the first visitor would otherwise wait for."""
    for name in templates().list_templates():
        templates().get_template(name)


def is_local_url(url: str) -> bool:
    """Return whether a URL works on this computer only; in a template, `link | is_local_url`."""
    return urlsplit(url).hostname in LOCAL_HOSTNAMES


def pick(positions: Sequence[int], values: Sequence[Any]) -> list[Any]:
    """Return what stands at these positions; a filter for templates."""
    return [values[position] for position in positions]


def player_names(seats: Sequence[int], players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return the names of seats; a filter for templates."""
    return tuple(players[seat].name for seat in seats)


def forms(translator: Translator, text: str, plural: str) -> tuple[str, str]:
    """Return the plural forms of a message for static/plural.js; in a template, `forms(_, "{count} tile", "{count} tiles") | tojson`."""
    return translator.forms(text, plural)


def has_tutorial(key: str) -> bool:
    """Return whether a game has a tutorial; in a template, `has_tutorial(game.key)`."""
    return tutorial.load_tutorial(games.folder(key)) is not None


@cache
def build_hash() -> str:
    """Return the hash of everything that pages are made from: the rules, the templates and the static files."""
    if (prepared := PREPARED_FOLDER / BUILD_FILE).exists():
        return prepared.read_text(encoding="utf-8")
    folders = [SERVER_FOLDER.parent, *(games.folder(key) for key in games.known())]
    files = {file for folder in folders for ending in BUILD_FILES for file in folder.rglob(ending)}
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def build_id() -> str:
    """Return the first digits of the build hash, which pages compare with their own."""
    return build_hash()[:BUILD_ID_LENGTH]


def style_link(key: str, name: str) -> Markup:
    """Return the link to a joined style sheet, or to a file: in a template, `style("platform", "pages")`, `style("my-game", "my.css")`."""
    if not name.endswith(".css"):
        return Markup('<link rel="stylesheet" href="{}">').format(joined_url(key, name)) if joined(key, name) else Markup()
    return Markup('<link rel="stylesheet" href="{}">').format(asset(key, name))


def inline_style(key: str, name: str) -> Markup:
    """Return a style sheet inline, for a page that works without a server."""
    css = (static_folder(key) / name).read_text(encoding="utf-8") if name.endswith(".css") else joined(key, name)
    return Markup("<style>\n{}</style>").format(Markup(css))


@cache
def has_picture(key: str) -> bool:
    """Return whether the room can draw its final board as one SVG file."""
    return (games.folder(key) / "templates" / "picture.svg").exists()


def final_board(message: TableView, translator: Translator) -> str:
    """Return the final board as a self-contained SVG file."""
    key = message.table.game.key
    colours = f":root {{ {message.table.seat_colours} }}"
    styles = Markup(joined("platform", "tokens") + joined(key, "table") + colours)
    return templates().get_template(f"{key}/picture.svg").render(message.variables(), _=translator, styles=styles)


def box_page(game: Game[S], translator: Translator, path: str | None = None) -> str:
    """Return the page of a box's contents: part of the site at `path`, or a self-contained file to compare with the real box."""
    page = templates().select_template([f"{game.key}/box.html", "platform/box.html"])
    frame = {"layout": "platform/base.html", "style": style_link, "path": path}
    alone = {"layout": "platform/standalone.html", "style": inline_style}
    return page.render(
        {"_": translator, "lang": translator.language, "game": game, **game.contents(), **(alone if path is None else frame)}
    )


def render(message: TableView, translator: Translator, fragment_cache: FragmentCache | None = None) -> Fragment:
    """Render the changing part of a page as a tree of fragments; viewers share those that are made from equal arguments."""
    table, language = message.table, translator.language
    renderer = FragmentRenderer(translator, macro, fragment_cache, f"{table.game.key} {table.game.box}")
    page = templates().get_template(f"{table.game.key}/table.html")
    given = {"_": translator, "lang": language, "fragment": renderer.fragment, "fragments": renderer.fragments}
    return renderer.root("room", lambda: page.render(message.variables(), **given), class_="room", style=table.seat_colours or None)


def macro(path: str) -> Macro:
    """Return a macro by the name of its file and its own, `platform/log.html:turn`; it knows nothing of the page that it is used in."""
    file, _, name = path.partition(":")
    found: Macro = getattr(templates().get_template(file).module, name)
    return found


class ClientState(TypedDict):
    """What scripts in the browser know of a table besides its page."""

    me: int | None
    mine: list[int]
    legal: list[str]
    draft: list[str]
    refused: str
    why: ViolatedRule | None
    kindly: bool
    ready: bool
    over: bool
    my_turn: bool
    covered: bool
    version: int
    looks_back: bool
    claims: list[int]
    heard: list[tuple[int, str]]
    scene: Any  # what a room tells its own script
    build: str
    picture: NotRequired[str]  # ETag of the view, added to a rendered one


def client_state(message: TableView) -> ClientState:
    shown = dict(message.variables())
    same = {name: shown[name] for name in ClientState.__annotations__ if name in shown}
    return cast(ClientState, same | {"heard": announcements(message), "scene": shown["scene"].get("client"), "build": build_id()})


def announcements(message: TableView) -> list[tuple[int, str]]:
    """Return the latest sentences about others, nature and the final scoring, numbered in order, for screen readers."""
    narration, mine = message.log.narration, message.viewer.mine
    first = max(0, len(narration) - MAX_ANNOUNCEMENTS)
    others = [(number, entry) for number, entry in enumerate(narration[first:], first) if entry.seat not in mine or entry.kind == "final"]
    return [(number, f"{entry.name} {entry.sentence}".strip()) for number, entry in others]
