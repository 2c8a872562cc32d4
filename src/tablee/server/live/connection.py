"""Connection of one client of a table or a lobby: at each change signal it sends what the client does not show yet.

A connection has no queue: it renders the current state and sends the difference. A slow client skips versions, and no client waits for
another. Tables have a connection of their own: `table_connection.py`.
"""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol

from tablee.core.i18n import Translator
from tablee.server.lobby.lobby import GameStarted, Lobby, Visitor
from tablee.server.table.presence import ChangeSignal
from tablee.server.view import lobby_view
from tablee.server.view.fragments import Fragment, Patch
from tablee.server.view.rendered_view import RenderQueue
from tablee.server.view.rendering import build_id

MESSAGE_BURST, MESSAGE_INTERVAL = 20, 0.025  # messages read at once; seconds per message after that
STARTED = {"begun": True}


class Socket(Protocol):
    """One end of a connection that carries messages both ways."""

    async def receive_text(self) -> str: ...

    async def send_text(self, data: str) -> None: ...

    async def send_bytes(self, data: bytes) -> None: ...


class LiveConnection(ABC):
    def __init__(self, socket: Socket, translator: Translator, signal: ChangeSignal, render_queue: RenderQueue) -> None:
        self.socket, self.translator, self._signal, self._render_queue = socket, translator, signal, render_queue
        self.changed = asyncio.Event()
        self._has_unanswered = True  # whether a message of the client awaits its response

    @abstractmethod
    async def receive(self, text: str) -> None:
        """Read one message of the client; the next one is read afterwards."""

    @abstractmethod
    def enter(self) -> None:
        """Count the client as present, after its first message."""

    @abstractmethod
    def leave(self) -> None:
        """Count the client as gone."""

    @abstractmethod
    def next_message(self) -> str | bytes | None:
        """Return the message with all that the client does not show yet; None while `receive` still decides what that is."""

    async def run(self, hello_timeout: float | None = None) -> None:
        """Serve the client until it goes; raise TimeoutError if its first message does not come within these seconds."""
        async with asyncio.timeout(hello_timeout):
            hello = await self.socket.receive_text()
        await self.receive(hello)
        self.enter()
        listening = asyncio.create_task(self._receive_all())
        listening.add_done_callback(lambda _: self.changed.set())
        try:
            with self._signal.subscribed(self.changed):
                await self._send_until(listening)
        finally:
            listening.cancel()
            self.leave()
        try:
            listening.result()
        finally:
            del listening  # its traceback would keep it and the last view alive until the next full garbage collection

    async def _receive_all(self) -> None:
        """Read messages for ever: MESSAGE_BURST at once, then one per MESSAGE_INTERVAL (a token bucket).

        One that is not text raises KeyError.
        """
        tokens, since = float(MESSAGE_BURST), time.monotonic()
        while True:
            await self.receive(await self.socket.receive_text())
            self._has_unanswered = True
            self.changed.set()
            now = time.monotonic()
            tokens, since = min(MESSAGE_BURST, tokens + (now - since) / MESSAGE_INTERVAL) - 1, now
            await asyncio.sleep(0 if tokens > 0 else MESSAGE_INTERVAL)

    async def _send_until(self, listening: asyncio.Task[None]) -> None:
        """Send the current state, then wait until the table or the client has changed; skip states in between."""
        while not listening.done():
            async with self._render_queue.slot(self._has_unanswered):
                self.changed.clear()
                self._has_unanswered = False
                message = self.next_message()
            if message is not None:
                await (self.socket.send_text(message) if isinstance(message, str) else self.socket.send_bytes(message))
            del message  # a whole page perhaps, and nothing may change for hours
            await self.changed.wait()


def patch_message(parts: list[Patch], visitor: Visitor) -> dict[str, Any]:
    return {"parts": parts, "now": lobby_view.client_state(visitor), "build": build_id()}


class LobbyConnection(LiveConnection):
    def __init__(
        self,
        socket: Socket,
        translator: Translator,
        lobby: Lobby,
        link: str,
        render_queue: RenderQueue,
        parse: Callable[[str], tuple[str, dict[str, str]]],
    ) -> None:
        """Read the tokens of the client's messages, and the digests of the fragments it shows, with `parse`."""
        super().__init__(socket, translator, lobby.signal, render_queue)
        self.lobby, self.link, self._parse = lobby, link, parse
        self.keys = ""
        self.client_digests: dict[str, str] | None = None
        self.last_sent: Fragment | None = None
        self.present: list[str] = []

    def enter(self) -> None:
        self.lobby.presence.connect(())

    def leave(self) -> None:
        self._set_present([])
        self.lobby.presence.disconnect(self, ())

    async def receive(self, text: str) -> None:
        self.keys, self.client_digests = self._parse(text)
        self._set_present(self.lobby.presence_keys(self._visitor))

    def _set_present(self, people: list[str]) -> None:
        before, self.present = self.present, people
        self.lobby.presence.connect(people)
        self.lobby.presence.disconnect(self, before)

    @property
    def _visitor(self) -> Visitor:
        return self.lobby.visitor(self.keys)

    def next_message(self) -> str:
        if self.lobby.started:
            raise GameStarted
        visitor = self._visitor
        fragment = lobby_view.render_lobby(self.lobby, visitor, self.translator, self.link)
        before, self.last_sent = self.last_sent, fragment
        seen, self.client_digests = self.client_digests, None
        parts = fragment.patches_since(before) if seen is None else fragment.patches_for_digests(seen)
        return json.dumps(patch_message(parts, visitor))
