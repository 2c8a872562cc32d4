"""Live connection of a table: a client sends its seats and its draft, and gets what changed for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Translator
from tablee.server.live.connection import LiveConnection, Socket
from tablee.server.live.refusals import STATUS, TRY_AGAIN, refusal
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report, report_message
from tablee.server.table.decisions import NotNow, play_with_token
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment
from tablee.server.view.rendered_view import RenderQueue, cached_view, etag

PLAYED, BROKEN = 200, 500  # statuses of a turn's answer

ApiMessage = Callable[[Table, Seat | None, Translator, Sequence[str]], str]


class ConfirmedTurn(Protocol):
    """The moves of one turn, chosen at version `at`; its id counts once."""

    at: int
    id: str

    @property
    def played(self) -> Sequence[str]: ...


class TableHello:
    """What a client says first, and again when its draft or view changes; with a turn it plays.

    Each transport has its own class of messages, which reads these fields.
    """

    if TYPE_CHECKING:
        token: str | None
        page: bool
        keys: str
        chosen: int | None
        shown: int | None
        draft: list[str]
        pace: Literal["slow", "normal", "quick"]
        at: int
        look: int | None
        serial: int
        packed: bool
        seen: dict[str, str] | None
        picture: str

    @property
    def turn_to_play(self) -> ConfirmedTurn | None:
        return None

    def without_draft(self) -> Self:
        message = copy(self)
        message.draft = []
        return message

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


class TableConnection(LiveConnection):
    def __init__(
        self,
        socket: Socket,
        translator: Translator,
        table: Table,
        render_queue: RenderQueue,
        parse: Callable[[str], TableHello],
        count_move: Callable[[], None] = lambda: None,
        api_message: ApiMessage | None = None,
        statuses: Mapping[type[TableeError], int] = STATUS,
    ) -> None:
        """Read the client's messages with `parse`; count its moves, and answer a client that is no page with `api_message`."""
        super().__init__(socket, translator, table.signal, render_queue)
        self.table, self._parse, self._count_move, self._api_message, self._statuses = table, parse, count_move, api_message, statuses
        self.hello = parse("{}")
        self.seats: tuple[Seat, ...] = ()
        self.present: tuple[Seat, ...] = ()  # the seats that count as present through this connection
        self.last_sent: Fragment | None = None  # root of the view that was sent last
        self.client_digests: dict[str, str] | None = None  # what the client shows instead, right after connecting
        self.reported_error: int | None = None  # the last error report that was sent
        self.is_deciding = False  # whether a turn of this client is being played

    def enter(self) -> None:
        self.present = self.seats
        self.table.presence.connect(self.present)
        self.table.bot_player.wake()

    def leave(self) -> None:
        self.table.presence.disconnect(self, self.present)
        self.table.absent_players.schedule_check()

    async def receive(self, text: str) -> None:
        message = self._parse(text)
        self.hello = message if message.turn_to_play is None else await self._play(message, message.turn_to_play)
        self.seats = self.hello.seats(self.table)
        self.client_digests = self.client_digests if self.hello.seen is None else self.hello.seen
        if self.seats:
            self.table.presence.set_pace(self, self.hello.pace)
        self.hello.start_review(self.table, self.seats)

    async def _play(self, message: TableHello, turn: ConfirmedTurn) -> TableHello:
        """Play and answer the turn; return what applies now: the message, without its draft if the turn was refused.

        Until then no view is sent: it would show the draft on the table as it is after the turn.
        """
        began, self.is_deciding = perf_counter(), True
        try:
            status, body = await self._decide(message.token, turn)
            await self.socket.send_text(json.dumps({"turn": turn.id, "status": status, "body": body}))
        finally:
            self.is_deciding = False
        if status == PLAYED:
            metrics.observe_acknowledgement(perf_counter() - began)
        return message if status in (PLAYED, TRY_AGAIN) else message.without_draft()

    async def _decide(self, token: str | None, turn: ConfirmedTurn) -> tuple[int, dict[str, Any]]:
        """Return the status and the body with which `POST /api/tables/{table}/moves` would answer."""
        try:
            self._count_move()
            return PLAYED, {"version": await play_with_token(self.table, token, turn.played, turn.at, turn.id)}
        except TableeError as error:
            return refusal(error, self.translator, self.table.game, self._statuses)
        except Exception as error:
            return BROKEN, {"error": self.translator(report_message(report(error))), "rule": None}

    def next_message(self) -> str | bytes | None:
        table, hello = self.table, self.hello
        if self.is_deciding:
            return None
        if table.deleted_reason:
            raise NotNow(table.deleted_reason)
        self.seats = hello.seats(table)  # a seat may have another owner by now
        if table.error_report is not None and table.error_report != self.reported_error:
            self.changed.set()
            return self._error_message(table.error_report)
        try:
            if self._api_message and not hello.page:
                return self._api_message(table, self.seats[0] if self.seats else None, self.translator, hello.draft)
            client_view = hello.client_view(table, self.translator, self.seats)
            if self.client_digests is not None and hello.is_up_to_date(client_view):
                return json.dumps({"serial": hello.serial})
            rendered = cached_view(client_view)
            before, self.last_sent = self.last_sent, rendered.fragment
            seen, self.client_digests = self.client_digests, None
            if seen is not None:
                return rendered.message_for_digests(seen, hello.serial)
            return rendered.message(before, hello.serial, hello.packed)
        except TableeError:
            raise
        except Exception as error:
            return self._error_message(table.report_error(error))

    def _error_message(self, number: int) -> str:
        self.reported_error = number
        return json.dumps({"error": self.translator(report_message(number))})
