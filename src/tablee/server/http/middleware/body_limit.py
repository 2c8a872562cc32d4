"""Limit on request bodies, which are read completely before any route runs: half a body never reaches a table."""

from __future__ import annotations

from contextlib import nullcontext

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.i18n import msg
from tablee.server.http.connection_limit import connection_of
from tablee.server.http.middleware.errors import error_response

MAX_BODY_BYTES = 64 * 1024
MAX_DRAINED_BYTES = 64 * 1024 * 1024


class BodyLimit:
    """Middleware that refuses a body of more than MAX_BODY_BYTES, whatever its Content-Length claims.

    It reads and drops the rest, because most clients read a response only after they have sent everything.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, received, more = b"", 0, True
        while more and received <= MAX_DRAINED_BYTES:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            chunk = message.get("body", b"")
            received += len(chunk)
            body += chunk if received <= MAX_BODY_BYTES else b""
            more = message.get("more_body", False)
        connection = connection_of(scope)
        with connection.working() if connection is not None else nullcontext():
            if received > MAX_BODY_BYTES:
                await _refuse(scope, receive, send)
            else:
                await self.app(scope, _ReplayBody(body, receive), send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    sentence = msg(
        "that is too large: a request may hold {count} byte",
        "that is too large: a request may hold {count} bytes",
        count=MAX_BODY_BYTES,
    )
    await error_response(Request(scope), 413, sentence)(scope, receive, send)


class _ReplayBody:
    """ASGI receive function that returns the body already read, then passes on what follows."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}
