"""WebSockets of live connections: a refusal is answered with one sentence, and ends them."""

from __future__ import annotations

from collections.abc import Awaitable

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.http.middleware.language import translator_for
from tablee.server.live.connection import LiveConnection

CLOSE_INVALID = 4000  # close code after which a client does not reconnect


async def serve(socket: WebSocket, opening: Awaitable[LiveConnection], raises: type[TableeError] | tuple[()] = ()) -> None:
    """Open a connection and run it to its end; answer a refusal, except those it `raises`, or a bad message with one sentence."""
    try:
        await (await opening).run()
    except raises:
        raise
    except WebSocketDisconnect:
        return
    except (TableeError, ValidationError, KeyError) as error:
        translator = translator_for(socket)
        unreadable = msg("this is not a message that a table understands")
        await socket.send_json({"error": error.translate(translator) if isinstance(error, TableeError) else translator(unreadable)})
        await socket.close(code=CLOSE_INVALID)
