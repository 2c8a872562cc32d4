"""Live connections of a table, by WebSocket or polling: a client sends its seats and its draft, and gets what changed for it."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Translator
from tablee.server.http.api import Keys, MoveOrTurn, NewMove, NewTurn, TableDep, TableId, play_move, table_response
from tablee.server.http.live_connection import LiveConnection, serve
from tablee.server.http.middleware.language import translator_for
from tablee.server.http.refusals import TRY_AGAIN, refusal
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report, report_message
from tablee.server.registry import TableRegistry
from tablee.server.table.decisions import NotNow
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment
from tablee.server.view.render_queue import RenderQueue
from tablee.server.view.rendered_view import cached_view, encode, etag, with_serial

PLAYED, BROKEN = 200, 500  # statuses of a turn's answer

router = APIRouter()


class TableHello(BaseModel):
    """First message of a client, sent again when its draft or view changes. An API client omits `page` and gets JSON."""

    model_config = ConfigDict(extra="forbid")
    token: str | None = Field(None, max_length=80)  # of an API client, and of the seat that plays a turn
    page: bool = False
    keys: Keys = ""
    chosen: int | None = None
    shown: int | None = None
    draft: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=60)
    pace: Literal["slow", "normal", "quick"] = "normal"  # of the bots
    at: int = Field(0, ge=0)  # version at which the draft was begun
    look: int | None = Field(None, ge=0)  # position in a finished game, as a number of log lines
    serial: int = 0  # returned with the response, so that a client recognises a response to an older draft
    packed: bool = False  # whether the client can inflate compressed messages
    seen: dict[str, str] | None = Field(None, max_length=2000)  # digests of the fragments it shows, when it has just connected
    picture: str = Field("", max_length=40)  # ETag of the view that these fragments form
    told_of: int | None = None  # error report that a polling client shows already

    def seats(self, table: Table) -> tuple[Seat, ...]:
        if self.page:
            return table.seating.seats_of_tokens(self.keys)
        seat = table.seating.seat_of_token(self.token)
        return () if seat is None else (seat,)

    def client_view(self, table: Table, translator: Translator, seats: tuple[Seat, ...]) -> ClientView:
        chosen, shown = (None if seat is None else Seat(seat) for seat in (self.chosen, self.shown))
        return ClientView(
            table, translator, seats, chosen, shown, tuple(self.draft), self.at, self.look, table.seating.given_away(self.keys)
        )

    def is_up_to_date(self, client_view: ClientView) -> bool:
        """Return whether a reconnecting client already shows the current view."""
        return bool(self.picture) and self.picture in (etag(client_view), etag(client_view, include_expected=False))

    def start_review(self, table: Table, seats: tuple[Seat, ...]) -> None:
        """Start the coach's review for a player who replays or has played alone, and for any viewer of an imported record."""
        if (seats or table.is_imported) and (self.look is not None or len(table.seating) == 1):
            table.coach.start_review()


class SocketMessage(TableHello):
    """Message on a WebSocket. With a turn it plays: the turn is answered first, then the rest of the message applies."""

    turn: MoveOrTurn | None = None


@router.post("/api/tables/{table}/page", include_in_schema=False, response_model=None)
async def poll(request: Request, table: TableDep, hello: TableHello) -> Response | dict[str, Any]:
    """Return the changed fragments to a client without a WebSocket."""
    seats, translator = table.seating.seats_of_tokens(hello.keys), translator_for(request)
    table.polling.poll(seats, hello.pace)
    hello.start_review(table, seats)
    if table.error_report is not None and table.error_report != hello.told_of:
        return error_message(translator, table.error_report)
    client_view = hello.client_view(table, translator, seats)
    if hello.is_up_to_date(client_view):
        return {"serial": hello.serial}
    try:
        async with request.app.state.render_queue.slot(urgent=bool(hello.draft)):
            rendered = cached_view(client_view)
            return Response(
                with_serial(encode(rendered.fragment.changed_from_digests(hello.seen or {}), rendered.client_state), hello.serial),
                media_type="application/json",
            )
    except TableeError:
        raise
    except Exception as error:
        return error_message(translator, table.report_error(error))


def error_message(translator: Translator, number: int) -> dict[str, Any]:
    """Return an error message with its report number, which a polling client sends back as `told_of`."""
    return {"error": translator(report_message(number)), "told_of": number}


