"""Entrance from the worker's JavaScript: texts go in and come out."""

from __future__ import annotations

import json
from collections.abc import Callable

from tablee.server.view.narrator import BOT_NAMES
from tablee.server.view.rendering import templates
from tablee.site.tab.routes import LEVELS, Tab
from tablee.site.tab.socket import PageSocket
from tablee.site.tab.storage import Device


class TabWorker:
    def __init__(self, device: Device, language: str, message: Callable[[int, str], None], close: Callable[[int, int], None]) -> None:
        """Open a tab; `message` and `close` reach the page by the number of its connection."""
        self._tab, self._message, self._close = Tab(device, language), message, close
        self._sockets: dict[int, PageSocket] = {}
        templates().globals["levels"] = {level: BOT_NAMES[level] for level in LEVELS}

    async def answer(self, method: str, path: str, token: str, text: str) -> str:
        """Return the status and the text of an answer, as JSON."""
        status, body = await self._tab.answer(method, path, token or None, text)
        return json.dumps([status, body if isinstance(body, str) else json.dumps(body)])

    def open(self, number: int, path: str) -> None:
        socket = PageSocket(lambda text: self._message(number, text), lambda code: self._close(number, code))
        self._sockets[number] = socket
        self._tab.connect(path, socket)

    def receive(self, number: int, text: str) -> None:
        self._sockets[number].receive(text)

    def close(self, number: int) -> None:
        self._sockets.pop(number).close()

    async def refresh(self, table: str) -> None:
        """Another tab has written to this table."""
        await self._tab.tables.refresh(table)
