"""HTML pages of tables, rules, boxes, credits and texts; each room brings its own templates. See also `start_pages.py`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee import games
from tablee.core.game import Game
from tablee.core.i18n import LANGUAGES, Translator, msg
from tablee.server.http.refusals import NoSuchGame
from tablee.server.http.requests import (
    LANGUAGE_COOKIE,
    TableDep,
    TableId,
    TranslatorDep,
    lobbies_of,
    public_base_url,
    registry_of,
    seat_url,
)
from tablee.server.lobby.lobby import GameNotStarted
from tablee.server.table.chat import SIGNS
from tablee.server.table.new_tables import NotOver
from tablee.server.table.records import OlderRules
from tablee.server.table.seats import Seating
from tablee.server.table.table import Table
from tablee.server.view import lobby_view
from tablee.server.view.assets import SERVER_FOLDER, art_url, asset, room_assets
from tablee.server.view.client_view import ClientView
from tablee.server.view.narrator import Narrator
from tablee.server.view.rendered_view import cached_view
from tablee.server.view.rendering import box_page, final_board, has_picture, templates
from tablee.server.view.rule_book import example_turn, to_html

KEYS_COOKIE = "tablee_keys"  # the tokens of the seats that a device holds, sent to one table's page only

TEACH, PRIVACY = "TEACH", "PRIVACY"  # texts in Markdown

router = APIRouter(include_in_schema=False)


def known_game(request: Request, key: str) -> Game:
    """Return the game named by a page's URL."""
    if key not in games.known():
        titles = tuple(msg(game.title) for game in registry_of(request).games())
        raise NoSuchGame(msg("there is no game {key!r}; there are: {known}", key=key, known=titles))
    return registry_of(request).game(key)


GameDep = Annotated[Game, Depends(known_game)]


def page(request: Request, translator: Translator, template: str, **context: Any) -> HTMLResponse:
    return HTMLResponse(render_template(translator, template, request.url.path, **context))


def render_template(translator: Translator, template: str, path: str, **context: Any) -> str:
    return templates().get_template(template).render(_=translator, lang=translator.language, path=path, **context)


def cached_page(request: Request, translator: Translator, path: str, render: Callable[[], str]) -> HTMLResponse:
    """Return a page that depends on the language only, rendered once."""
    cache: dict[tuple[str, str], str] = request.app.state.page_cache
    key = path, translator.language
    if key not in cache:
        with request.app.state.page_locks[key]:  # so that only one thread renders it
            cache[key] = cache.get(key) or render()
    return HTMLResponse(cache[key])


@router.get("/favicon.ico")
def icon() -> Response:
    return RedirectResponse(asset("platform", "icon.svg"))


@router.get("/language/{code}")
def choose_language(code: str, back: Annotated[str, Query()] = "/") -> Response:
    """Set the language cookie and redirect to `back`, which must be a path on this site."""
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if code in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, code, max_age=10**8, samesite="lax", httponly=True)
    return response


@router.post("/first/{key}")
async def start_tutorial(request: Request, game: GameDep) -> Response:
    """Create a tutorial and redirect to its seat."""
    table, token = await registry_of(request).create_tutorial(game.key)
    return RedirectResponse(seat_url("", table.id, token), 303)


@router.get("/t/{table}")
async def table_page(request: Request, translator: TranslatorDep, table: TableId, k: str = "") -> HTMLResponse:
    """Return the page of a table: its lobby, its game, or its result by older rules.

    `k` holds the tokens of the client's seats. static/keys_from_url.js moves them from the URL into a cookie of this page, so that the next
    request is rendered for the same seats; until then the page sends no referrer.
    """
    try:
        response = await _table_page(request, translator, await registry_of(request).table(table), k)
    except GameNotStarted:
        response = await _lobby_page(request, translator, table, k)
    except OlderRules as older:
        names = [Narrator(translator, Seating(older.stored.seats)).name(seat) for seat in range(len(older.stored.seats))]
        context = {
            "game": older.game,
            "table": table,
            "names": names,
            "outcome": older.stored.outcome,
            "sentence": older.translate(translator),
        }
        response = page(request, translator, "platform/legacy_table.html", **context)
    if k:
        response.headers["referrer-policy"] = "no-referrer"
    return response


