"""The live side of a table: a screen says who it is and what it tries out, and gets whatever changed for it. Polling answers the same way.

A connection never queues: it is woken, looks at the table as it is now, and sends the difference. A slow screen skips versions, and
nobody's disconnection is felt by anybody else. Pages are drawn one at a time, so that moves come in between.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.words import Words
from tablee.server import rendering
from tablee.server.api import AtTable, TableId, look
from tablee.server.language import words_of
from tablee.server.screen import Screen
from tablee.server.tables import House, Table

router = APIRouter()


class Hello(BaseModel):
    """What a screen says: at first, and whenever its draft or its view changes. An API client leaves `page` out and gets JSON."""

    model_config = ConfigDict(extra="forbid")
    token: str | None = Field(None, max_length=80)  # an API client's seat
    page: bool = False
    keys: str = Field("", max_length=600)  # the tokens of the seats on this screen, joined by dots
    chosen: int | None = None
    shown: int | None = None
    draft: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=60)
    pace: Literal["slow", "normal", "quick"] = "normal"  # of the bots
    at: int = Field(0, ge=0)  # the version the draft was begun at
    look: int | None = Field(None, ge=0)  # how many lines of the log to look at, once the game is over
    serial: int = 0  # given back with the answer, so that a screen can tell an answer to an older draft
    seen: dict[str, str] | None = Field(None, max_length=2000)  # the stamps of the parts it shows, when it has just connected

    def screen(self, table: Table, words: Words) -> Screen:
        chosen, shown = (None if seat is None else Seat(seat) for seat in (self.chosen, self.shown))
        return Screen(table, words, table.seats_of(self.keys), chosen, shown, tuple(self.draft), self.at, self.look)

    def wake_coach(self, table: Table) -> None:
        """A player who looks back, or who has played alone, wants the coach."""
        if table.seats_of(self.keys) and (self.look is not None or len(table.seats) == 1):
            table.ask_coach()

    def answer(self, table: Table, words: Words, shows: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
        """What to tell a page that shows parts with these stamps, and the stamps it shows then."""
        context = self.screen(table, words).context()
        parts = rendering.render(context)
        return {"parts": parts.changes(shows), "now": rendering.now(context) | {"serial": self.serial}}, parts.stamps


@router.post("/api/tables/{table}/page", include_in_schema=False)
async def poll(request: Request, table: AtTable, hello: Hello) -> dict[str, Any]:
    """The same for a screen without a socket."""
    words = words_of(request)
    await table.glimpse(table.seats_of(hello.keys))
    hello.wake_coach(table)
    return hello.answer(table, words, hello.seen or {})[0]


@router.websocket("/api/tables/{table}/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: House = socket.app.state.house
    words = words_of(socket)
    try:
        found = await house.table(table)
        await Connection(socket, found, words, house.drawing).run()
    except (WebSocketDisconnect, RuntimeError):
        return
    except (TableeError, ValidationError, KeyError) as error:
        said = error.tell(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": said})
        await socket.close(code=4000)


class Connection:
    def __init__(self, socket: WebSocket, table: Table, words: Words, drawing: asyncio.Lock) -> None:
        self.socket, self.table, self.words, self.drawing = socket, table, words, drawing
        self.hello = Hello.model_validate({})
        self.shows: dict[str, str] = {}
        self.changed = asyncio.Event()

    async def run(self) -> None:
        await self._hear()
        async with self.table.present(self._seats()):
            listening = asyncio.create_task(self._listen())
            try:
                await self._tell_until(listening)
            finally:
                self.table.paces.pop(self, None)
                listening.cancel()
        listening.result()

    def _seats(self) -> tuple[Seat, ...]:
        if self.hello.page:
            return self.table.seats_of(self.hello.keys)
        seat = self.table.seat_of(self.hello.token)
        return () if seat is None else (seat,)

    async def _hear(self) -> None:
        """A message that is not text raises KeyError."""
        self.hello = Hello.model_validate_json(await self.socket.receive_text())
        if self.hello.seen is not None:
            self.shows = self.hello.seen
        if self._seats():
            self.table.paces[self] = self.hello.pace
        self.hello.wake_coach(self.table)

    async def _tell_until(self, listening: asyncio.Task[None]) -> None:
        """Looks and tells, then waits until the table or the screen has changed: however much was said meanwhile, the newest counts."""
        while not listening.done():
            self.changed.clear()
            pulse = await self._tell()
            waiting = [asyncio.create_task(self.table.wait_past(pulse)), asyncio.create_task(self.changed.wait())]
            await asyncio.wait({*waiting, listening}, return_when=asyncio.FIRST_COMPLETED)
            for each in waiting:
                each.cancel()

    async def _listen(self) -> None:
        """A new draft or another seat to look through changes only this screen."""
        while True:
            await self._hear()
            self.changed.set()

    async def _tell(self) -> int:
        """Sends what this screen does not show yet; returns the pulse of the table that it shows then."""
        async with self.drawing:
            pulse, said = self.table.pulse, self._say()
        await self.socket.send_text(said)
        return pulse

    def _say(self) -> str:
        if not self.hello.page:
            return look(self.table, self.table.seat_of(self.hello.token)).model_dump_json()
        said, self.shows = self.hello.answer(self.table, self.words, self.shows)
        return json.dumps(said)
