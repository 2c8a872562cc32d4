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
from tablee.core.lesson import AskedOtherwise
from tablee.core.words import say
from tablee.server.clubs.club import ClubHouse
from tablee.server.door.answers import answer
from tablee.server.door.bodies import BodyLimit
from tablee.server.door.door import Door
from tablee.server.door.faults import Faults
from tablee.server.door.headers import Headers
from tablee.server.door.language import words_of
from tablee.server.door.limits import Limits
from tablee.server.door.new_tables import NewTables
from tablee.server.drawing import rendering
from tablee.server.drawing.rule_book import why_not
from tablee.server.house import House, NoLesson, NoSuchTable, NotOver
from tablee.server.kept.clubs import NoSuchClub
from tablee.server.kept.database import StoreError, TableMovedOn
from tablee.server.kept.rows import DamagedTable
from tablee.server.tables.absence import NotAbsent
from tablee.server.tables.archive import OlderRules
from tablee.server.tables.chairs import NoChair
from tablee.server.tables.chat import NoChat
from tablee.server.tables.coaching import NoHints
from tablee.server.tables.gathering import Gathers, HasBegun
from tablee.server.tables.reactions import TooSoon
from tablee.server.tables.seating import NotYourSeat
from tablee.server.tables.table import NotNow
from tablee.server.watch import measuring
from tablee.server.web import afterwards, api, clubs, gatherings, health, joining, membership, organising, pages, reading, sockets, together
from tablee.server.web.bad_requests import explain
from tablee.server.web.view_schemas import describe_views

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
    membership.NotTheOrganiser: 403,
    membership.NotAMember: 403,
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
        afterwards.router,
        together.router,
        health.router,
        sockets.router,
        gatherings.router,
        joining.router,
        pages.router,
        clubs.router,
        organising.router,
        reading.router,
        *([measuring.router] if measured else []),
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
    watching = asyncio.create_task(measuring.watch_the_loop())
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
        measuring.begin()
        app.add_middleware(measuring.Measured)


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
