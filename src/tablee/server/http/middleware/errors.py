"""What nobody expected in a request or a socket: whoever asked is told its number, and nobody else feels it."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from tablee.core.i18n import msg
from tablee.server.http.middleware.error_responses import error_response
from tablee.server.http.middleware.language import translator_for
from tablee.server.ops.error_reports import report, report_message

DISCONNECTED = (ClientDisconnect, WebSocketDisconnect)  # whoever asked has left, which is no fault


class ErrorHandler:
    """Catches what nobody expected in any request, and in any socket."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = False

        async def note(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self.app(scope, receive, note)
        except DISCONNECTED:
            return
        except asyncio.CancelledError:  # the server ends, and waits no longer for whatever this waits for
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
    """A socket is told and closed; an answer that has begun cannot be taken back, and the connection ends with it."""
    asked = HTTPConnection(scope)
    if not began:
        await error_response(asked, 500, report_message(number))(scope, receive, send)
    elif scope["type"] == "websocket":
        with suppress(Exception):  # it may have left meanwhile
            await send({"type": "websocket.send", "text": json.dumps({"error": translator_for(asked)(report_message(number))})})
            await send({"type": "websocket.close", "code": 1011})