async def _table_page(request: Request, translator: Translator, table: Table, k: str) -> HTMLResponse:
    keys = k or request.cookies.get(KEYS_COOKIE, "")
    seats = table.seating.seats_of_tokens(k) if k else table.seating.known_seats(keys)
    async with request.app.state.render_queue.slot(urgent=False):
        rendered = cached_view(ClientView(table, translator, seats, given_away=table.seating.given_away(keys)))
        return page(
            request,
            translator,
            "platform/table.html",
            **room_assets(table.game.key),
            game=table.game,
            art=art_url(table.game),
            table=table.id,
            board=Markup(rendered.fragment.to_html()),
            now=rendered.client_state,
            base=public_base_url(request),
            club=not table.settings.aside and table.settings.club,
            is_tutorial=table.settings.lesson,
            develop=request.app.state.develop,
            has_company=len(table.seating.people) > 1,
            signs=SIGNS,
            chat=table.chat.open,
            server_time=round(1000 * time.time()),
            elsewhere="offline" if request.app.state.has_site else "file",
        )


async def _lobby_page(request: Request, translator: Translator, table: str, k: str) -> HTMLResponse:
    lobby = await lobbies_of(request).lobby(table)
    visitor, game = lobby.visitor(k or request.cookies.get(KEYS_COOKIE, "")), lobby.game
    board = Markup(lobby_view.render_lobby(lobby, visitor, translator, f"{public_base_url(request)}/t/{table}").to_html())
    context = {"game": game, "table": table, "board": board, "now": lobby_view.client_state(visitor)}
    return page(request, translator, "platform/lobby.html", **context)


@router.get("/t/{table}/picture.svg")
async def final_picture(request: Request, translator: TranslatorDep, table: TableDep) -> Response:
    """Return the final board as an SVG file."""
    if table.match.to_act or not has_picture(table.game.key):
        raise NotOver(msg("the picture is drawn when the game is over"))
    async with request.app.state.render_queue.slot(urgent=False):
        return Response(final_board(ClientView(table, translator).message(), translator), media_type="image/svg+xml")


@router.get("/rules/{key}")
def rules_page(request: Request, translator: TranslatorDep, game: GameDep) -> HTMLResponse:
    """Return the rules page: an example turn in pictures, then the numbered rules."""

    def render() -> str:
        teach, turn = (game.folder / "TEACH.md").exists(), example_turn(game.key, translator.language)
        return render_template(translator, "platform/rules.html", path, game=game, teach=teach, turn=turn, text=to_html(game, translator))

    path = f"/rules/{game.key}"
    return cached_page(request, translator, path, render)


@router.get("/box/{key}")
def box_contents_page(request: Request, translator: TranslatorDep, game: GameDep) -> HTMLResponse:
    path = f"/box/{game.key}"
    return cached_page(request, translator, path, lambda: box_page(game, translator, path))


@router.get("/credits")
async def credits_page(request: Request, translator: TranslatorDep) -> HTMLResponse:
    return page(request, translator, "platform/credits.html", games=registry_of(request).games())


@router.get("/teach/{key}")
def teachers_page(request: Request, translator: TranslatorDep, game: GameDep) -> HTMLResponse:
    if not (game.folder / f"{TEACH}.md").exists():
        raise NoSuchGame(msg("there is no sheet for teachers about {game}", game=msg(game.title)))
    return page(request, translator, "platform/teach.html", game=game, text=localized_markdown(game.folder, TEACH, translator.language))


@router.get("/privacy")
def privacy(request: Request, translator: TranslatorDep) -> HTMLResponse:
    return page(
        request, translator, "platform/privacy.html", text=localized_markdown(SERVER_FOLDER / "texts", PRIVACY, translator.language)
    )


def localized_markdown(folder: Path, name: str, language: str) -> Markup:
    """Return a text in the reader's language, else in English, which always exists."""
    file = folder / f"{name}.{language}.md"
    text = (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")
    return Markup(MarkdownIt().enable("table").render(text))
