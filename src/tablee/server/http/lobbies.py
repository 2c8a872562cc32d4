"""Lobbies, live: actions of visitors and hosts, and the lobby's page by WebSocket or polling."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from tablee.server.http.requests import TableId, lobbies_of, public_base_url, translator_for
from tablee.server.http.schemas import Keys
from tablee.server.http.websocket import serve
from tablee.server.live.lobby_connection import STARTED, LobbyConnection, patch_message
from tablee.server.lobby.actions import apply_action
from tablee.server.lobby.lobby import GameStarted
from tablee.server.view import lobby_view

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


@router.post("/api/tables/{table}/gathering")
async def act(request: Request, table: TableId, action: LobbyAction) -> dict[str, str | None]:
    """Apply one action; return the seat's token to a visitor who sits down."""
    return {"token": await apply_action(await lobbies_of(request).lobby(table), action)}


@router.post("/api/tables/{table}/gathering/page")
async def poll(request: Request, table: TableId, hello: LobbyHello) -> dict[str, Any]:
    """Return the changed fragments to a client without a WebSocket."""
    try:
        lobby = await lobbies_of(request).lobby(table)
    except GameStarted:
        return STARTED
    visitor = lobby.visitor(hello.keys)
    lobby.presence.poll(lobby.presence_keys(visitor))
    async with request.app.state.render_queue.slot(urgent=False):
        fragment = lobby_view.render_lobby(lobby, visitor, translator_for(request), table_url(request, table))
    return patch_message(fragment.patches_for_digests(hello.seen), visitor)


def table_url(connection: Request | WebSocket, table: str) -> str:
    return f"{public_base_url(connection)}/t/{table}"


@router.websocket("/api/tables/{table}/gathering/ws")
async def lobby_socket(socket: WebSocket, table: TableId) -> None:
    async def open_connection() -> LobbyConnection:
        lobby = await lobbies_of(socket).lobby(table)
        return LobbyConnection(socket, translator_for(socket), lobby, table_url(socket, lobby.id), socket.app.state.render_queue, _parse)

    await socket.accept()
    try:
        await serve(socket, open_connection(), raises=GameStarted)
    except GameStarted:
        await socket.send_json(STARTED)


def _parse(text: str) -> tuple[str, dict[str, str]]:
    hello = LobbyHello.model_validate_json(text)
    return hello.keys, hello.seen
