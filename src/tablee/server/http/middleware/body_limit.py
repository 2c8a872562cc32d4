"""A request's body is read before anything else is done, and only so much of it: half of one never reaches a table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.i18n import msg
from tablee.server.http.middleware.error_responses import error_response

MAX_BODY_BYTES = 64 * 1024
MAX_DRAINED_BYTES = 64 * 1024 * 1024


class BodyLimit:
    """Refuses a body over the limit, whatever it claims about its length, before anything reads it. It is heard out, and forgotten,
    because most clients listen to an answer only after they have said everything.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, heard, more = b"", 0, True
        while more and heard <= MAX_DRAINED_BYTES:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            piece = message.get("body", b"")
            heard += len(piece)
            body += piece if heard <= MAX_BODY_BYTES else b""
            more = message.get("more_body", False)
        if heard > MAX_BODY_BYTES:
            sentence = msg(
                "that is too large: a request may hold {count} byte",
                "that is too large: a request may hold {count} bytes",
                count=MAX_BODY_BYTES,
            )
            await error_response(Request(scope), 413, sentence)(scope, receive, send)
            return
        await self.app(scope, _ReplayBody(body, receive), send)


class _ReplayBody:
    """Hands on the body that was read, then whatever comes after it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}
