"""The pages a person opens: the table, rules, box, credits. Server-rendered; a room brings its own templates. See also `joining.py`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import LANGUAGES, Translator, msg
from tablee.server.http.api import TableDep, TableId, TranslatorDep, registry_of
from tablee.server.http.middleware.language import COOKIE
from tablee.server.http.urls import public_base_url, seat_url
from tablee.server.lobby.lobby import GameNotStarted
from tablee.server.registry import NotOver
from tablee.server.table.legacy import OlderRules
from tablee.server.table.reactions import SIGNS
from tablee.server.table.seats import Seating
from tablee.server.table.table import Table
from tablee.server.view import lobby_view
from tablee.server.view.client_view import ClientView
from tablee.server.view.narrator import Narrator
from tablee.server.view.rendered_view import cached_view
from tablee.server.view.rendering import asset, box_page, final_board, has_picture, room_assets, templates
from tablee.server.view.rule_book import to_html
from tablee.server.view.rule_examples import example_turn

KEYS_COOKIE = "tablee_keys"  # the cookie with the tokens of the seats that a device holds, for one table's page alone

router = APIRouter(include_in_schema=False)


class NoSuchGame(TableeError):
    """Somebody followed an old or a mistyped link."""


def known_game(request: Request, key: str) -> Game:
    """The game that a page's address names."""
    if key not in games.known():
        titles = tuple(msg(game.title) for game in registry_of(request).games())
        raise NoSuchGame(msg("there is no game {key!r}; there are: {known}", key=key, known=titles))
    return registry_of(request).game(key)


GameDep = Annotated[Game, Depends(known_game)]


def page(request: Request, words: Translator, template: str, **context: Any) -> HTMLResponse:
    return HTMLResponse(render_template(words, template, request.url.path, **context))


def render_template(words: Translator, template: str, path: str, **context: Any) -> str:
    return templates().get_template(template).render(_=words, lang=words.language, path=path, **context)


def cached_page(request: Request, words: Translator, path: str, render: Callable[[], str]) -> HTMLResponse:
    """A page that depends on nothing but the language: rendered once."""
    kept: dict[tuple[str, str], str] = request.app.state.page_cache
    key = path, words.language
    if key not in kept:
        with request.app.state.page_locks[key]:  # of several threads that want it, one renders it
            kept[key] = kept.get(key) or render()
    return HTMLResponse(kept[key])


@router.get("/favicon.ico")
def icon() -> Response:
    return RedirectResponse(asset("platform", "icon.svg"))


@router.get("/language/{code}")
def choose_language(code: str, back: Annotated[str, Query()] = "/") -> Response:
    """`back` stays on this site: it must be a path."""
    answer = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if code in LANGUAGES:
        answer.set_cookie(COOKIE, code, max_age=10**8, samesite="lax", httponly=True)
    return answer


@router.post("/first/{key}")
async def start_tutorial(request: Request, game: GameDep) -> Response:
    """A first game, in which the page explains by doing."""
    table, token = await registry_of(request).create_tutorial(game.key)
    return RedirectResponse(seat_url("", table.id, token), 303)


@router.get("/t/{table}")
async def table_page(request: Request, words: TranslatorDep, table: TableId, k: str = "") -> HTMLResponse:
    """A table through its whole life. `k` holds the tokens of the seats on this screen: whoever carries them in their address sends it
    nowhere: static/keys_from_url.js puts them into a cookie of this page, so that it is drawn for the same seats the next time."""
    try:
        shown = await _table_page(request, words, await registry_of(request).table(table), k)
    except GameNotStarted:
        shown = await _lobby_page(request, words, table, k)
    except OlderRules as older:
        names = [Narrator(words, Seating(older.stored.seats)).name(seat) for seat in range(len(older.stored.seats))]
        told = {"game": older.game, "table": table, "names": names, "outcome": older.stored.outcome, "sentence": older.translate(words)}
        shown = page(request, words, "platform/legacy_table.html", **told)
    if k:
        shown.headers["referrer-policy"] = "no-referrer"
    return shown


async def _table_page(request: Request, words: Translator, table: Table, k: str) -> HTMLResponse:
    keys = k or request.cookies.get(KEYS_COOKIE, "")
    seats = table.seating.seats_of_tokens(k) if k else table.seating.known_seats(keys)
    async with registry_of(request).render_queue.slot(urgent=False):
        picture = cached_view(ClientView(table, words, seats, given_away=table.seating.given_away(keys)))
        return page(
            request,
            words,
            "platform/table.html",
            **room_assets(table.game.key),
            game=table.game,
            table=table.id,
            board=Markup(picture.fragment.to_html()),
            now=picture.client_state,
            base=public_base_url(request),
            club=not table.settings.aside and table.settings.club,
            is_tutorial=table.settings.lesson,
            has_company=len(table.seating.people) > 1,
            signs=SIGNS,
            chat=table.chat.open,
            server_time=round(1000 * time.time()),
        )


async def _lobby_page(request: Request, words: Translator, table: str, k: str) -> HTMLResponse:
    gathering = await registry_of(request).lobby(table)
    guest, game = gathering.visitor(k or request.cookies.get(KEYS_COOKIE, "")), gathering.game
    board = Markup(lobby_view.render_lobby(gathering, guest, words, f"{public_base_url(request)}/t/{table}").to_html())
    sheets = room_assets(game.key)["sheets"] if any(option.pictures for option in game.options) else []
    told = {"game": game, "table": table, "board": board, "now": lobby_view.client_state(guest), "sheets": sheets}
    return page(request, words, "platform/lobby.html", **told)


@router.get("/t/{table}/picture.svg")
async def final_picture(request: Request, words: TranslatorDep, table: TableDep) -> Response:
    """The final board, to keep."""
    if table.match.to_act or not has_picture(table.game.key):
        raise NotOver(msg("the picture is drawn when the game is over"))
    async with registry_of(request).render_queue.slot(urgent=False):
        return Response(final_board(ClientView(table, words).context()), media_type="image/svg+xml")


@router.get("/rules/{key}")
def rules_page(request: Request, words: TranslatorDep, game: GameDep) -> HTMLResponse:
    """One turn in pictures, then the numbered rules."""

    def render() -> str:
        teach, turn = (game.folder / "TEACH.md").exists(), example_turn(game.key, words.language)
        return render_template(words, "platform/rules.html", path, game=game, teach=teach, turn=turn, text=to_html(game, words))

    path = f"/rules/{game.key}"
    return cached_page(request, words, path, render)


@router.get("/box/{key}")
def box_contents_page(request: Request, words: TranslatorDep, game: GameDep) -> HTMLResponse:
    path = f"/box/{game.key}"
    return cached_page(request, words, path, lambda: box_page(game, words, path))


@router.get("/credits")
async def credits_page(request: Request, words: TranslatorDep) -> HTMLResponse:
    return page(request, words, "platform/credits.html", games=registry_of(request).games())
