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
from tablee.core.i18n import Translator
from tablee.server.http.api import Keys, TableDep, TableId, table_response
from tablee.server.http.middleware.language import translator_for
from tablee.server.ops.error_reports import report_message
from tablee.server.registry import TableRegistry
from tablee.server.table.table import NotNow, Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment
from tablee.server.view.patches import encode, with_serial
from tablee.server.view.render_queue import RenderQueue
from tablee.server.view.rendered_view import cached_view, etag

MESSAGE_BURST, MESSAGE_INTERVAL = 20, 0.025  # so many messages are heard at once; after them one in so many seconds
CLOSE_INVALID = 4000  # the code of a connection that is not worth opening again

router = APIRouter()


class TableHello(BaseModel):
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
            return table.seating.seats_of_tokens(self.keys)
        seat = table.seating.seat_of_token(self.token)
        return () if seat is None else (seat,)

    def screen(self, table: Table, words: Translator, seats: tuple[Seat, ...]) -> ClientView:
        chosen, shown = (None if seat is None else Seat(seat) for seat in (self.chosen, self.shown))
        return ClientView(table, words, seats, chosen, shown, tuple(self.draft), self.at, self.look, table.seating.given_away(self.keys))

    def is_up_to_date(self, screen: ClientView) -> bool:
        """Whether a screen that comes back shows what it would be sent."""
        return bool(self.picture) and self.picture in (etag(screen), etag(screen, include_expected=False))

    def start_review(self, table: Table, seats: tuple[Seat, ...]) -> None:
        """A player who looks back, or who has played alone, wants the coach; so does whoever looks at a record."""
        if (seats or table.is_imported) and (self.look is not None or len(table.seating) == 1):
            table.coach.start_review()


@router.post("/api/tables/{table}/page", include_in_schema=False, response_model=None)
async def poll(request: Request, table: TableDep, hello: TableHello) -> Response | dict[str, Any]:
    """The same for a screen without a socket."""
    house: TableRegistry = request.app.state.registry
    seats, words = table.seating.seats_of_tokens(hello.keys), translator_for(request)
    table.polling.poll(seats, hello.pace)
    hello.start_review(table, seats)
    if table.error_report is not None and table.error_report != hello.told_of:
        return error_message(words, table.error_report)
    screen = hello.screen(table, words, seats)
    if hello.is_up_to_date(screen):
        return {"serial": hello.serial}
    try:
        async with house.render_queue.slot(urgent=bool(hello.draft)):
            picture = cached_view(screen)
            return Response(
                with_serial(encode(picture.fragment.changed_from_digests(hello.seen or {}), picture.client_state), hello.serial),
                media_type="application/json",
            )
    except TableeError:
        raise
    except Exception as error:
        return error_message(words, table.report_error(error))


def error_message(words: Translator, number: int) -> dict[str, Any]:
    """With its number, so that a screen without a socket can say what it was told of."""
    return {"error": words(report_message(number)), "told_of": number}


@router.websocket("/api/tables/{table}/ws")
async def live(socket: WebSocket, table: TableId) -> None:
    await socket.accept()
    house: TableRegistry = socket.app.state.registry
    words = translator_for(socket)
    try:
        found = await house.table(table)
        await TableConnection(socket, found, words, house.render_queue).run()
    except WebSocketDisconnect:
        return
    except (TableeError, ValidationError, KeyError) as error:
        told = error.translate(words) if isinstance(error, TableeError) else words("this is not a message that a table understands")
        await socket.send_json({"error": told})
        await socket.close(code=CLOSE_INVALID)


class TableConnection:
    def __init__(self, socket: WebSocket, table: Table, words: Translator, render_queue: RenderQueue) -> None:
        self.socket, self.table, self.words, self.render_queue = socket, table, words, render_queue
        self.hello = TableHello.model_validate({})
        self.seats: tuple[Seat, ...] = ()
        self.last_sent: Fragment | None = None  # the picture that was sent last
        self.client_digests: dict[str, str] | None = None  # the stamps of what it shows instead, since it came
        self.changed = asyncio.Event()
        self.has_unanswered = True  # whether something was said that is not answered yet
        self.reported_error: int | None = None  # the trouble it was told of

    async def run(self) -> None:
        await self._receive()
        seats = self.seats
        news = self.table.presence.connect(seats)
        self.table.bot_player.wake()
        if news:
            self.table.signal.notify()
        listening = asyncio.create_task(self._receive_all())
        listening.add_done_callback(lambda _: self.changed.set())
        try:
            with self.table.signal.subscribed(self.changed):
                await self._send_until(listening)
        finally:
            listening.cancel()
            if self.table.presence.disconnect(self, seats):
                self.table.signal.notify()
            self.table.absent_players.schedule_check()
        try:
            listening.result()
        finally:
            del listening  # what it raises would hold on to it, and to the last picture, until everything is tidied

    async def _receive(self) -> None:
        """A message that is not text raises KeyError."""
        self.hello = TableHello.model_validate_json(await self.socket.receive_text())
        self.seats = self.hello.seats(self.table)
        self.client_digests = self.client_digests if self.hello.seen is None else self.hello.seen
        if self.seats:
            self.table.presence.set_pace(self, self.hello.pace)
        self.hello.start_review(self.table, self.seats)
        self.has_unanswered = True

    async def _receive_all(self) -> None:
        """A new draft or another seat to look through changes only this screen. However much one says, it is heard a little at a time."""
        allowed, since = float(MESSAGE_BURST), time.monotonic()
        while True:
            await self._receive()
            self.changed.set()
            now = time.monotonic()
            allowed, since = min(MESSAGE_BURST, allowed + (now - since) / MESSAGE_INTERVAL) - 1, now
            await asyncio.sleep(0 if allowed > 0 else MESSAGE_INTERVAL)

    async def _send_until(self, listening: asyncio.Task[None]) -> None:
        """Looks and tells, then waits until the table or the screen has changed: however much was said meanwhile, the newest counts."""
        while not listening.done():
            async with self.render_queue.slot(self.has_unanswered):
                self.changed.clear()
                self.has_unanswered = False
                message = self._next_message_or_error()
            await (self.socket.send_text(message) if isinstance(message, str) else self.socket.send_bytes(message))
            await self.changed.wait()

    def _next_message_or_error(self) -> str | bytes:
        try:
            return self._next_message()
        except TableeError:
            raise
        except Exception as error:
            self.reported_error = self.table.report_error(error)
            return json.dumps({"error": self.words(report_message(self.reported_error))})

    def _next_message(self) -> str | bytes:
        """What this screen does not show yet."""
        table, hello = self.table, self.hello
        if table.deleted_reason:
            raise NotNow(table.deleted_reason)
        self.seats = hello.seats(table)  # a seat may have another owner by now
        if table.error_report != self.reported_error and table.error_report is not None:
            self.reported_error = table.error_report
            self.changed.set()
            return json.dumps({"error": self.words(report_message(table.error_report))})
        if not hello.page:
            return table_response(table, self.seats[0] if self.seats else None).model_dump_json()
        screen = hello.screen(table, self.words, self.seats)
        if self.client_digests is not None and hello.is_up_to_date(screen):
            return json.dumps({"serial": hello.serial})
        picture = cached_view(screen)
        before, self.last_sent = self.last_sent, picture.fragment
        if self.client_digests is not None:
            seen, self.client_digests = self.client_digests, None
            return with_serial(encode(picture.fragment.changed_from_digests(seen), picture.client_state), hello.serial)
        return (picture.compressed_message if hello.packed else picture.message)(before, hello.serial)
