"""The live side of a table: a screen says who it is and what it tries out, and gets whatever changed for it. Polling answers the same way.

A connection never queues: it is woken, looks at the table as it is now, and sends the difference. A slow screen skips versions, and
nobody's disconnection is felt by anybody else.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.words import Words
from tablee.server import pages
from tablee.server.api import AtTable, TableId, look
from tablee.server.language import words_of
from tablee.server.sitting import Sitting
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
    draft: list[str] = Field(default_factory=list, max_length=60)

    def sitting(self, table: Table, words: Words) -> Sitting:
        chosen, shown = (None if seat is None else Seat(seat) for seat in (self.chosen, self.shown))
        return Sitting(table, words, pages.seats_of(table, self.keys), chosen, shown, tuple(self.draft))


@router.post("/api/tables/{table}/page", include_in_schema=False)
async def poll(request: Request, table: AtTable, hello: Hello) -> dict[str, Any]:
    """The whole page for a screen without a socket."""
    sitting = hello.sitting(table, words_of(request))
    return {"parts": pages.render(sitting).changes({}), "now": pages.now(sitting.context())}


@router.websocket("/api/tables/{table}/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: House = socket.app.state.house
    words = words_of(socket)
    try:
        found = await house.table(table)
        await Screen(socket, found, words).run()
    except (WebSocketDisconnect, RuntimeError):
        return
    except (TableeError, ValidationError, ValueError) as error:
        said = error.tell(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": said})
        await socket.close(code=4000)


class Screen:
    def __init__(self, socket: WebSocket, table: Table, words: Words) -> None:
        self.socket, self.table, self.words = socket, table, words
        self.hello = Hello.model_validate({})
        self.sent: dict[str, str] = {}

    async def run(self) -> None:
        self.hello = Hello.model_validate(await self.socket.receive_json())
        seats = self.hello.sitting(self.table, self.words).seats
        async with self.table.present(seats):
            listening = asyncio.create_task(self._listen())
            try:
                await self._tell_until(listening)
            finally:
                listening.cancel()
        listening.result()

    async def _tell_until(self, listening: asyncio.Task[None]) -> None:
        while not listening.done():
            pulse = self.table.pulse
            await self._tell()
            moved = asyncio.create_task(self.table.wait_past(pulse))
            await asyncio.wait({moved, listening}, return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()

    async def _listen(self) -> None:
        """A new draft or another seat to look through changes only this screen."""
        while True:
            self.hello = Hello.model_validate(await self.socket.receive_json())
            await self._tell()

    async def _tell(self) -> None:
        if not self.hello.page:
            seat = self.table.seat_of(self.hello.token)
            await self.socket.send_text(look(self.table, seat).model_dump_json())
            return
        sitting = self.hello.sitting(self.table, self.words)
        parts = pages.render(sitting)
        changes = parts.changes(self.sent)
        self.sent = parts.own
        await self.socket.send_json({"parts": changes, "now": pages.now(sitting.context())})
