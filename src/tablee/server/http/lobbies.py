"""A table that gathers, live: what a guest or the host does, and what everybody sees of it at once. Polling answers the same way."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Literal

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tablee.server.http.api import Keys, TableId, registry_of
from tablee.server.http.middleware.language import translator_for
from tablee.server.http.urls import public_base_url
from tablee.server.http.websocket import CLOSE_INVALID, MESSAGE_INTERVAL
from tablee.server.lobby import seats
from tablee.server.lobby.lobby import GameStarted, Lobby, Visitor
from tablee.server.registry import TableRegistry
from tablee.server.storage.models import StoredTable
from tablee.server.view import lobby_view
from tablee.server.view.fragments import Fragment
from tablee.server.view.render_queue import RenderQueue
from tablee.server.view.rendering import build_id

STARTED = {"begun": True}

router = APIRouter(include_in_schema=False)


class LobbyHello(BaseModel):
    """What a screen says when it comes, and again when it holds another chair."""

    model_config = ConfigDict(extra="forbid")
    keys: Keys = ""
    seen: dict[str, str] = Field(default_factory=dict, max_length=200)  # the stamps of the parts it shows


class LobbyAction(BaseModel):
    model_config = ConfigDict(extra="forbid")
    keys: Keys = ""
    do: Literal["sit", "leave", "name", "colour", "choose", "bot", "more", "away", "up", "down", "option", "setting", "start", "host"]
    chair: int = Field(0, ge=0, lt=12)
    token: str = Field(
        "", max_length=80, pattern=r"^([\w-]{20,})?$"
    )  # of whoever sits down, made by the client: said twice, it counts once
    name: str = Field("", max_length=40)
    colour: int = Field(-1, ge=-1, lt=12)
    what: str = Field("", max_length=64)  # an option or a setting
    value: str = Field("", max_length=64)  # and what it shall be; a bot's level


LobbyChange = Callable[[StoredTable], StoredTable]
OWN_SEAT_ACTIONS = ("name", "colour", "choose")  # what everybody does for themselves


def change_for(gathering: Lobby, deed: LobbyAction, token: str) -> LobbyChange:
    game, number, name = gathering.game, deed.chair, deed.name
    changes: dict[str, LobbyChange] = {
        "sit": lambda kept: seats.take_seat(
            kept, game, number, name, deed.colour, gathering.seat_hash_for(gathering.visitor(deed.keys), token)
        ),
        "leave": lambda kept: seats.vacate(kept, number),
        "name": lambda kept: seats.rename_seat(kept, number, name),
        "colour": lambda kept: seats.set_colour(kept, number, deed.colour),
        "choose": lambda kept: seats.set_choice(kept, game, number, deed.what, deed.value),
        "bot": lambda kept: seats.seat_bot(kept, number, deed.value),
        "more": lambda kept: seats.add_seat(kept, game),
        "away": lambda kept: seats.remove_seat(kept, game, number),
        "up": lambda kept: seats.move_seat(kept, game, number, -1),
        "down": lambda kept: seats.move_seat(kept, game, number, 1),
        "option": lambda kept: seats.set_option(kept, game, deed.what, deed.value),
        "setting": lambda kept: seats.set_setting(kept, deed.what, deed.value),
        "host": lambda kept: gathering.become_host(kept, gathering.visitor(deed.keys)),
    }
    return changes[deed.do]


@router.post("/api/tables/{table}/gathering")
async def act(request: Request, table: TableId, deed: LobbyAction) -> dict[str, str | None]:
    """One thing that somebody does; whoever sits down gets the token of the chair."""
    gathering = await registry_of(request).lobby(table)
    token = deed.token or secrets.token_urlsafe(16)
    change = gathering.as_game if deed.do == "start" else change_for(gathering, deed, token)

    def lawful(kept: StoredTable) -> StoredTable:
        """Who may do what is asked when it is done: chairs may have moved since it was said."""
        check_allowed(gathering, deed)
        return change(kept)

    await gathering.change(lawful)
    return {"token": token if gathering.is_seat_token(token) else None}


def check_allowed(gathering: Lobby, deed: LobbyAction) -> None:
    guest, number = gathering.visitor(deed.keys), deed.chair
    if deed.do in OWN_SEAT_ACTIONS or (deed.do == "leave" and number in guest.seats):
        gathering.check_owns_seat(guest, number)
    elif deed.do == "sit":
        gathering.check_seat_free(guest, number)
    elif deed.do != "host":  # which says itself who may
        gathering.check_host(guest)
    if deed.do == "bot":
        gathering.check_owns_seat(guest, number)


@router.post("/api/tables/{table}/gathering/page")
async def poll(request: Request, table: TableId, hello: LobbyHello) -> dict[str, Any]:
    """The same for a screen without a socket."""
    house = registry_of(request)
    try:
        gathering = await house.lobby(table)
    except GameStarted:
        return STARTED
    guest = gathering.visitor(hello.keys)
    gathering.polling.poll(gathering.presence_keys(guest))
    async with house.render_queue.slot(urgent=False):
        part = lobby_view.render_lobby(gathering, guest, translator_for(request), table_url(request, table))
    return patch_message(part.patches_for_digests(hello.seen), guest)


def patch_message(parts: list[dict[str, str]], guest: Visitor) -> dict[str, Any]:
    return {"parts": parts, "now": lobby_view.client_state(guest), "build": build_id()}


def table_url(asked: Request | WebSocket, table: str) -> str:
    return f"{public_base_url(asked)}/t/{table}"


@router.websocket("/api/tables/{table}/gathering/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: TableRegistry = socket.app.state.registry
    words = translator_for(socket)
    try:
        await LobbyConnection(socket, await house.lobby(table), words, house.render_queue).run()
    except WebSocketDisconnect:
        return
    except GameStarted:
        await socket.send_json(STARTED)
    except (TableeError, ValidationError, KeyError) as error:
        told = error.translate(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": told})
        await socket.close(code=CLOSE_INVALID)


class LobbyConnection:
    """Woken by the bell it looks at the gathering as it is then, and sends what its screen does not show."""

    def __init__(self, socket: WebSocket, gathering: Lobby, words: Translator, render_queue: RenderQueue) -> None:
        self.socket, self.gathering, self.words, self.render_queue = socket, gathering, words, render_queue
        self.link = table_url(socket, gathering.id)
        self.keys = ""
        self.client_digests: dict[str, str] | None = None
        self.last_sent: Fragment | None = None
        self.present: list[str] = []
        self.changed = asyncio.Event()

    async def run(self) -> None:
        self.gathering.presence.connect(())
        listening: asyncio.Task[None] | None = None
        try:
            await self._receive()
            listening = asyncio.create_task(self._receive_all())
            listening.add_done_callback(lambda _: self.changed.set())
            with self.gathering.signal.subscribed(self.changed):
                await self._send_until(listening)
        finally:
            if listening is not None:
                listening.cancel()
            self._set_present([])
            self.gathering.presence.disconnect(self, ())
        listening.result()

    async def _receive(self) -> None:
        """A message that is not text raises KeyError."""
        hello = LobbyHello.model_validate_json(await self.socket.receive_text())
        self.keys, self.client_digests = hello.keys, hello.seen
        self._set_present(self.gathering.presence_keys(self._visitor))

    async def _receive_all(self) -> None:
        """However much one says, it is heard a little at a time."""
        while True:
            await self._receive()
            self.changed.set()
            await asyncio.sleep(MESSAGE_INTERVAL)

    def _set_present(self, people: list[str]) -> None:
        attendance, before = self.gathering.presence, self.present
        self.present = people
        came, went = attendance.connect(people), attendance.disconnect(self, before)
        if came or went:
            self.gathering.on_presence_change()

    @property
    def _visitor(self) -> Visitor:
        return self.gathering.visitor(self.keys)

    async def _send_until(self, listening: asyncio.Task[None]) -> None:
        while not listening.done():
            if self.gathering.started:
                raise GameStarted
            async with self.render_queue.slot(urgent=False):
                self.changed.clear()
                message = self._next_message()
            await self.socket.send_json(message)
            await self.changed.wait()

    def _next_message(self) -> dict[str, Any]:
        guest = self._visitor
        part = lobby_view.render_lobby(self.gathering, guest, self.words, self.link)
        before, self.last_sent = self.last_sent, part
        seen, self.client_digests = self.client_digests, None
        return patch_message(part.patches_since(before) if seen is None else part.patches_for_digests(seen), guest)
