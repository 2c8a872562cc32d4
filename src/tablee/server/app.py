"""The application: the contract, the pages and the sockets behind one door that keeps bad input out and answers it in one sentence."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from tablee import games
from tablee.core.errors import IllegalMove, NotYourTurn, TableeError
from tablee.core.i18n import say
from tablee.core.tutorial import AskedOtherwise
from tablee.server.club.club import ClubHouse
from tablee.server.http import (
    api,
    club_access,
    club_organiser,
    clubs,
    finished_games,
    health,
    lobbies,
    markdown_pages,
    pages,
    start_pages,
    table_actions,
    websocket,
)
from tablee.server.http.middleware.body_limit import BodyLimit
from tablee.server.http.middleware.error_responses import answer
from tablee.server.http.middleware.errors import Faults
from tablee.server.http.middleware.headers import Headers
from tablee.server.http.middleware.host_origin import Door
from tablee.server.http.middleware.language import words_of
from tablee.server.http.middleware.limits import Limits
from tablee.server.http.middleware.rate_limit import NewTables
from tablee.server.http.validation_errors import explain
from tablee.server.http.view_schemas import describe_views
from tablee.server.lobby.lobby import Gathers, HasBegun
from tablee.server.lobby.seats import NoChair
from tablee.server.ops import metrics
from tablee.server.registry import House, NoLesson, NoSuchTable, NotOver
from tablee.server.storage.clubs import NoSuchClub
from tablee.server.storage.database import StoreError, TableMovedOn
from tablee.server.storage.mappers import DamagedTable
from tablee.server.table.absent_players import NotAbsent
from tablee.server.table.chat import NoChat
from tablee.server.table.coaching import NoHints
from tablee.server.table.legacy import OlderRules
from tablee.server.table.reactions import TooSoon
from tablee.server.table.seats import NotYourSeat
from tablee.server.table.table import NotNow
from tablee.server.view import rendering
from tablee.server.view.rule_book import why_not

STATUS: dict[type[TableeError], int] = {
    NoSuchTable: 404,
    pages.NoSuchGame: 404,
    NoLesson: 404,
    OlderRules: 410,
    NotYourSeat: 403,
    NotYourTurn: 409,
    AskedOtherwise: 409,
    NotOver: 409,
    Gathers: 409,
    HasBegun: 409,
    NoChair: 409,
    NoHints: 409,
    NoChat: 409,
    NotNow: 409,
    NotAbsent: 409,
    NoSuchClub: 404,
    club_access.NotTheOrganiser: 403,
    club_access.NotAMember: 403,
    TooSoon: 429,
    TableMovedOn: 409,
    DamagedTable: 500,
    StoreError: 503,
}
USUAL = Limits()
TITLE = "Tablée"


def make_app(house: House, nearby: str | None = None, limits: Limits = USUAL, measured: bool = False) -> FastAPI:
    """`nearby` is this server's address for others on the same network."""
    rendering.templates()  # as they are now,
    rendering.build()  # and their mark
    app = Application(title=TITLE, version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None, lifespan=_awake)
    app.state.house, app.state.nearby = house, nearby
    app.state.clubs, app.state.glances, app.state.pages = ClubHouse(house), WeakKeyDictionary(), {}
    app.state.rendering = defaultdict[tuple[str, str], Lock](Lock)  # by page
    for router in (
        api.router,
        finished_games.router,
        table_actions.router,
        health.router,
        websocket.router,
        lobbies.router,
        start_pages.router,
        pages.router,
        clubs.router,
        club_organiser.router,
        markdown_pages.router,
        *([metrics.router] if measured else []),
    ):
        app.router.routes.extend(router.routes)  # `include_router` would build each again, in the first request that passes it
    for key in ("platform", *games.known()):
        if rendering.static_folder(key).exists():
            app.mount(f"/static/{key}", StaticFiles(directory=rendering.static_folder(key)))
    app.add_exception_handler(TableeError, _refuse)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _no_such_page)
    _set_up_the_door(app, limits, measured)
    return app


class Application(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document, with the view of every game."""
        if self.openapi_schema is None:
            describe_views(super().openapi(), self.state.house.games())
        return super().openapi()


@asynccontextmanager
async def _awake(app: FastAPI) -> AsyncIterator[None]:
    watching = asyncio.create_task(metrics.watch_the_loop())
    forgetting = asyncio.create_task(app.state.clubs.forget_the_unused())
    async with app.state.house.watched_over():
        yield
    watching.cancel()
    forgetting.cancel()


def _set_up_the_door(app: FastAPI, limits: Limits, measured: bool) -> None:
    """From the innermost to the outermost, as an answer leaves."""
    app.add_middleware(GZipMiddleware, minimum_size=600, compresslevel=4)
    app.add_middleware(NewTables, limits)
    app.add_middleware(BodyLimit)
    app.add_middleware(Door, limits)
    app.add_middleware(Faults)
    app.add_middleware(Headers)
    if measured:
        metrics.begin()
        app.add_middleware(metrics.Measured)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableeError)
    words = words_of(request)
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    said = error.tell(words)
    if isinstance(error, AskedOtherwise):
        return answer(request, status, said, kindly=True)
    if not isinstance(error, IllegalMove) or "table" not in request.path_params:
        return answer(request, status, said)
    game = (await request.app.state.house.table(request.path_params["table"])).game
    return answer(request, status, said, **(why_not(game, error, words) or {}))


async def _bad_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if isinstance(first.get("input"), bytes):  # FastAPI reads as JSON only what is sent as JSON
        return answer(request, 415, say("the body must be sent as application/json (in the header Content-Type)"))
    if first["type"] == "json_invalid":
        return answer(request, 400, say("this is not JSON: {reason}", reason=str(first.get("ctx", {}).get("error", ""))))
    return answer(request, 422, explain(first))


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = answer(request, error.status_code, say("page not found") if error.status_code == 404 else str(error.detail))
    said.headers.update(error.headers or {})
    return said
