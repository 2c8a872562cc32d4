"""Entrances from the JavaScript of both workers: texts go in and come out."""

from __future__ import annotations

import json
from collections.abc import Callable

from tablee.site.tab.native_loops import Load, NativeLoops
from tablee.site.tab.routes import Tab
from tablee.site.tab.socket import PageSocket
from tablee.site.tab.storage import Device
from tablee.site.tab.thinking import Think, Thinker


def thinker(load: Load, address: int) -> Thinker:
    """Return the end of the worker in which bots and the coach think."""
    return Thinker(NativeLoops(load, address).use)


class TabWorker:
    def __init__(
        self,
        device: Device,
        language: str,
        message: Callable[[int, str], None],
        close: Callable[[int, int], None],
        think: Think,
        load: Load,
        address: int,
    ) -> None:
        """Open a tab; `message` and `close` reach the page by the number of its connection."""
        self._tab = Tab(device, language, think=think, use_loops=NativeLoops(load, address).use)
        self._message, self._close = message, close
        self._sockets: dict[int, PageSocket] = {}

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
