"""Live connection of a lobby: a client sends its seats, and gets what changed for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tablee.core.i18n import Translator
from tablee.server.live.connection import LiveConnection, Socket
from tablee.server.lobby.lobby import GameStarted, Lobby, Visitor
from tablee.server.view import lobby_view
from tablee.server.view.fragments import Fragment, Patch
from tablee.server.view.render_queue import RenderQueue
from tablee.server.view.rendering import build_id

STARTED = {"begun": True}


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
