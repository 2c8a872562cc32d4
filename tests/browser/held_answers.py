"""A network that keeps back what the server says by WebSocket, or what the page says, until it is let through."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute

Message = str | bytes


class HeldAnswers:
    """Pass `prepare` to `sit` or `show`; what is said after `hold` arrives at `release`."""

    def __init__(self) -> None:
        self._kept: list[tuple[Callable[[Message], None], Message]] = []
        self._holds = {"answers": False, "taps": False}

    def prepare(self, page: Page) -> None:
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def hold(self, what: str = "answers") -> None:
        self._holds[what] = True

    def kept(self) -> int:
        return len(self._kept)

    def release_first(self) -> None:
        """Let the oldest message through; the others stay."""
        send, message = self._kept.pop(0)
        send(message)

    def release(self) -> None:
        self._holds = dict.fromkeys(self._holds, False)
        kept, self._kept = self._kept, []
        for send, message in kept:
            send(message)

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda message: self._pass("answers", page.send, message))
        page.on_message(lambda message: self._pass("taps", server.send, message))

    def _pass(self, what: str, send: Callable[[Message], None], message: Message) -> None:
        if self._holds[what]:
            self._kept.append((send, message))
        else:
            send(message)
