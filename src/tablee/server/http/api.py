"""JSON API of tables: its models and routes. Every error is one sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from tablee import bots, games
from tablee.core.game import Game, Seat, allowed
from tablee.core.i18n import Translator, msg
from tablee.server.http.middleware.language import translator_for
from tablee.server.http.page_schemas import PageSeen, page_fields
from tablee.server.http.urls import seat_url
from tablee.server.registry import TableRegistry
from tablee.server.table.models import TableSettings
from tablee.server.table.permissions import mark_present, play_with_token, require_seat, undo_with_token
from tablee.server.table.records import OlderRules, readable_record
from tablee.server.table.seats import NotYourSeat, SeatSpec
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.hint_view import hint_view
from tablee.server.view.rendered_view import cached_message
from tablee.server.view.table_view import TableView
from tablee.server.view.view_cache import view_cache_of

TableId = Annotated[str, Path(description="the table's id, as in its link")]
Keys = Annotated[str, Field(max_length=1200, description="the tokens of all seats on the same screen, joined by dots")]
ClientId = Annotated[
    str,
    Field(min_length=1, max_length=64, description="idempotency key made by the client: what is sent again with the same id counts once"),
]
ChosenAt = Annotated[int, Field(ge=0, le=1_000_000, strict=True, description="the `version` at which the client chose what to play")]
DisplayName = Annotated[str, Field(max_length=40, description="display name; empty: a default name")]
Scalar = str | int | bool
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


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HumanSeat(StrictModel):
    kind: Literal["human"] = Field(description="a person, or your own program: the response holds a token and a link for the seat")
    name: DisplayName = ""


class BotSeat(StrictModel):
    kind: Literal["bot"] = Field(description="one of the server's bots; the response holds no token for the seat")
    level: str = Field(max_length=20, description="the bot's level of play", json_schema_extra={"enum": list(bots.LEVEL_NAMES)})
    name: DisplayName = ""


class NewTable(StrictModel):
    game: str = Field(max_length=64, description="the game's key, as in `GET /api/games`", json_schema_extra={"enum": list(games.known())})
    options: dict[str, StrictBool | StrictInt | StrictStr] = Field(
        default_factory=dict, max_length=20, description="values that differ from the default, by key; `GET /api/games` lists them"
    )
    seats: list[Annotated[HumanSeat | BotSeat, Field(discriminator="kind")]] = Field(
        min_length=1, max_length=12, description="the players in seat order, from seat 0; `GET /api/games` says how many a game takes"
    )
    hints: StrictBool | None = Field(
        None, description="whether players may ask the coach during the game; null: only where one person plays"
    )
    clock: int = Field(0, ge=0, le=86_400, strict=True, description="seconds that each person has for the whole game; 0: no clocks")
    chat: StrictBool = Field(False, description="whether the players may write chat messages")


class SeatMade(BaseModel):
    seat: int = Field(description="the seat's number, from 0")
    token: str | None = Field(
        description="the seat's secret token, sent as `Authorization: Bearer TOKEN`; null for bots and for other people's seats"
    )
    link: str | None = Field(description="the URL of this seat's page, with its token, for a person; null without a token")


class TableMade(BaseModel):
    table: str = Field(description="the table's id")
    seats: list[SeatMade] = Field(description="one entry per seat, in seat order")
    watch: str = Field(description="the URL of the spectators' page")


class NewMove(StrictModel):
    move: str = Field(max_length=80, description="one of `legal`, verbatim")
    at: ChosenAt
    id: ClientId

    @property
    def played(self) -> list[str]:
        return [self.move]


class NewTurn(StrictModel):
    moves: list[Annotated[str, Field(max_length=80)]] = Field(
        min_length=1, max_length=60, description="the moves of one turn; the server plays all or none"
    )
    at: ChosenAt
    id: ClientId

    @property
    def played(self) -> list[str]:
        return self.moves


def _move_or_turn(body: Any) -> str:
    return "several" if isinstance(body, dict) and "moves" in body else "one"


MoveOrTurn = Annotated[Annotated[NewMove, Tag("one")] | Annotated[NewTurn, Tag("several")], Discriminator(_move_or_turn)]


class Undo(StrictModel):
    id: ClientId
    keys: Keys = ""


class ChatMessageResponse(BaseModel):
    number: int = Field(description="the message's number in this table's chat")
    seat: int = Field(description="the sender's seat")
    name: str = Field(description="the sender's name at that time")
    text: str = Field(description="the message, one line")


class TableSeen(PageSeen):
    table: str = Field(description="the table's id")
    game: str = Field(description="the game's key; it decides the schema of `view`")
    version: int = Field(description="the number of lines in the log; send it as `at` with a move")
    status: Literal["playing", "over"] = Field(description="`over` once nobody can move any more")
    to_act: list[int] = Field(
        description="the seats to act, several where they move simultaneously; -1 is nature; empty once the game is over"
    )
    seat: int | None = Field(description="the seat whose token was sent; null for a spectator")
    view: dict[str, Any] = Field(description="all that this reader may know of the game; each game has its own schema, `View.KEY`")
    legal: list[str] = Field(description="the legal moves of this seat; empty for a spectator, and while the seat is not to act")
    scores: list[int] = Field(description="the current points, in seat order")
    log: list[str] = Field(description="all moves so far as `SEAT MOVE`, `-` for nature; parts that this reader may not know are masked")
    names: list[str] = Field(description="the players' names, in seat order")
    commitment: str = Field(
        description="the SHA-256 hash of the secret seed of all draws, shown from the start of the game; empty without a seed"
    )
    clocks: list[int | None] | None = Field(
        None, description="milliseconds left to each person, null for bots; null for a table without clocks"
    )
    said: list[ChatMessageResponse] | None = Field(None, description="the chat messages, oldest first; null for a table without chat")


class Moved(BaseModel):
    version: int = Field(description="the table's new version: the number of lines in its log")


class TakenBack(Moved):
    asked: list[int] | None = Field(None, description="the seats that must agree first; absent if the move has been taken back")


class Hint(BaseModel):
    move: str = Field(description="the coach's next move, one of `legal`")
    moves: list[str] = Field(description="the coach's turn from that move on, up to the next move of nature or of another seat")
    sentence: str = Field(description="the turn in words, in the reader's language")
    why: str = Field(description="the coach's reason, in the reader's language")


class ErrorResponse(BaseModel):
    error: str = Field(description="one sentence for a person, in the language of `Accept-Language`")
    rule: str | None = Field(None, description="the number of the rule that forbids the move")
    sentence: str | None = Field(None, description="the text of that rule")
    link: str | None = Field(None, description="the path of that rule in the rule book's page")


class OptionSeen(BaseModel):
    key: str = Field(description="the option's key, as in `options` of `POST /api/tables`")
    label: str = Field(description="the option's name, in the reader's language")
    values: list[Scalar] = Field(description="the allowed values at a full table; a seat number must be one of the table's seats")
    default: Scalar = Field(description="the value if the request names none")


class GameSeen(BaseModel):
    game: str = Field(description="the game's key, as in `POST /api/tables`")
    title: str = Field(description="the game's name, in the reader's language")
    author: str = Field(description="the game's author")
    seats: list[int] = Field(description="the possible numbers of players")
    options: list[OptionSeen] = Field(description="the options of a new table")
    bots: list[str] = Field(description="the levels of the bots that play it")


def error_schemas(*statuses: int) -> dict[int | str, dict[str, Any]]:
    descriptions = {
        400: "the body is not JSON",
        403: "not your seat",
        404: "no such table",
        410: "played by older rules; only its record can be read",
        409: "not your turn, the table has moved on, or the game has not started",
        413: "the body is too large",
        415: "the body was not sent as application/json",
        422: "not allowed; the error says why and names the rule",
        429: "too many requests, or too soon; for new tables `Retry-After` says when to try again",
        503: "could not be saved; send it again",
    }
    wanted = {*statuses, *([415] if 400 in statuses else [])}  # a route that parses JSON also checks the content type
    return {status: {"model": ErrorResponse, "description": descriptions[status]} for status in sorted(wanted)}


TOKEN_OPTIONAL: dict[str, Any] = {"security": [{}]}  # OpenAPI's way to say that a token is optional: spectators send none


router = APIRouter(prefix="/api")


def registry_of(request: Request) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


async def open_table(request: Request, table: TableId) -> Table:
    return await registry_of(request).table(table)


# The dependencies are coroutines although they await nothing: FastAPI runs a plain function in a thread pool.


bearer = HTTPBearer(
    auto_error=False,
    scheme_name="seat",
    description="the token of a seat, from the response of `POST /api/tables`; without one the request is a spectator's",
)


async def bearer_token(request: Request, described: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    """Return the bearer token, None for a spectator; refuse a malformed header, which FastAPI would treat as absent."""
    authorization = request.headers.get("authorization")
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotYourSeat(msg("the Authorization header must be 'Bearer TOKEN'"))
    return token


async def request_translator(request: Request) -> Translator:
    return translator_for(request)


TableDep = Annotated[Table, Depends(open_table)]
TokenDep = Annotated[str | None, Depends(bearer_token)]
TranslatorDep = Annotated[Translator, Depends(request_translator)]


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
    at_least: MinVersion = 0,
    since: ToldSince = None,
    draft: DraftTried = (),
) -> TableSeen:
    await table.catch_up_to(max(at or 0, at_least))
    seat = table.seating.seat_of_token(token)
    mark_present(table, seat)
    if at is None or at == table.version:
        return table_response(table, seat, translator, at, since, draft)
    async with request.app.state.render_queue.slot(urgent=False):  # costs as much as rendering a page
        return table_response(table, seat, translator, at)


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
        names=[table.name_of(each) for each in range(len(table.seating))],
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
        "view": view_cache_of(table).get(match.state, seat, may_choose=False).view,
        "legal": [],
        "scores": match.game.scores(match.state),
    }


def _clocks(table: Table) -> list[int | None]:
    seats = enumerate(table.seating.seats)
    return [round(1000 * table.clock.seconds_left(Seat(number))) if seat.kind == "human" else None for number, seat in seats]


@router.post(
    "/tables/{table}/moves",
    summary="Play one move, or all moves of one turn",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 422, 503),
)
async def play_move(table: TableDep, token: TokenDep, new: MoveOrTurn) -> Moved:
    return Moved(version=await play_with_token(table, token, new.played, new.at, new.id))


@router.post(
    "/tables/{table}/undo",
    summary="Take back your last move, if nothing was revealed since; other people who are present are asked first",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 422, 503),
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
