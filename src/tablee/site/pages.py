"""The pages of the site: the server's own templates, with links to files in place of routes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from markupsafe import Markup

from tablee import games
from tablee.core.game import Game
from tablee.core.i18n import Translator
from tablee.server.table.chat import SIGNS
from tablee.server.view.assets import art_url, import_map, room_assets
from tablee.server.view.rendering import box_page, has_tutorial, loader, templates
from tablee.server.view.rule_book import example_turn, to_html
from tablee.site.policy import policy_tag
from tablee.site.tab.routes import DEFAULT_OPPONENT

STATIC, TEMPLATES = (Path(__file__).parent / name for name in ("static", "templates"))
CONTENT_HASH = re.compile(r"\?v=[0-9a-f]+")
LINK = re.compile(r'(\s(?:href|src|data-art|data-turn-icon)=")/(?!/)([^"]*)')
FOLDERS = ("static/", "art/")
LANGUAGE = re.compile(r"language/(\w+)\?back=.*")


@cache
def environment() -> Environment:
    """Return the environment of the site's pages: the server's, and the site's own templates."""
    own = PrefixLoader({"site": FileSystemLoader(TEMPLATES)})
    found = templates().overlay(loader=ChoiceLoader([own, loader()]))
    found.globals = templates().globals | {"site_file": site_file}
    return found


def site_file(name: str) -> str:
    """Return the address of one of the site's own scripts."""
    return f"/static/site/{name}"


def pages(language: str, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page in this language."""
    translator, found = Translator(language), [games.find(key) for key in keys]
    for name, html in _all_pages(translator, found):
        yield f"{name}.html", for_files(name, html)


def _all_pages(translator: Translator, found: Sequence[Game]) -> Iterator[tuple[str, str]]:
    def render(template: str, **context: Any) -> str:
        return environment().get_template(template).render(_=translator, lang=translator.language, path="/", **context)

    yield "index", render("site/start.html", games=found, usual=DEFAULT_OPPONENT, offline="")
    yield "credits", render("platform/credits.html", games=found)
    yield "privacy", render("site/privacy.html")
    for game in found:
        yield f"rules-{game.key}", render("platform/rules.html", **_rules(game, translator))
        yield f"box-{game.key}", box_page(game, translator, "/")
        yield f"lobby-{game.key}", render("site/lobby.html", **_lobby(game, translator))
        for kind in ("table", *(("lesson",) if has_tutorial(game.key) else ())):
            yield f"{kind}-{game.key}", render("site/table.html", **_table(game, kind, translator))


def _rules(game: Game, translator: Translator) -> dict[str, Any]:
    turn, text = example_turn(game.key, translator.language), to_html(game, translator)
    return {"game": game, "teach": False, "turn": turn, "text": text}


def _lobby(game: Game, translator: Translator) -> dict[str, Any]:
    board = _opening(game, "lobby", ["lobby.js"], translator)
    return {"game": game, "table": "", "board": board, "now": {"chairs": [0], "host": True}}


def _table(game: Game, kind: str, translator: Translator) -> dict[str, Any]:
    is_tutorial = kind == "lesson"
    board = _opening(game, kind, ["table.js", *(["tutorial.js"] if is_tutorial else [])], translator)
    return room_assets(game.key) | {
        "game": game,
        "art": art_url(game),
        "table": "",
        "board": board,
        "now": {},
        "base": "",
        "club": "",
        "is_tutorial": is_tutorial,
        "develop": False,
        "has_company": False,
        "signs": SIGNS,
        "chat": False,
        "server_time": 0,
        "elsewhere": "file",
    }


def _opening(game: Game, page: str, modules: Sequence[str], translator: Translator) -> Markup:
    """Return what stands in a table's place until it is opened, with the modules that are loaded then."""
    template = environment().get_template("site/opening.html")
    addresses = [f"/static/platform/{name}" for name in modules]
    return Markup(template.render(_=translator, game=game, page=page, modules=addresses))  # noqa: S704  our own template


def for_files(name: str, html: str) -> str:
    """Return the page with relative links to files, so that the site works in any folder of any host."""
    files = CONTENT_HASH.sub("", html.replace(str(import_map()), _import_map()))
    linked = LINK.sub(lambda found: found[1] + _file(name, found[2]), files)
    head = f'<meta charset="utf-8">\n  {policy_tag(_import_map())}'
    added = '<link rel="stylesheet" href="../static/site/site.css">\n  <script type="module" src="../static/site/offline.js"></script>\n'
    return linked.replace('<meta charset="utf-8">', head, 1).replace("</head>", f"  {added}</head>", 1)


@cache
def _import_map() -> str:
    """Return the import map of the site: a module has one address, however it is imported, and the transport is the site's own."""
    imports = {address: f"..{CONTENT_HASH.sub('', file)}" for address, file in json.loads(str(import_map()))["imports"].items()}
    imports |= {site_file(file.name): f"..{site_file(file.name)}" for file in sorted(STATIC.glob("*.js"))}
    transport = f"..{site_file('transport.js')}"
    imports |= {"/static/platform/transport.js": transport, "../static/platform/transport.js": transport}
    return json.dumps({"imports": imports}, separators=(",", ":"))


def _file(name: str, path: str) -> str:
    """Return the relative address of what the server has at this path; `name` is that of the page."""
    if path.startswith(FOLDERS):
        return f"../{path}"
    if language := LANGUAGE.fullmatch(path):
        return f"../{language[1]}/{name}.html"
    page, _, anchor = path.partition("#")
    file = f"{page.replace('/', '-') or 'index'}.html"
    return f"{file}#{anchor}" if anchor else file
