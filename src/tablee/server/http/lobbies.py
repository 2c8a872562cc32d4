"""A table that gathers, live: what a guest or the host does, and what everybody sees of it at once. Polling answers the same way."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Literal

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.i18n import Words
from tablee.server.http.api import Keys, TableId, house_of
from tablee.server.http.middleware.language import words_of
from tablee.server.http.urls import address_for_friends
from tablee.server.http.websocket import BROKEN, EVERY
from tablee.server.lobby import seats
from tablee.server.lobby.lobby import Gathering, Guest, HasBegun
from tablee.server.registry import House
from tablee.server.storage.models import TableKept
from tablee.server.view import lobby_view
from tablee.server.view.fragments import Part
from tablee.server.view.render_queue import Easel
from tablee.server.view.rendering import build_mark

BEGUN = {"begun": True}

router = APIRouter(include_in_schema=False)


class Hello(BaseModel):
    """What a screen says when it comes, and again when it holds another chair."""

    model_config = ConfigDict(extra="forbid")
    keys: Keys = ""
    seen: dict[str, str] = Field(default_factory=dict, max_length=200)  # the stamps of the parts it shows


class Deed(BaseModel):
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


Change = Callable[[TableKept], TableKept]
OWN = ("name", "colour", "choose")  # what everybody does for themselves


def change_of(gathering: Gathering, deed: Deed, token: str) -> Change:
    game, number, name = gathering.game, deed.chair, deed.name
    changes: dict[str, Change] = {
        "sit": lambda kept: seats.sit(kept, game, number, name, deed.colour, gathering.hash_for(gathering.guest(deed.keys), token)),
        "leave": lambda kept: seats.leave(kept, number),
        "name": lambda kept: seats.call(kept, number, name),
        "colour": lambda kept: seats.paint(kept, number, deed.colour),
        "choose": lambda kept: seats.choose(kept, game, number, deed.what, deed.value),
        "bot": lambda kept: seats.seat_bot(kept, number, deed.value),
        "more": lambda kept: seats.one_more(kept, game),
        "away": lambda kept: seats.take_away(kept, game, number),
        "up": lambda kept: seats.move(kept, game, number, -1),
        "down": lambda kept: seats.move(kept, game, number, 1),
        "option": lambda kept: seats.decide(kept, game, deed.what, deed.value),
        "setting": lambda kept: seats.allow(kept, deed.what, deed.value),
        "host": lambda kept: gathering.become_host(kept, gathering.guest(deed.keys)),
    }
    return changes[deed.do]


@router.post("/api/tables/{table}/gathering")
async def do(request: Request, table: TableId, deed: Deed) -> dict[str, str | None]:
    """One thing that somebody does; whoever sits down gets the token of the chair."""
    gathering = await house_of(request).gathering(table)
    token = deed.token or secrets.token_urlsafe(16)
    change = gathering.playing if deed.do == "start" else change_of(gathering, deed, token)

    def lawful(kept: TableKept) -> TableKept:
        """Who may do what is asked when it is done: chairs may have moved since it was said."""
        check(gathering, deed)
        return change(kept)

    await gathering.change(lawful)
    return {"token": token if gathering.holds(token) else None}


def check(gathering: Gathering, deed: Deed) -> None:
    guest, number = gathering.guest(deed.keys), deed.chair
    if deed.do in OWN or (deed.do == "leave" and number in guest.chairs):
        gathering.check_own(guest, number)
    elif deed.do == "sit":
        gathering.check_free(guest, number)
    elif deed.do != "host":  # which says itself who may
        gathering.check_host(guest)
    if deed.do == "bot":
        gathering.check_own(guest, number)


@router.post("/api/tables/{table}/gathering/page")
async def poll(request: Request, table: TableId, hello: Hello) -> dict[str, Any]:
    """The same for a screen without a socket."""
    house = house_of(request)
    try:
        gathering = await house.gathering(table)
    except HasBegun:
        return BEGUN
    guest = gathering.guest(hello.keys)
    gathering.glimpses.ask(gathering.people(guest))
    async with house.easel.turn(touched=False):
        part = lobby_view.draw(gathering, guest, words_of(request), link_to(request, table))
    return told(part.beyond(hello.seen), guest)


def told(parts: list[dict[str, str]], guest: Guest) -> dict[str, Any]:
    return {"parts": parts, "now": lobby_view.now(guest), "build": build_mark()}


def link_to(asked: Request | WebSocket, table: str) -> str:
    return f"{address_for_friends(asked)}/t/{table}"


@router.websocket("/api/tables/{table}/gathering/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: House = socket.app.state.house
    words = words_of(socket)
    try:
        await Connection(socket, await house.gathering(table), words, house.easel).run()
    except WebSocketDisconnect:
        return
    except HasBegun:
        await socket.send_json(BEGUN)
    except (TableeError, ValidationError, KeyError) as error:
        told = error.tell(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": told})
        await socket.close(code=BROKEN)


class Connection:
    """Woken by the bell it looks at the gathering as it is then, and sends what its screen does not show."""

    def __init__(self, socket: WebSocket, gathering: Gathering, words: Words, easel: Easel) -> None:
        self.socket, self.gathering, self.words, self.easel = socket, gathering, words, easel
        self.link = link_to(socket, gathering.id)
        self.keys = ""
        self.seen: dict[str, str] | None = None
        self.shows: Part | None = None
        self.here: list[str] = []
        self.changed = asyncio.Event()

    async def run(self) -> None:
        self.gathering.attendance.come(())
        listening: asyncio.Task[None] | None = None
        try:
            await self._hear()
            listening = asyncio.create_task(self._listen())
            listening.add_done_callback(lambda _: self.changed.set())
            with self.gathering.bell.heard_by(self.changed):
                await self._tell_until(listening)
        finally:
            if listening is not None:
                listening.cancel()
            self._attend([])
            self.gathering.attendance.go(self, ())
        listening.result()

    async def _hear(self) -> None:
        """A message that is not text raises KeyError."""
        hello = Hello.model_validate_json(await self.socket.receive_text())
        self.keys, self.seen = hello.keys, hello.seen
        self._attend(self.gathering.people(self._guest))

    async def _listen(self) -> None:
        """However much one says, it is heard a little at a time."""
        while True:
            await self._hear()
            self.changed.set()
            await asyncio.sleep(EVERY)

    def _attend(self, people: list[str]) -> None:
        attendance, before = self.gathering.attendance, self.here
        self.here = people
        came, went = attendance.come(people), attendance.go(self, before)
        if came or went:
            self.gathering.somebody_came_or_went()

    @property
    def _guest(self) -> Guest:
        return self.gathering.guest(self.keys)

    async def _tell_until(self, listening: asyncio.Task[None]) -> None:
        while not listening.done():
            if self.gathering.begun:
                raise HasBegun
            async with self.easel.turn(touched=False):
                self.changed.clear()
                message = self._news()
            await self.socket.send_json(message)
            await self.changed.wait()

    def _news(self) -> dict[str, Any]:
        guest = self._guest
        part = lobby_view.draw(self.gathering, guest, self.words, self.link)
        before, self.shows = self.shows, part
        seen, self.seen = self.seen, None
        return told(part.since(before) if seen is None else part.beyond(seen), guest)
