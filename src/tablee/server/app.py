"""The application: the contract, the pages and the sockets behind one door that keeps bad input out and answers it in one sentence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from tablee import games
from tablee.core.errors import IllegalMove, NotYourTurn, TableeError
from tablee.core.words import say
from tablee.server import api, pages, rendering, sockets
from tablee.server.bad_requests import explain
from tablee.server.language import words_of
from tablee.server.store import StoreError, TableMovedOn
from tablee.server.tables import House, NoHints, NoSuchTable, NotOver, NotYourSeat

MOST_BYTES = 64 * 1024
MOST_BYTES_HEARD_OUT = 64 * 1024 * 1024
STATUS: dict[type[TableeError], int] = {
    NoSuchTable: 404,
    pages.NoSuchGame: 404,
    NotYourSeat: 403,
    NotYourTurn: 409,
    NotOver: 409,
    NoHints: 409,
    TableMovedOn: 409,
    StoreError: 503,
}
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def make_app(house: House, nearby: str | None = None) -> FastAPI:
    """`nearby` is this server's address for others on the same network."""
    app = FastAPI(title="Tablée", version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    app.state.house, app.state.nearby = house, nearby
    for router in (api.router, sockets.router, pages.router):
        app.include_router(router)
    for key in ("platform", *games.known()):
        if rendering.static_folder(key).exists():
            app.mount(f"/static/{key}", StaticFiles(directory=rendering.static_folder(key)))
    app.add_exception_handler(TableeError, _refuse)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _no_such_page)
    app.middleware("http")(_headers)
    app.add_middleware(GZipMiddleware, minimum_size=600)
    app.add_middleware(BodyLimit)
    return app


def _answer(request: Request, status: int, sentence: str, rule: str | None = None) -> Response:
    """JSON for a program, a page for a person."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": sentence, "rule": rule}, status)
    words = words_of(request)
    html = rendering.templates().get_template("platform/error.html").render(_=words, lang=words.language, path="/", sentence=sentence)
    return HTMLResponse(html, status)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableeError)
    return _answer(
        request, STATUS.get(type(error), 422), error.tell(words_of(request)), error.rule if isinstance(error, IllegalMove) else None
    )


async def _bad_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    words = words_of(request)
    if first["type"] == "json_invalid":
        return _answer(request, 400, words(say("this is not JSON: {reason}", reason=str(first.get("ctx", {}).get("error", "")))))
    return _answer(request, 422, words(explain(first)))


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = words_of(request)
    sentence = words("there is nothing here") if error.status_code == 404 else str(error.detail)
    answer = _answer(request, error.status_code, sentence)
    answer.headers.update(error.headers or {})
    return answer


async def _headers(request: Request, forward: Callable[[Request], Awaitable[Response]]) -> Response:
    answer = await forward(request)
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if request.url.path.startswith("/static/"):
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if "v" in request.query_params else "no-cache"
    else:
        answer.headers.setdefault("cache-control", "no-store")
    return answer


Message = MutableMapping[str, Any]


class BodyLimit:
    """Refuses a body over the limit, whatever it claims about its length, before anything reads it. It is heard out, and forgotten,
    because most clients listen to an answer only after they have said everything.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, heard, more = b"", 0, True
        while more and heard <= MOST_BYTES_HEARD_OUT:
            message = await receive()
            piece = message.get("body", b"")
            heard += len(piece)
            body += piece if heard <= MOST_BYTES else b""
            more = message.get("more_body", False)
        if heard > MOST_BYTES:
            request = Request(scope)
            words = words_of(request)
            sentence = words(say("that is too large: a request may hold {most} bytes", most=MOST_BYTES))
            await _answer(request, 413, sentence)(scope, receive, send)
            return
        await self.app(scope, _Replay(body, receive), send)


class _Replay:
    """Hands on the body that was read, then whatever comes after it."""

    def __init__(self, body: bytes, receive: Callable[[], Awaitable[Message]]) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}
