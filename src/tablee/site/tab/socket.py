"""Connections between a page and the tables of its worker, which speak as a server's WebSockets do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tablee.server.live.connection import STARTED, LiveConnection
from tablee.server.lobby.lobby import GameStarted

CLOSE_INVALID = 4000  # close code after which a page does not reconnect


class PageSocket:
    def __init__(self, send: Callable[[str], None], close: Callable[[int], None]) -> None:
        """Create the worker's end of a connection; `send` and `close` reach the page."""
        self._send, self._close = send, close
        self._received: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def receive(self, text: str) -> None:
        self._received.put_nowait(text)

    async def receive_text(self) -> str:
        return await self._received.get()

    async def send_text(self, data: str) -> None:
        self._send(data)

    async def send_bytes(self, data: bytes) -> None:
        raise NotImplementedError("pages of a tab ask for uncompressed messages")

    def start(self, opening: Awaitable[LiveConnection], translator: Translator) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(opening, translator))

    async def _run(self, opening: Awaitable[LiveConnection], translator: Translator) -> None:
        try:
            await (await opening).run()
        except GameStarted:
            self._send(json.dumps(STARTED))
        except TableeError as error:
            self._send(json.dumps({"error": error.translate(translator)}))
            self._close(CLOSE_INVALID)

    def close(self) -> None:
        """End the connection: the page is gone."""
        if self._task is not None:
            self._task.cancel()
