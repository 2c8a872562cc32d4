"""Lobbies, live: actions of visitors and hosts, and the lobby's page by WebSocket or polling."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any, Literal

from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from tablee.server.http.api import Keys, TableId
from tablee.server.http.live_connection import LiveConnection, serve
from tablee.server.http.middleware.language import translator_for
from tablee.server.http.urls import public_base_url
from tablee.server.lobby import seats
from tablee.server.lobby.lobby import GameStarted, Lobby, Visitor
from tablee.server.lobby.registry import LobbyRegistry
from tablee.server.table.models import StoredTable
from tablee.server.view import lobby_view
from tablee.server.view.fragments import Fragment, Patch
from tablee.server.view.render_queue import RenderQueue
from tablee.server.view.rendering import build_id

STARTED = {"begun": True}

router = APIRouter(include_in_schema=False)


class LobbyHello(BaseModel):
    """First message of a client, sent again when its seats change."""

    model_config = ConfigDict(extra="forbid")
    keys: Keys = ""
    seen: dict[str, str] = Field(default_factory=dict, max_length=200)  # digests of the fragments that the client shows


class LobbyAction(BaseModel):
    model_config = ConfigDict(extra="forbid")
    keys: Keys = ""
    do: Literal["sit", "leave", "name", "colour", "choose", "bot", "more", "away", "up", "down", "option", "setting", "start", "host"]
    chair: int = Field(0, ge=0, lt=12)
    token: str = Field("", max_length=80, pattern=r"^([\w-]{20,})?$")  # made by the client that sits down, so that a repetition counts once
    name: str = Field("", max_length=40)
    colour: int = Field(-1, ge=-1, lt=12)
    what: str = Field("", max_length=64)  # key of an option or a setting
    value: str = Field("", max_length=64)  # its new value; or a bot's level


def lobbies_of(connection: HTTPConnection) -> LobbyRegistry:
    found: LobbyRegistry = connection.app.state.lobbies
    return found


LobbyChange = Callable[[StoredTable], StoredTable]
OWN_SEAT_ACTIONS = ("name", "colour", "choose")  # allowed to the owner of the seat only


def change_for(lobby: Lobby, action: LobbyAction, token: str) -> LobbyChange:
    game, number, name = lobby.game, action.chair, action.name
    changes: dict[str, LobbyChange] = {
        "sit": lambda stored: seats.take_seat(
            stored, game, number, name, action.colour, lobby.seat_hash_for(lobby.visitor(action.keys), token)
        ),
        "leave": lambda stored: seats.vacate(stored, number),
        "name": lambda stored: seats.rename_seat(stored, number, name),
        "colour": lambda stored: seats.set_colour(stored, number, action.colour),
        "choose": lambda stored: seats.set_choice(stored, game, number, action.what, action.value),
        "bot": lambda stored: seats.seat_bot(stored, number, action.value),
        "more": lambda stored: seats.add_seat(stored, game),
        "away": lambda stored: seats.remove_seat(stored, game, number),
        "up": lambda stored: seats.move_seat(stored, game, number, -1),
        "down": lambda stored: seats.move_seat(stored, game, number, 1),
        "option": lambda stored: seats.set_option(stored, game, action.what, action.value),
        "setting": lambda stored: seats.set_setting(stored, action.what, action.value),
        "host": lambda stored: lobby.become_host(stored, lobby.visitor(action.keys)),
    }
    return changes[action.do]


@router.post("/api/tables/{table}/gathering")
async def act(request: Request, table: TableId, action: LobbyAction) -> dict[str, str | None]:
    """Apply one action; return the seat's token to a visitor who sits down."""
    lobby = await lobbies_of(request).lobby(table)
    token = action.token or secrets.token_urlsafe(16)
    change = lobby.as_game if action.do == "start" else change_for(lobby, action, token)

    def checked_change(stored: StoredTable) -> StoredTable:
        """Check permission when the change is applied: seats may have moved since the request."""
        check_allowed(lobby, action)
        return change(stored)

    await lobby.change(checked_change)
    return {"token": token if lobby.is_seat_token(token) else None}


def check_allowed(lobby: Lobby, action: LobbyAction) -> None:
    visitor, number = lobby.visitor(action.keys), action.chair
    if action.do in OWN_SEAT_ACTIONS or (action.do == "leave" and number in visitor.seats):
        lobby.check_owns_seat(visitor, number)
    elif action.do == "sit":
        lobby.check_seat_free(visitor, number)
    elif action.do != "host":  # `become_host` checks permission itself
        lobby.check_host(visitor)
    if action.do == "bot":
        lobby.check_owns_seat(visitor, number)


@router.post("/api/tables/{table}/gathering/page")
async def poll(request: Request, table: TableId, hello: LobbyHello) -> dict[str, Any]:
    """Return the changed fragments to a client without a WebSocket."""
    try:
        lobby = await lobbies_of(request).lobby(table)
    except GameStarted:
        return STARTED
    visitor = lobby.visitor(hello.keys)
    lobby.polling.poll(lobby.presence_keys(visitor))
    async with request.app.state.render_queue.slot(urgent=False):
        fragment = lobby_view.render_lobby(lobby, visitor, translator_for(request), table_url(request, table))
    return patch_message(fragment.patches_for_digests(hello.seen), visitor)


def patch_message(parts: list[Patch], visitor: Visitor) -> dict[str, Any]:
    return {"parts": parts, "now": lobby_view.client_state(visitor), "build": build_id()}


def table_url(connection: Request | WebSocket, table: str) -> str:
    return f"{public_base_url(connection)}/t/{table}"


@router.websocket("/api/tables/{table}/gathering/ws")
async def lobby_socket(socket: WebSocket, table: TableId) -> None:
    async def open_connection() -> LobbyConnection:
        lobby = await lobbies_of(socket).lobby(table)
        return LobbyConnection(socket, lobby, socket.app.state.render_queue)

    await socket.accept()
    try:
        await serve(socket, open_connection(), raises=GameStarted)
    except GameStarted:
        await socket.send_json(STARTED)


class LobbyConnection(LiveConnection):
    def __init__(self, socket: WebSocket, lobby: Lobby, render_queue: RenderQueue) -> None:
        super().__init__(socket, lobby.signal, render_queue)
        self.lobby, self.link = lobby, table_url(socket, lobby.id)
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
        hello = LobbyHello.model_validate_json(text)
        self.keys, self.client_digests = hello.keys, hello.seen
        self._set_present(self.lobby.presence_keys(self._visitor))

    def _set_present(self, people: list[str]) -> None:
        presence, before = self.lobby.presence, self.present
        self.present = people
        came, went = presence.connect(people), presence.disconnect(self, before)
        if came or went:
            self.lobby.on_presence_change()

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
