"""Templates become pages: the platform's own and each room's under its key. A table is rendered as a tree of parts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from jinja2 import BaseLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template, TemplateNotFound, nodes
from jinja2.runtime import Context
from markupsafe import Markup

from tablee import games
from tablee.core import tutorial
from tablee.core.game import Game
from tablee.core.i18n import OrList, Translator
from tablee.core.points import format_change, format_points, format_sum
from tablee.server.table.narration import Turn
from tablee.server.view.bytecode_cache import TemplateBytecodeCache
from tablee.server.view.fragments import Fragment, FragmentCache, FragmentRenderer
from tablee.server.view.seat_colours import COLOUR_NAMES
from tablee.server.view.template_compiler import FastCodeGenerator
from tablee.server.view.template_inliner import inline_templates

SERVER_FOLDER = Path(str(resources.files("tablee.server")))
MAX_ANNOUNCEMENTS = 12
BUILD_FILES = ("*.py", "*.html", "*.svg", "*.po", "*.js", "*.css")
BUILD_ID_LENGTH = 12  # letters of the build's mark that a page is told
JINJA_SETTINGS: dict[str, Any] = {
    **{"autoescape": True, "auto_reload": False, "undefined": StrictUndefined},
    **{"trim_blocks": True, "lstrip_blocks": True},
}
LOCAL_HOSTNAMES = ("localhost", "127.0.0.1", "::1")  # by which a computer calls itself
LANGUAGE_NAMES = {"fr": "Français", "en": "English", "it": "Italiano"}


Env = TypeVar("Env", bound=Environment)


class PlainCallContext(Context):
    """What our templates call never asks for the context that calls it, so that each of the thousand calls of a page is just a call."""

    def call(self, called: Callable[..., Any], /, *given: Any, _block_vars: Any = None, _loop_vars: Any = None, **named: Any) -> Any:
        return called(*given, **named)


class PageEnvironment(Environment):
    """What templates are given is mostly plain data, so `view.round` looks there first."""

    context_class = PlainCallContext

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class SnapshotLoader(FileSystemLoader):
    """A folder of templates as it was when the server started: another version may be installed while this one still runs. They are read at
    once, in a moment, and compiled one by one when they are wanted, for that takes seconds."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        read = super().get_source
        self._sources = {name: read(Environment(), name) for name in self.list_templates()}  # noqa: S701  it renders nothing

    def get_source(self, _: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return self._sources[template]
        except KeyError:
            raise TemplateNotFound(template) from None


class TablePageEnvironment(Environment):
    """What a table's page is drawn with, again and again, in one language."""

    code_generator_class = FastCodeGenerator

    def __init__(self, words: Translator, **settings: Any) -> None:
        super().__init__(**settings)
        self.words = words
        self.filters |= {name: each.__wrapped__ for name, each in self.filters.items() if hasattr(each, "jinja_async_variant")}

    def _generate(self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False) -> str:
        return super()._generate(inline_templates(self, source, self.words), name, filename, defer_init)

    def compile_page(self, key: str) -> Template:
        """Takes a third of a second when it is done for the first time ever."""
        return self.get_template(f"{key}/table.html")

    def render_page(self, key: str, given: dict[str, Any]) -> str:
        """A room's page, of all that it is given."""
        template = self.compile_page(key)
        return self.concat(template.root_render_func(template.new_context({**template.globals, **given}, shared=True)))


@cache
def loader() -> BaseLoader:
    """The platform's templates, and each room's under its key."""
    loaders = {key: SnapshotLoader(games.folder(key) / "templates") for key in games.known()}
    return PrefixLoader({**loaders, "platform": SnapshotLoader(SERVER_FOLDER / "templates")})


@cache
def templates() -> Environment:
    """For whatever is drawn now and then."""
    return with_globals(PageEnvironment(loader=loader(), **JINJA_SETTINGS))


@cache
def table_page_environment(language: str) -> TablePageEnvironment:
    return with_globals(
        TablePageEnvironment(
            Translator(language), loader=loader(), bytecode_cache=TemplateBytecodeCache(build_hash(), language), **JINJA_SETTINGS
        )
    )


def with_globals(env: Env) -> Env:
    """Give an environment the functions and filters that every template may use."""
    env.globals.update(asset=asset, build_id=build_id, languages=LANGUAGE_NAMES, colour_names=COLOUR_NAMES)
    env.globals.update(turn_keys=turn_keys, has_tutorial=has_tutorial, forms=forms)
    env.filters.update(
        player_names=player_names,
        is_local_url=is_local_url,
        tuple=tuple,
        either=OrList,
        points=format_points,
        signed=format_change,
        summed=format_sum,
    )
    return env


def is_local_url(address: str) -> bool:
    """In a template, `link | only_here`: whether it leads nobody but whoever sits at this computer to this server."""
    return urlsplit(address).hostname in LOCAL_HOSTNAMES


def player_names(seats: Sequence[int], players: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """In a template, `_("...{names}", names=to_act | named(players))`: the names of these seats."""
    return tuple(players[seat]["name"] for seat in seats)


def forms(words: Translator, text: str, plural: str) -> tuple[str, str]:
    """In a template, `forms(_, "{count} tile", "{count} tiles") | tojson`: a message whose plural a script chooses (static/plural.js)."""
    return words.forms(text, plural)


def turn_keys(turns: Sequence[Turn]) -> list[Any]:
    """In a template, `marks(log)`: what tells these turns of the log from all others."""
    return [turn.cache_key for turn in turns]


def has_tutorial(key: str) -> bool:
    """In a template, `taught(game.key)`: whether there is a first game to learn it by."""
    return tutorial.load_tutorial(games.folder(key)) is not None


@cache
def asset(key: str, name: str) -> str:
    """The address of a static file; it changes with the file, so browsers may keep it for ever."""
    file = static_folder(key) / name
    return f"/static/{key}/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:10]}"


@cache
def build_hash() -> str:
    """A mark of everything that pages are made from: the rules, the templates and what a browser loads, as they are."""
    folders = [SERVER_FOLDER.parent, *(games.folder(key) for key in games.known())]
    files = {file for folder in folders for ending in BUILD_FILES for file in folder.rglob(ending)}
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(file.read_bytes())
    return found.hexdigest()


def build_id() -> str:
    """As much of it as a page is told."""
    return build_hash()[:BUILD_ID_LENGTH]


def style_link(key: str, name: str) -> Markup:
    """In a template, `style("platform", "pages.css")`: a style sheet, by its address."""
    return Markup('<link rel="stylesheet" href="{}">').format(asset(key, name))


def inline_style(key: str, name: str) -> Markup:
    """The same for a page that must do without a server."""
    return Markup("<style>\n{}</style>").format(Markup((static_folder(key) / name).read_text(encoding="utf-8")))


def static_folder(key: str) -> Path:
    return SERVER_FOLDER / "static" if key == "platform" else games.folder(key) / "static"


@cache
def has_picture(key: str) -> bool:
    """Whether the room can draw its final board as one picture."""
    return (games.folder(key) / "templates" / "picture.svg").exists()


def final_board(context: dict[str, Any]) -> str:
    """The final board as an SVG file that stands alone, its styles inside."""
    key = context["game"].key
    styles = "".join(file.read_text(encoding="utf-8") for file in sorted(static_folder(key).glob("*.css")))
    palette = (static_folder("platform") / "palette.css").read_text(encoding="utf-8")
    return (
        templates()
        .get_template(f"{key}/picture.svg")
        .render(styles=Markup(palette + styles + _seat_colour_css(context["colour_classes"])), **context)
    )


def _seat_colour_css(paints: str) -> str:
    """The colours that seats chose, for a picture that stands alone."""
    chosen = (paint.split("-")[1:] for paint in paints.split())
    return ":root { " + " ".join(f"--seat-{seat}: var(--paint-{colour});" for seat, colour in chosen) + " }"


def room_assets(key: str) -> dict[str, list[str]]:
    """A room's style sheets, and its `table.js` if it has one."""
    folder = static_folder(key)
    return {
        "sheets": [asset(key, file.name) for file in sorted(folder.glob("*.css"))],
        "scripts": [asset(key, "table.js")] if (folder / "table.js").exists() else [],
    }


def box_page(game: Game, words: Translator, path: str | None = None) -> str:
    """What lies in the box: inside the house at that path; without one, a file that stands alone, to compare with the real box."""
    page = templates().select_template([f"{game.key}/box.html", "platform/box.html"])
    frame = {"layout": "platform/base.html", "style": style_link, "path": path}
    alone = {"layout": "platform/standalone.html", "style": inline_style}
    return page.render({"_": words, "lang": words.language, "game": game, **game.contents(), **(alone if path is None else frame)})


def render(context: dict[str, Any], memory: FragmentCache | None = None) -> Fragment:
    """The part of the page that changes, as a tree of parts. Eyes that may see different things share nothing."""
    key, box = context["game"].key, context["game"].box
    drawing = FragmentRenderer(f"{key} {box} {context['lang']} {context['me'] if context['secrets'] else ''}", memory)
    given = {"fragment": drawing.fragment, "fragments": drawing.fragments, "has_picture": has_picture(key), **context}
    return drawing.root(
        "room", lambda: table_page_environment(context["lang"]).render_page(key, given), class_=f"room {context['colour_classes']}".strip()
    )


def client_state(context: dict[str, Any]) -> dict[str, Any]:
    """What the browser's own code may know besides the page: the moves it may offer."""
    names = (
        "me",
        "mine",
        "legal",
        "draft",
        "refused",
        "why",
        "kindly",
        "ready",
        "over",
        "my_turn",
        "covered",
        "version",
        "looks_back",
        "claims",
    )
    return {name: context[name] for name in names} | {
        "heard": announcements(context),
        "scene": context["scene"].get("client"),
        "build": build_id(),
    }


def announcements(context: dict[str, Any]) -> list[tuple[int, str]]:
    """The last things that somebody else did, nature brought or the end gave, with their place in the log: for those who listen."""
    last = context["narration"][-MAX_ANNOUNCEMENTS:]
    others = [entry for entry in last if entry["seat"] not in context["mine"] or entry["kind"] == "final"]
    return [(entry["position"], f"{entry['name']} {entry['sentence']}".strip()) for entry in others]