@router.websocket("/api/tables/{table}/ws")
async def table_socket(socket: WebSocket, table: TableId) -> None:
    async def open_connection() -> TableConnection:
        registry: TableRegistry = socket.app.state.registry
        return TableConnection(socket, await registry.table(table), socket.app.state.render_queue)

    await socket.accept()
    await serve(socket, open_connection())


class TableConnection(LiveConnection):
    def __init__(self, socket: WebSocket, table: Table, render_queue: RenderQueue) -> None:
        super().__init__(socket, table.signal, render_queue)
        self.table = table
        self.hello = TableHello.model_validate({})
        self.seats: tuple[Seat, ...] = ()
        self.present: tuple[Seat, ...] = ()  # the seats that count as present through this connection
        self.last_sent: Fragment | None = None  # root of the view that was sent last
        self.client_digests: dict[str, str] | None = None  # what the client shows instead, right after connecting
        self.reported_error: int | None = None  # the last error report that was sent
        self.is_deciding = False  # whether a turn of this client is being played

    def enter(self) -> None:
        self.present = self.seats
        presence_changed = self.table.presence.connect(self.present)
        self.table.bot_player.wake()
        if presence_changed:
            self.table.signal.notify()

    def leave(self) -> None:
        if self.table.presence.disconnect(self, self.present):
            self.table.signal.notify()
        self.table.absent_players.schedule_check()

    async def receive(self, text: str) -> None:
        message = SocketMessage.model_validate_json(text)
        self.hello = message if message.turn is None else await self._play(message, message.turn)
        self.seats = self.hello.seats(self.table)
        self.client_digests = self.client_digests if self.hello.seen is None else self.hello.seen
        if self.seats:
            self.table.presence.set_pace(self, self.hello.pace)
        self.hello.start_review(self.table, self.seats)

    async def _play(self, message: SocketMessage, turn: NewMove | NewTurn) -> SocketMessage:
        """Play and answer the turn; return what applies now: the message, without its draft if the turn was refused.

        Until then no view is sent: it would show the draft on the table as it is after the turn.
        """
        began, self.is_deciding = perf_counter(), True
        try:
            status, body = await self._decide(message.token, turn)
            await self.socket.send_json({"turn": turn.id, "status": status, "body": body})
        finally:
            self.is_deciding = False
        if status == PLAYED:
            metrics.observe_acknowledgement(perf_counter() - began)
        return message if status in (PLAYED, TRY_AGAIN) else message.model_copy(update={"draft": []})

    async def _decide(self, token: str | None, turn: NewMove | NewTurn) -> tuple[int, dict[str, Any]]:
        """Return the status and the body with which `POST /api/tables/{table}/moves` would answer."""
        try:
            self.socket.state.count_move()
            return PLAYED, (await play_move(self.table, token, turn)).model_dump()
        except TableeError as error:
            return refusal(error, self.translator, self.table.game)
        except Exception as error:
            return BROKEN, {"error": self.translator(report_message(report(error))), "rule": None}

    def next_message(self) -> str | bytes | None:
        if self.is_deciding:
            return None
        try:
            return self._next_message()
        except TableeError:
            raise
        except Exception as error:
            self.reported_error = self.table.report_error(error)
            return json.dumps({"error": self.translator(report_message(self.reported_error))})

    def _next_message(self) -> str | bytes:
        table, hello = self.table, self.hello
        if table.deleted_reason:
            raise NotNow(table.deleted_reason)
        self.seats = hello.seats(table)  # a seat may have another owner by now
        if table.error_report != self.reported_error and table.error_report is not None:
            self.reported_error = table.error_report
            self.changed.set()
            return json.dumps({"error": self.translator(report_message(table.error_report))})
        if not hello.page:
            return table_response(table, self.seats[0] if self.seats else None, self.translator, draft=hello.draft).model_dump_json()
        client_view = hello.client_view(table, self.translator, self.seats)
        if self.client_digests is not None and hello.is_up_to_date(client_view):
            return json.dumps({"serial": hello.serial})
        rendered = cached_view(client_view)
        before, self.last_sent = self.last_sent, rendered.fragment
        if self.client_digests is not None:
            seen, self.client_digests = self.client_digests, None
            return with_serial(encode(rendered.fragment.changed_from_digests(seen), rendered.client_state), hello.serial)
        return (rendered.compressed_message if hello.packed else rendered.message)(before, hello.serial)
