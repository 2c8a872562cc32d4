"""A request's body is read before anything else is done, and only so much of it: half of one never reaches a table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.i18n import say
from tablee.server.http.middleware.error_responses import answer

MOST_BYTES = 64 * 1024
MOST_BYTES_HEARD_OUT = 64 * 1024 * 1024


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
        while more and heard <= MOST_BYTES_HEARD_OUT:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            piece = message.get("body", b"")
            heard += len(piece)
            body += piece if heard <= MOST_BYTES else b""
            more = message.get("more_body", False)
        if heard > MOST_BYTES:
            sentence = say(
                "that is too large: a request may hold {count} byte",
                "that is too large: a request may hold {count} bytes",
                count=MOST_BYTES,
            )
            await answer(Request(scope), 413, sentence)(scope, receive, send)
            return
        await self.app(scope, _Replay(body, receive), send)


class _Replay:
    """Hands on the body that was read, then whatever comes after it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}
