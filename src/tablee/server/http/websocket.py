"""The live side of a table: a screen says who it is and what it tries out, and gets whatever changed for it. Polling answers the same way.

A connection never queues: it is woken, looks at the table as it is now, and sends the difference. A slow screen skips versions, and
nobody's disconnection is felt by anybody else.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Words
from tablee.server.http.api import AtTable, Keys, TableId, look
from tablee.server.http.middleware.language import words_of
from tablee.server.ops.error_reports import apology
from tablee.server.registry import House
from tablee.server.table.table import NotNow, Table
from tablee.server.view.client_view import Screen
from tablee.server.view.fragments import Part
from tablee.server.view.patches import closed, said
from tablee.server.view.render_queue import Easel
from tablee.server.view.rendered_view import name_of, picture_of

AT_ONCE, EVERY = 20, 0.025  # so many messages are heard at once; after them one in so many seconds
BROKEN = 4000  # the code of a connection that is not worth opening again

router = APIRouter()


class Hello(BaseModel):
    """What a screen says: at first, and whenever its draft or its view changes. An API client leaves `page` out and gets JSON."""

    model_config = ConfigDict(extra="forbid")
    token: str | None = Field(None, max_length=80)  # an API client's seat
    page: bool = False
    keys: Keys = ""
    chosen: int | None = None
    shown: int | None = None
    draft: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=60)
    pace: Literal["slow", "normal", "quick"] = "normal"  # of the bots
    at: int = Field(0, ge=0)  # the version the draft was begun at
    look: int | None = Field(None, ge=0)  # how many lines of the log to look at, once the game is over
    serial: int = 0  # given back with the answer, so that a screen can tell an answer to an older draft
    packed: bool = False  # whether it can unpack what was deflated
    seen: dict[str, str] | None = Field(None, max_length=2000)  # the stamps of the parts it shows, when it has just connected
    picture: str = Field("", max_length=40)  # and the name of the picture that they make
    told_of: int | None = None  # which trouble it was told of, where it has no socket

    def seats(self, table: Table) -> tuple[Seat, ...]:
        if self.page:
            return table.seating.of_tokens(self.keys)
        seat = table.seating.of_token(self.token)
        return () if seat is None else (seat,)

    def screen(self, table: Table, words: Words, seats: tuple[Seat, ...]) -> Screen:
        chosen, shown = (None if seat is None else Seat(seat) for seat in (self.chosen, self.shown))
        return Screen(table, words, seats, chosen, shown, tuple(self.draft), self.at, self.look, table.seating.given_away(self.keys))

    def shows(self, screen: Screen) -> bool:
        """Whether a screen that comes back shows what it would be sent."""
        return bool(self.picture) and self.picture in (name_of(screen), name_of(screen, waiting=False))

    def wake_coach(self, table: Table, seats: tuple[Seat, ...]) -> None:
        """A player who looks back, or who has played alone, wants the coach; so does whoever looks at a record."""
        if (seats or table.brought) and (self.look is not None or len(table.seating) == 1):
            table.coach.look_back()


@router.post("/api/tables/{table}/page", include_in_schema=False, response_model=None)
async def poll(request: Request, table: AtTable, hello: Hello) -> Response | dict[str, Any]:
    """The same for a screen without a socket."""
    house: House = request.app.state.house
    seats, words = table.seating.of_tokens(hello.keys), words_of(request)
    table.glimpses.ask(seats, hello.pace)
    hello.wake_coach(table, seats)
    if table.trouble is not None and table.trouble != hello.told_of:
        return trouble(words, table.trouble)
    screen = hello.screen(table, words, seats)
    if hello.shows(screen):
        return {"serial": hello.serial}
    try:
        async with house.easel.turn(touched=bool(hello.draft)):
            picture = picture_of(screen)
            return Response(closed(said(picture.part.unlike(hello.seen or {}), picture.now), hello.serial), media_type="application/json")
    except TableeError:
        raise
    except Exception as error:
        return trouble(words, table.stumble(error))


def trouble(words: Words, number: int) -> dict[str, Any]:
    """With its number, so that a screen without a socket can say what it was told of."""
    return {"error": words(apology(number)), "told_of": number}


@router.websocket("/api/tables/{table}/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: House = socket.app.state.house
    words = words_of(socket)
    try:
        found = await house.table(table)
        await Connection(socket, found, words, house.easel).run()
    except WebSocketDisconnect:
        return
    except (TableeError, ValidationError, KeyError) as error:
        told = error.tell(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": told})
        await socket.close(code=BROKEN)


class Connection:
    def __init__(self, socket: WebSocket, table: Table, words: Words, easel: Easel) -> None:
        self.socket, self.table, self.words, self.easel = socket, table, words, easel
        self.hello = Hello.model_validate({})
        self.seats: tuple[Seat, ...] = ()
        self.shows: Part | None = None  # the picture that was sent last
        self.seen: dict[str, str] | None = None  # the stamps of what it shows instead, since it came
        self.changed = asyncio.Event()
        self.touched = True  # whether something was said that is not answered yet
        self.told_of: int | None = None  # the trouble it was told of

    async def run(self) -> None:
        await self._hear()
        seats = self.seats
        news = self.table.attendance.come(seats)
        self.table.bots.wake()
        if news:
            self.table.bell.ring()
        listening = asyncio.create_task(self._listen())
        listening.add_done_callback(lambda _: self.changed.set())
        try:
            with self.table.bell.heard_by(self.changed):
                await self._tell_until(listening)
        finally:
            listening.cancel()
            if self.table.attendance.go(self, seats):
                self.table.bell.ring()
            self.table.absence.watch()
        try:
            listening.result()
        finally:
            del listening  # what it raises would hold on to it, and to the last picture, until everything is tidied

    async def _hear(self) -> None:
        """A message that is not text raises KeyError."""
        self.hello = Hello.model_validate_json(await self.socket.receive_text())
        self.seats = self.hello.seats(self.table)
        self.seen = self.seen if self.hello.seen is None else self.hello.seen
        if self.seats:
            self.table.attendance.prefer(self, self.hello.pace)
        self.hello.wake_coach(self.table, self.seats)
        self.touched = True

    async def _listen(self) -> None:
        """A new draft or another seat to look through changes only this screen. However much one says, it is heard a little at a time."""
        allowed, since = float(AT_ONCE), time.monotonic()
        while True:
            await self._hear()
            self.changed.set()
            now = time.monotonic()
            allowed, since = min(AT_ONCE, allowed + (now - since) / EVERY) - 1, now
            await asyncio.sleep(0 if allowed > 0 else EVERY)

    async def _tell_until(self, listening: asyncio.Task[None]) -> None:
        """Looks and tells, then waits until the table or the screen has changed: however much was said meanwhile, the newest counts."""
        while not listening.done():
            async with self.easel.turn(self.touched):
                self.changed.clear()
                self.touched = False
                message = self._say()
            await (self.socket.send_text(message) if isinstance(message, str) else self.socket.send_bytes(message))
            await self.changed.wait()

    def _say(self) -> str | bytes:
        try:
            return self._news()
        except TableeError:
            raise
        except Exception as error:
            self.told_of = self.table.stumble(error)
            return json.dumps({"error": self.words(apology(self.told_of))})

    def _news(self) -> str | bytes:
        """What this screen does not show yet."""
        table, hello = self.table, self.hello
        if table.farewell:
            raise NotNow(table.farewell)
        self.seats = hello.seats(table)  # a seat may have another owner by now
        if table.trouble != self.told_of and table.trouble is not None:
            self.told_of = table.trouble
            self.changed.set()
            return json.dumps({"error": self.words(apology(table.trouble))})
        if not hello.page:
            return look(table, self.seats[0] if self.seats else None).model_dump_json()
        screen = hello.screen(table, self.words, self.seats)
        if self.seen is not None and hello.shows(screen):
            return json.dumps({"serial": hello.serial})
        picture = picture_of(screen)
        before, self.shows = self.shows, picture.part
        if self.seen is not None:
            seen, self.seen = self.seen, None
            return closed(said(picture.part.unlike(seen), picture.now), hello.serial)
        return (picture.packed if hello.packed else picture.message)(before, hello.serial)
