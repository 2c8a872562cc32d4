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
from tablee.core.i18n import Either, Words
from tablee.core.points import shown, signed, summed
from tablee.server.table.narration import Turn
from tablee.server.view.bytecode_cache import KeptCode
from tablee.server.view.fragments import Drawing, Memory, Part
from tablee.server.view.seat_colours import COLOUR_NAMES
from tablee.server.view.template_compiler import LeanCode
from tablee.server.view.template_inliner import assembled

HERE = Path(str(resources.files("tablee.server")))
HEARD = 12
MADE_OF = ("*.py", "*.html", "*.svg", "*.po", "*.js", "*.css")
MARK = 12  # letters of the build's mark that a page is told
SETTINGS: dict[str, Any] = {
    **{"autoescape": True, "auto_reload": False, "undefined": StrictUndefined},
    **{"trim_blocks": True, "lstrip_blocks": True},
}
OWN_NAMES = ("localhost", "127.0.0.1", "::1")  # by which a computer calls itself
LANGUAGE_NAMES = {"fr": "Français", "en": "English", "it": "Italiano"}


Kind = TypeVar("Kind", bound=Environment)


class Lean(Context):
    """What our templates call never asks for the context that calls it, so that each of the thousand calls of a page is just a call."""

    def call(self, called: Callable[..., Any], /, *given: Any, _block_vars: Any = None, _loop_vars: Any = None, **named: Any) -> Any:
        return called(*given, **named)


class Templates(Environment):
    """What templates are given is mostly plain data, so `view.round` looks there first."""

    context_class = Lean

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class AsTheyWere(FileSystemLoader):
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


class Stage(Environment):
    """What a table's page is drawn with, again and again, in one language."""

    code_generator_class = LeanCode

    def __init__(self, words: Words, **settings: Any) -> None:
        super().__init__(**settings)
        self.words = words
        self.filters |= {name: each.__wrapped__ for name, each in self.filters.items() if hasattr(each, "jinja_async_variant")}

    def _generate(self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False) -> str:
        return super()._generate(assembled(self, source, self.words), name, filename, defer_init)

    def prepare(self, key: str) -> Template:
        """Takes a third of a second when it is done for the first time ever."""
        return self.get_template(f"{key}/table.html")

    def page(self, key: str, given: dict[str, Any]) -> str:
        """A room's page, of all that it is given."""
        template = self.prepare(key)
        return self.concat(template.root_render_func(template.new_context({**template.globals, **given}, shared=True)))


@cache
def loader() -> BaseLoader:
    """The platform's templates, and each room's under its key."""
    loaders = {key: AsTheyWere(games.folder(key) / "templates") for key in games.known()}
    return PrefixLoader({**loaders, "platform": AsTheyWere(HERE / "templates")})


@cache
def templates() -> Environment:
    """For whatever is drawn now and then."""
    return furnished(Templates(loader=loader(), **SETTINGS))


@cache
def stage(language: str) -> Stage:
    return furnished(Stage(Words(language), loader=loader(), bytecode_cache=KeptCode(build(), language), **SETTINGS))


def furnished(env: Kind) -> Kind:
    """Give an environment the functions and filters that every template may use."""
    env.globals.update(asset=asset, build_mark=build_mark, languages=LANGUAGE_NAMES, colour_names=COLOUR_NAMES)
    env.globals.update(marks=marks, taught=taught, forms=forms)
    env.filters.update(named=named, only_here=only_here, tuple=tuple, either=Either, points=shown, signed=signed, summed=summed)
    return env


def only_here(address: str) -> bool:
    """In a template, `link | only_here`: whether it leads nobody but whoever sits at this computer to this server."""
    return urlsplit(address).hostname in OWN_NAMES


def named(seats: Sequence[int], players: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """In a template, `_("...{names}", names=to_act | named(players))`: the names of these seats."""
    return tuple(players[seat]["name"] for seat in seats)


def forms(words: Words, text: str, plural: str) -> tuple[str, str]:
    """In a template, `forms(_, "{count} tile", "{count} tiles") | tojson`: a message whose plural a script chooses (static/plural.js)."""
    return words.forms(text, plural)


def marks(turns: Sequence[Turn]) -> list[Any]:
    """In a template, `marks(log)`: what tells these turns of the log from all others."""
    return [turn.mark for turn in turns]


def taught(key: str) -> bool:
    """In a template, `taught(game.key)`: whether there is a first game to learn it by."""
    return tutorial.of_folder(games.folder(key)) is not None


@cache
def asset(key: str, name: str) -> str:
    """The address of a static file; it changes with the file, so browsers may keep it for ever."""
    file = static_folder(key) / name
    return f"/static/{key}/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:10]}"


@cache
def build() -> str:
    """A mark of everything that pages are made from: the rules, the templates and what a browser loads, as they are."""
    folders = [HERE.parent, *(games.folder(key) for key in games.known())]
    files = {file for folder in folders for ending in MADE_OF for file in folder.rglob(ending)}
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(file.read_bytes())
    return found.hexdigest()


def build_mark() -> str:
    """As much of it as a page is told."""
    return build()[:MARK]


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


def final_board(context: dict[str, Any]) -> str:
    """The final board as an SVG file that stands alone, its styles inside."""
    key = context["game"].key
    styles = "".join(file.read_text(encoding="utf-8") for file in sorted(static_folder(key).glob("*.css")))
    palette = (static_folder("platform") / "palette.css").read_text(encoding="utf-8")
    return templates().get_template(f"{key}/picture.svg").render(styles=Markup(palette + styles + _painted(context["paints"])), **context)


def _painted(paints: str) -> str:
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


def box_page(game: Game, words: Words, path: str | None = None) -> str:
    """What lies in the box: inside the house at that path; without one, a file that stands alone, to compare with the real box."""
    page = templates().select_template([f"{game.key}/box.html", "platform/box.html"])
    frame = {"layout": "platform/base.html", "style": style_link, "path": path}
    alone = {"layout": "platform/standalone.html", "style": style_written_out}
    return page.render({"_": words, "lang": words.language, "game": game, **game.contents(), **(alone if path is None else frame)})


def render(context: dict[str, Any], memory: Memory | None = None) -> Part:
    """The part of the page that changes, as a tree of parts. Eyes that may see different things share nothing."""
    key, box = context["game"].key, context["game"].box
    drawing = Drawing(f"{key} {box} {context['lang']} {context['me'] if context['secrets'] else ''}", memory)
    given = {"part": drawing.part, "parts": drawing.many, "pictured": pictured(key), **context}
    return drawing.top("room", lambda: stage(context["lang"]).page(key, given), class_=f"room {context['paints']}".strip())


def now(context: dict[str, Any]) -> dict[str, Any]:
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
        "heard": heard(context),
        "scene": context["scene"].get("client"),
        "build": build_mark(),
    }


def heard(context: dict[str, Any]) -> list[tuple[int, str]]:
    """The last things that somebody else did, nature brought or the end gave, with their place in the log: for those who listen."""
    last = context["tale"][-HEARD:]
    others = [entry for entry in last if entry["seat"] not in context["mine"] or entry["kind"] == "final"]
    return [(entry["position"], f"{entry['name']} {entry['sentence']}".strip()) for entry in others]
