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
from tablee.core.i18n import LANGUAGES, Words, say
from tablee.server.http.api import AtTable, Reader, TableId, house_of
from tablee.server.http.middleware.language import COOKIE
from tablee.server.http.urls import address_for_friends, seat_link
from tablee.server.lobby.lobby import Gathers
from tablee.server.registry import NotOver
from tablee.server.table.legacy import OlderRules
from tablee.server.table.reactions import SIGNS
from tablee.server.table.seats import Seating
from tablee.server.table.table import Table
from tablee.server.view import lobby_view
from tablee.server.view.client_view import Screen
from tablee.server.view.narrator import Narrator
from tablee.server.view.rendered_view import picture_of
from tablee.server.view.rendering import asset, box_page, final_board, pictured, room_assets, templates
from tablee.server.view.rule_book import in_print
from tablee.server.view.rule_examples import one_turn

KEYS = "tablee_keys"  # the cookie with the tokens of the seats that a device holds, for one table's page alone

router = APIRouter(include_in_schema=False)


class NoSuchGame(TableeError):
    """Somebody followed an old or a mistyped link."""


def game_of(request: Request, key: str) -> Game:
    """The game that a page's address names."""
    if key not in games.known():
        titles = tuple(say(game.title) for game in house_of(request).games())
        raise NoSuchGame(say("there is no game {key!r}; there are: {known}", key=key, known=titles))
    return house_of(request).game(key)


Named = Annotated[Game, Depends(game_of)]


def page(request: Request, words: Words, template: str, **context: Any) -> HTMLResponse:
    return HTMLResponse(rendered(words, template, request.url.path, **context))


def rendered(words: Words, template: str, path: str, **context: Any) -> str:
    return templates().get_template(template).render(_=words, lang=words.language, path=path, **context)


def constant_page(request: Request, words: Words, path: str, render: Callable[[], str]) -> HTMLResponse:
    """A page that depends on nothing but the language: rendered once."""
    kept: dict[tuple[str, str], str] = request.app.state.pages
    key = path, words.language
    if key not in kept:
        with request.app.state.rendering[key]:  # of several threads that want it, one renders it
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
async def learn(request: Request, game: Named) -> Response:
    """A first game, in which the page explains by doing."""
    table, token = await house_of(request).first_game(game.key)
    return RedirectResponse(seat_link("", table.id, token), 303)


@router.get("/t/{table}")
async def table_page(request: Request, words: Reader, table: TableId, k: str = "") -> HTMLResponse:
    """A table through its whole life. `k` holds the tokens of the seats on this screen: whoever carries them in their address sends it
    nowhere: static/keys_from_url.js puts them into a cookie of this page, so that it is drawn for the same seats the next time."""
    try:
        shown = await _table_page(request, words, await house_of(request).table(table), k)
    except Gathers:
        shown = await _gathering_page(request, words, table, k)
    except OlderRules as older:
        names = [Narrator(words, Seating(older.kept.seats)).name(seat) for seat in range(len(older.kept.seats))]
        told = {"game": older.game, "table": table, "names": names, "outcome": older.kept.outcome, "sentence": older.tell(words)}
        shown = page(request, words, "platform/legacy_table.html", **told)
    if k:
        shown.headers["referrer-policy"] = "no-referrer"
    return shown


async def _table_page(request: Request, words: Words, table: Table, k: str) -> HTMLResponse:
    keys = k or request.cookies.get(KEYS, "")
    seats = table.seating.of_tokens(k) if k else table.seating.known(keys)
    async with house_of(request).easel.turn(touched=False):
        picture = picture_of(Screen(table, words, seats, given_away=table.seating.given_away(keys)))
        return page(
            request,
            words,
            "platform/table.html",
            **room_assets(table.game.key),
            game=table.game,
            table=table.id,
            board=Markup(picture.part.whole()),
            now=picture.now,
            base=address_for_friends(request),
            club=not table.settings.aside and table.settings.club,
            learns=table.settings.lesson,
            company=len(table.seating.people) > 1,
            signs=SIGNS,
            chat=table.chat.open,
            server_time=round(1000 * time.time()),
        )


async def _gathering_page(request: Request, words: Words, table: str, k: str) -> HTMLResponse:
    gathering = await house_of(request).gathering(table)
    guest, game = gathering.guest(k or request.cookies.get(KEYS, "")), gathering.game
    board = Markup(lobby_view.draw(gathering, guest, words, f"{address_for_friends(request)}/t/{table}").whole())
    sheets = room_assets(game.key)["sheets"] if any(option.pictures for option in game.options) else []
    told = {"game": game, "table": table, "board": board, "now": lobby_view.now(guest), "sheets": sheets}
    return page(request, words, "platform/lobby.html", **told)


@router.get("/t/{table}/picture.svg")
async def final_picture(request: Request, words: Reader, table: AtTable) -> Response:
    """The final board, to keep."""
    if table.match.to_act or not pictured(table.game.key):
        raise NotOver(say("the picture is drawn when the game is over"))
    async with house_of(request).easel.turn(touched=False):
        return Response(final_board(Screen(table, words).context()), media_type="image/svg+xml")


@router.get("/rules/{key}")
def rules_page(request: Request, words: Reader, game: Named) -> HTMLResponse:
    """One turn in pictures, then the numbered rules."""

    def render() -> str:
        teach, turn = (game.folder / "TEACH.md").exists(), one_turn(game.key, words.language)
        return rendered(words, "platform/rules.html", path, game=game, teach=teach, turn=turn, text=in_print(game, words))

    path = f"/rules/{game.key}"
    return constant_page(request, words, path, render)


@router.get("/box/{key}")
def show_box(request: Request, words: Reader, game: Named) -> HTMLResponse:
    path = f"/box/{game.key}"
    return constant_page(request, words, path, lambda: box_page(game, words, path))


@router.get("/credits")
async def credits_page(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/credits.html", games=house_of(request).games())
