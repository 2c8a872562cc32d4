"""Error responses, and the handling of unexpected exceptions: a client gets the number of the report, and no other is affected."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from tablee.core.i18n import Message as Sentence
from tablee.core.i18n import msg
from tablee.server.http.requests import translator_for
from tablee.server.ops.error_reports import report, report_message
from tablee.server.view import rendering

DISCONNECTED = (ClientDisconnect, WebSocketDisconnect)  # the client has disconnected, which is not an error


def error_response(connection: HTTPConnection, status: int, why: Sentence | str, /, rule: str | None = None, **more: Any) -> Response:
    """Return an error in the reader's language: JSON under /api, an HTML page elsewhere."""
    translator = translator_for(connection)
    sentence = translator(why)
    if str(connection.scope["path"]).startswith("/api"):
        return JSONResponse({"error": sentence, "rule": rule, **more}, status)
    html = (
        rendering.templates()
        .get_template("platform/error.html")
        .render(_=translator, lang=translator.language, path="/", sentence=sentence)
    )
    return HTMLResponse(html, status)


class ErrorHandler:
    """Middleware that catches unexpected exceptions of requests and WebSockets."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = False

        async def send_and_note(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except DISCONNECTED:
            return
        except asyncio.CancelledError:  # the server shuts down and no longer waits for this request
            if scope["type"] != "http" or began:
                raise
            await error_response(HTTPConnection(scope), 503, msg("the server is being restarted; try again in a moment"))(
                scope, receive, send
            )
        except Exception as error:
            if scope["type"] == "lifespan":
                raise
            await _send_error(scope, receive, send, report(error), began)


async def _send_error(scope: Scope, receive: Receive, send: Send, number: int, began: bool) -> None:
    """Send the report's number; close a WebSocket after it. A response that has begun is cut off."""
    connection = HTTPConnection(scope)
    if not began:
        await error_response(connection, 500, report_message(number))(scope, receive, send)
    elif scope["type"] == "websocket":
        with suppress(Exception):  # the client may have left
            await send({"type": "websocket.send", "text": json.dumps({"error": translator_for(connection)(report_message(number))})})
            await send({"type": "websocket.close", "code": 1011})
