"""Live tables and lobbies, by WebSocket or polling: a client sends its seats and its draft, and gets what changed for it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import Translator, msg
from tablee.server.http.api import table_response
from tablee.server.http.refusals import STATUS
from tablee.server.http.requests import TableDep, TableId, lobbies_of, public_base_url, translator_for
from tablee.server.http.schemas import Keys, MoveOrTurn, NewMove, NewTurn
from tablee.server.live.connection import STARTED, LiveConnection, LobbyConnection, patch_message
from tablee.server.live.table_connection import TableConnection, TableHello
from tablee.server.lobby.actions import LobbyRequest, apply_action
from tablee.server.lobby.lobby import GameStarted
from tablee.server.ops.error_reports import report_message
from tablee.server.registry import TableRegistry
from tablee.server.table.table import Table
from tablee.server.view import lobby_view
from tablee.server.view.rendered_view import cached_view

CLOSE_INVALID, CLOSE_SILENT = 4000, 1008  # close codes; after the first a client does not reconnect

router = APIRouter()


class PageHello(TableHello, BaseModel):
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


class SocketMessage(PageHello):
    """Message on a WebSocket. With a turn it plays: the turn is answered first, then the rest of the message applies."""

    turn: MoveOrTurn | None = None

    @property
    def turn_to_play(self) -> NewMove | NewTurn | None:
        return self.turn


@router.post("/api/tables/{table}/page", include_in_schema=False, response_model=None)
async def poll(request: Request, table: TableDep, hello: PageHello) -> Response | dict[str, Any]:
    """Return the changed fragments to a client without a WebSocket."""
    seats, translator = table.seating.seats_of_tokens(hello.keys), translator_for(request)
    table.presence.poll(seats, hello.pace)
    hello.start_review(table, seats)
    if table.error_report is not None and table.error_report != hello.told_of:
        return error_message(translator, table.error_report)
    client_view = hello.client_view(table, translator, seats)
    if hello.is_up_to_date(client_view):
        return {"serial": hello.serial}
    try:
        async with request.app.state.render_queue.slot(urgent=bool(hello.draft)):
            message = cached_view(client_view).message_for_digests(hello.seen or {}, hello.serial)
            return Response(message, media_type="application/json")
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
        return TableConnection(
            socket,
            translator_for(socket),
            await registry.table(table),
            socket.app.state.render_queue,
            SocketMessage.model_validate_json,
            socket.state.count_move,
            _api_message,
            STATUS,
        )

    await socket.accept()
    await serve(socket, open_connection())


def _api_message(table: Table, seat: Seat | None, translator: Translator, draft: Sequence[str]) -> str:
    return table_response(table, seat, translator, draft=draft).model_dump_json()


async def serve(socket: WebSocket, opening: Awaitable[LiveConnection], raises: type[TableeError] | tuple[()] = ()) -> None:
    """Open a connection and run it to its end; answer a refusal, except those it `raises`, or a bad message with one sentence."""
    try:
        await (await opening).run(socket.app.state.limits.hello_timeout)
    except raises:
        raise
    except WebSocketDisconnect:
        return
    except TimeoutError:  # it has not said hello
        await socket.close(code=CLOSE_SILENT)
    except (TableeError, ValidationError, KeyError) as error:
        translator = translator_for(socket)
        unreadable = msg("this is not a message that a table understands")
        await socket.send_json({"error": error.translate(translator) if isinstance(error, TableeError) else translator(unreadable)})
        await socket.close(code=CLOSE_INVALID)


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


@router.post("/api/tables/{table}/gathering", include_in_schema=False)
async def act_in_lobby(request: Request, table: TableId, action: LobbyAction) -> dict[str, str | None]:
    """Apply one action; return the seat's token to a visitor who sits down."""
    return {"token": await apply_action(await lobbies_of(request).lobby(table), LobbyRequest(**action.model_dump()))}


@router.post("/api/tables/{table}/gathering/page", include_in_schema=False)
async def poll_lobby(request: Request, table: TableId, hello: LobbyHello) -> dict[str, Any]:
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
        return LobbyConnection(
            socket, translator_for(socket), lobby, table_url(socket, lobby.id), socket.app.state.render_queue, _parse_lobby_hello
        )

    await socket.accept()
    try:
        await serve(socket, open_connection(), raises=GameStarted)
    except GameStarted:
        await socket.send_json(STARTED)


def _parse_lobby_hello(text: str) -> tuple[str, dict[str, str]]:
    hello = LobbyHello.model_validate_json(text)
    return hello.keys, hello.seen
