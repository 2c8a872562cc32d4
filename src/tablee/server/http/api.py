"""JSON API of tables. Every error is one sentence in the reader's language."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field

from tablee import bots
from tablee.core.game import Game, Seat, allowed
from tablee.core.i18n import Translator
from tablee.core.narration import NarrationEntry
from tablee.server.http.requests import TableDep, TableId, TokenDep, TranslatorDep, registry_of, seat_url
from tablee.server.http.schemas import (
    ACTION_ERRORS,
    ChatMessageResponse,
    DraftSeen,
    EntrySeen,
    GameSeen,
    Hint,
    Moved,
    MoveOrTurn,
    NewTable,
    NoticesSeen,
    OptionSeen,
    PlayerSeen,
    SeatMade,
    SummarySeen,
    TableMade,
    TableSeen,
    TakenBack,
    Undo,
    error_schemas,
)
from tablee.server.table.decisions import mark_present, play_with_token, require_seat, undo_with_token
from tablee.server.table.models import TableSettings
from tablee.server.table.records import OlderRules, readable_record
from tablee.server.table.seats import SeatSpec
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.rendered_view import cached_message
from tablee.server.view.review_view import hint_view
from tablee.server.view.table_view import LogPart, TableView
from tablee.server.view.view_cache import view_cache_of

PastVersion = Annotated[
    int | None,
    Query(
        ge=0, le=1_000_000, description="a past `version`: the table after that many log lines, without legal moves; beyond the log: 422"
    ),
]
MinVersion = Annotated[
    int,
    Query(
        ge=0,
        le=1_000_000,
        description="the newest `version` that the client has received. Where several processes serve one table, one that lags behind "
        "catches up to this version before it answers; beyond the log: 422",
    ),
]

ToldSince = Annotated[
    int | None,
    Query(ge=0, le=1_000_000, description="the line of the game from which `told` begins; 0: the whole log in words"),
]
DraftTried = Annotated[
    Sequence[Annotated[str, Field(max_length=80)]],
    Query(max_length=60, description="moves to try out, in order: `tried` says what they would do; nothing is played"),
]
LONGEST_WAIT, PRESENCE_INTERVAL = 25, 2.0  # seconds; proxies cut off what takes a minute
SeenVersion = Annotated[
    int | None,
    Query(ge=0, le=1_000_000, description="the `version` that the client has: the answer waits for another, or for `wait` seconds"),
]
WaitSeconds = Annotated[int, Query(ge=0, le=LONGEST_WAIT, description="how long an answer to `after` may wait, in seconds")]


@dataclass(frozen=True)
class WantedVersion:
    """The least version to answer with; and the one that a client has, if it waits for another, for so many seconds at most."""

    at_least: MinVersion = 0
    after: SeenVersion = None
    wait: WaitSeconds = LONGEST_WAIT


TOKEN_OPTIONAL: dict[str, Any] = {"security": [{}]}  # OpenAPI's way to say that a token is optional: spectators send none


router = APIRouter(prefix="/api")


@router.get("/games", summary="List the games with their seats and options")
def list_games(request: Request, translator: TranslatorDep) -> list[GameSeen]:
    return [game_response(game, translator) for game in registry_of(request).games()]


def game_response(game: Game, translator: Translator) -> GameSeen:
    options = [
        OptionSeen(key=each.key, label=translator(each.label), values=list(allowed(each, game.seats[-1])), default=each.default)
        for each in game.options
    ]
    return GameSeen(
        game=game.key,
        title=translator(game.title),
        author=game.author,
        seats=list(game.seats),
        options=options,
        bots=list(bots.LEVEL_NAMES),
    )


@router.post("/tables", status_code=201, summary="Create a table", responses=error_schemas(400, 413, 422, 429, 503))
async def create_table(request: Request, new: NewTable) -> TableMade:
    wanted = [SeatSpec(seat.kind, seat.name, getattr(seat, "level", "")) for seat in new.seats]
    return table_created(
        request,
        *await registry_of(request).create(new.game, dict(new.options), wanted, new.hints, TableSettings(clock=new.clock, chat=new.chat)),
    )


def table_created(request: Request, table: Table, tokens: Sequence[str | None]) -> TableMade:
    """Return the response to the creation of a table: its id, and the tokens and links of its seats."""
    base = str(request.base_url).rstrip("/")
    seats = [SeatMade(seat=seat, token=token, link=token and seat_url(base, table.id, token)) for seat, token in enumerate(tokens)]
    return TableMade(table=table.id, seats=seats, watch=f"{base}/t/{table.id}")


@router.get(
    "/tables/{table}",
    summary="Get the table as this seat, or a spectator, may see it",
    responses=error_schemas(403, 404, 409, 410, 422, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def see_table(
    request: Request,
    table: TableDep,
    token: TokenDep,
    translator: TranslatorDep,
    at: PastVersion = None,
    since: ToldSince = None,
    draft: DraftTried = (),
    wanted: Annotated[WantedVersion, Depends()] = WantedVersion(),
) -> TableSeen:
    await table.catch_up_to(max(at or 0, wanted.at_least))
    seat = table.seating.seat_of_token(token)
    mark_present(table, seat)
    if wanted.after is not None:
        await wait_for_change(table, seat, wanted.after, wanted.wait)
    if at is None or at == table.version:
        return table_response(table, seat, translator, at, since, draft)
    async with request.app.state.render_queue.slot(urgent=False):  # costs as much as rendering a page
        return table_response(table, seat, translator, at)


async def wait_for_change(table: Table, seat: Seat | None, version: int, seconds: float) -> None:
    """Wait until the table has another version, for so many seconds at most; whoever waits is present."""
    changed, now = asyncio.Event(), asyncio.get_running_loop().time
    end = now() + seconds
    with table.signal.subscribed(changed):
        while table.version == version and not table.deleted_reason and now() < end:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), min(end - now(), PRESENCE_INTERVAL))
            changed.clear()
            mark_present(table, seat)


def table_response(
    table: Table, seat: Seat | None, translator: Translator, at: int | None = None, since: int | None = None, draft: Sequence[str] = ()
) -> TableSeen:
    """Return the table as the seat sees it now, or after `at` lines of its log, then without legal moves and words."""
    seats = () if seat is None else (seat,)
    message = cached_message(ClientView(table, translator, seats, draft=tuple(draft), draft_version=table.version))
    past = at is not None and at != table.version
    return TableSeen(
        table=message.table.table,
        game=message.table.game.key,
        version=table.version if at is None else at,
        seat=seat,
        log=table.log.redacted_lines(table.match, seat)[:at],
        names=list(table.seating.names),
        commitment=message.table.commitment,
        clocks=_clocks(table) if table.settings.clock else None,
        said=[ChatMessageResponse(number=each.number, seat=each.seat, name=each.name, text=each.text) for each in table.chat.messages]
        if table.chat.open
        else None,
        **(_past_fields(table, seat, at) if past and at is not None else _present_fields(table, seat, message, since)),
    )


def _present_fields(table: Table, seat: Seat | None, message: TableView, since: int | None) -> dict[str, Any]:
    position, match = message.position, table.match
    return {
        "status": "playing" if position.to_act and not table.is_imported else "over",
        "to_act": [] if table.is_imported else position.to_act,
        "view": position.before,
        "legal": [match.game.show(move) for move in match.legal(seat)] if seat is not None else [],
        "scores": position.scores,
        **page_fields(message, seat, since),
    }


def _past_fields(table: Table, seat: Seat | None, at: int) -> dict[str, Any]:
    match = table.match_at(at)
    to_act = [] if table.is_imported else list(match.to_act)
    return {
        "status": "playing" if to_act else "over",
        "to_act": to_act,
        "view": view_cache_of(table).position(match.state, seat, may_choose=False).view,
        "legal": [],
        "scores": match.game.scores(match.state),
    }


def _clocks(table: Table) -> list[int | None]:
    seats = enumerate(table.seating.seats)
    return [round(1000 * table.clock.seconds_left(Seat(number))) if seat.kind != "bot" else None for number, seat in seats]


def page_fields(message: TableView, seat: Seat | None, since: int | None) -> dict[str, Any]:
    """Return the fields of `PageSeen` for the reader in this seat."""
    return {
        "players": [PlayerSeen.model_validate(each) for each in message.players.players],
        "told": [EntrySeen.model_validate(each) for each in _told(message.log, seat, since)],
        "news": [SummarySeen.model_validate(each) for each in message.log.news],
        "notices": NoticesSeen.model_validate(message.company.notices),
        "tried": DraftSeen.model_validate(message.draft) if message.draft.draft or message.draft.refused else None,
    }


def _told(log: LogPart, seat: Seat | None, since: int | None) -> list[NarrationEntry]:
    if since is None and seat is None:
        return [*log.log[-1].entries] if log.log else []
    if since is None:
        own = (entry.position for entry in log.narration if entry.seat == seat and not entry.by_nature and not entry.aside)
        since = max(own, default=-1) + 1
    return [entry for entry in log.narration if entry.position >= since]


@router.post("/tables/{table}/moves", summary="Play one move, or all moves of one turn", responses=ACTION_ERRORS)
async def play_move(table: TableDep, token: TokenDep, new: MoveOrTurn) -> Moved:
    return Moved(version=await play_with_token(table, token, new.played, new.at, new.id))


@router.post(
    "/tables/{table}/undo",
    summary="Take back your last move, if nothing was revealed since; other people who are present are asked first",
    responses=ACTION_ERRORS,
    response_model_exclude_none=True,
)
async def undo_move(table: TableDep, token: TokenDep, undo: Undo | None = None) -> TakenBack:
    version = await undo_with_token(table, token, undo.keys if undo else "", undo.id if undo else None)
    waiting = table.undo_requests.pending
    asks = waiting is not None and waiting[0] == table.seating.seat_of_token(token)
    return TakenBack(version=version, asked=list(waiting[1]) if waiting and asks else None)


@router.post(
    "/tables/{table}/hint",
    summary="Ask the coach for a turn, if the host allows it",
    responses=error_schemas(403, 404, 409, 410, 422, 503),
)
async def ask_for_a_hint(table: TableDep, token: TokenDep, translator: TranslatorDep) -> Hint:
    seat = require_seat(table, token)
    return Hint.model_validate(hint_view(table, await table.coach.hint(seat), seat, translator))


@router.post(
    "/tables/{table}/rematch",
    status_code=201,
    summary="Play again with the same people; a second request returns the same table. Every seat keeps its token",
    responses=error_schemas(403, 404, 409, 410, 422, 429, 503),
)
async def play_again(request: Request, table: TableDep, token: TokenDep) -> TableMade:
    mine = require_seat(table, token)
    again = await registry_of(request).rematch(table, mine)
    return table_created(request, again, [token if seat == mine else None for seat in range(len(again.seating))])


@router.get(
    "/tables/{table}/record",
    summary="Get the record; it holds no secrets until the game is over",
    responses=error_schemas(403, 404, 409, 422, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def get_record(request: Request, table: TableId, token: TokenDep, at_least: MinVersion = 0) -> dict[str, Any]:
    try:
        found = await registry_of(request).table(table)
        await found.catch_up_to(at_least)
        return readable_record(found, token)
    except OlderRules as older:
        return older.record(token)
