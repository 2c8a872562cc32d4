"""The HTTP contract: JSON in, JSON out, and every refusal one sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from tablee import bots, games
from tablee.core import record
from tablee.core.fairness import commitment
from tablee.core.game import Game, Seat, allowed
from tablee.core.i18n import Translator, msg
from tablee.server.http.middleware.language import translator_for
from tablee.server.http.urls import seat_url
from tablee.server.registry import TableRegistry
from tablee.server.storage.models import TableSettings
from tablee.server.table.coaching import hint_reason
from tablee.server.table.legacy import OlderRules
from tablee.server.table.seats import NotYourSeat, SeatSpec
from tablee.server.table.table import NotNow, Table
from tablee.server.view.narrator import Narrator

TableId = Annotated[str, Path(description="the table's id, as in its link")]
Keys = Annotated[str, Field(max_length=1200, description="the tokens of all seats on the same screen, joined by dots")]
Scalar = str | int | bool
PastVersion = Annotated[
    int | None,
    Query(ge=0, le=1_000_000, description="as it was after so many lines of its log: a past `version`, without moves; beyond the log: 422"),
]
MinVersion = Annotated[
    int,
    Query(
        ge=0,
        le=1_000_000,
        description="the newest `version` that the client knows of, as a move or another look was answered. Where several processes serve "
        "one table, each may be a moment behind the others: one that is catches up before it answers; beyond the log: 422",
    ),
]


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HumanSeat(StrictModel):
    kind: Literal["human"] = Field(description="a person, or a program of yours: the answer has a token and a link for the seat")
    name: str = Field("", max_length=40, description="shown to everybody; empty: a usual name")


class BotSeat(StrictModel):
    kind: Literal["bot"] = Field(description="one of the server's own bots; the answer has no token for the seat")
    level: str = Field(max_length=20, description="how strong", json_schema_extra={"enum": list(bots.TABLE_BOTS)})
    name: str = Field("", max_length=40, description="shown to everybody; empty: a usual name")


class NewTable(StrictModel):
    game: str = Field(max_length=64, description="the game's key, as in `GET /api/games`", json_schema_extra={"enum": list(games.known())})
    options: dict[str, StrictBool | StrictInt | StrictStr] = Field(
        default_factory=dict, max_length=20, description="by key, those that differ from their default; `GET /api/games` lists them"
    )
    seats: list[Annotated[HumanSeat | BotSeat, Field(discriminator="kind")]] = Field(
        min_length=1, max_length=12, description="who sits where, from seat 0; how many a game takes is in `GET /api/games`"
    )
    hints: StrictBool | None = Field(None, description="whether players may ask the coach during the game; if not said, against bots only")
    clock: int = Field(0, ge=0, le=86_400, strict=True, description="seconds that each seat has for the whole game; 0: no clocks")
    chat: StrictBool = Field(False, description="whether people at the table may write to each other")


class SeatMade(BaseModel):
    seat: int = Field(description="the seat's number, from 0")
    token: str | None = Field(
        description="the secret that opens this seat, sent as `Authorization: Bearer TOKEN`; null for other people's and bots'"
    )
    link: str | None = Field(description="the page of this seat, with its token, for a person")


class TableMade(BaseModel):
    table: str = Field(description="the table's id")
    seats: list[SeatMade] = Field(description="one for each seat, in their order")
    watch: str = Field(description="the page for spectators")


class NewMove(StrictModel):
    move: str = Field(max_length=80, description="one of `legal`, as it stands there")
    at: int = Field(ge=0, le=1_000_000, strict=True, description="the version the move was chosen at")
    id: str = Field(min_length=1, max_length=64, description="made by the client; a move counts once however often it is sent")


class NewTurn(StrictModel):
    moves: list[Annotated[str, Field(max_length=80)]] = Field(min_length=1, max_length=60, description="one turn's moves, all or none")
    at: int = Field(ge=0, le=1_000_000, strict=True, description="the version the moves were chosen at")
    id: str = Field(min_length=1, max_length=64, description="made by the client; the turn counts once however often it is sent")


def _move_or_turn(body: Any) -> str:
    return "several" if isinstance(body, dict) and "moves" in body else "one"


MoveOrTurn = Annotated[Annotated[NewMove, Tag("one")] | Annotated[NewTurn, Tag("several")], Discriminator(_move_or_turn)]


class Undo(StrictModel):
    id: str = Field(min_length=1, max_length=64, description="made by the client; a move is taken back once however often this is sent")
    keys: Keys = ""


class ChatMessageResponse(BaseModel):
    number: int = Field(description="counts the lines of this table's chat")
    seat: int = Field(description="who said it")
    name: str = Field(description="the name of that seat when it was said")
    text: str = Field(description="one line")


class TableSeen(BaseModel):
    table: str = Field(description="the table's id")
    game: str = Field(description="the game's key: `view` is of this game")
    version: int = Field(description="the number of lines of the log; a move is sent with it as `at`")
    status: Literal["playing", "over"] = Field(description="`over` when nobody will move any more")
    to_act: list[int] = Field(
        description="the seats that may move now, several where they move at the same time; -1 is nature; empty at the end"
    )
    seat: int | None = Field(description="the seat whose token was sent; null for a spectator")
    view: dict[str, Any] = Field(description="all that this reader may know of the game; each game has its own, named after it")
    legal: list[str] = Field(description="the moves that this seat may make now; empty for a spectator, and when it is not awaited")
    scores: list[int] = Field(description="the points so far, seat by seat")
    log: list[str] = Field(description="all moves so far as `SEAT MOVE`, `-` for nature's; what this reader may not know is masked")
    names: list[str] = Field(description="who sits there, seat by seat")
    commitment: str = Field(
        description="the SHA-256 of the secret seed of all draws, shown before the first of them; empty where there is none"
    )
    clocks: list[int | None] | None = Field(None, description="milliseconds that each person has left, where there are clocks")
    said: list[ChatMessageResponse] | None = Field(
        None, description="what people said to each other, the oldest first, where there is a chat"
    )


class Moved(BaseModel):
    version: int = Field(description="the version of the table now: the number of lines of its log")


class TakenBack(Moved):
    asked: list[int] | None = Field(None, description="who has to agree first; if it is not there, the move is taken back")


class Hint(BaseModel):
    move: str = Field(description="the coach's next move, as in `legal`")
    moves: list[str] = Field(description="the whole turn that it begins, as far as neither others nor nature come in between")
    sentence: str = Field(description="the turn in words, in the reader's language")
    why: str = Field(description="why the coach would play it, in the reader's language")


class ErrorResponse(BaseModel):
    error: str = Field(description="one sentence for a person, in the language of `Accept-Language`")
    rule: str | None = Field(None, description="the number of the rule that forbids a move, as in the rules")
    sentence: str | None = Field(None, description="the rule that forbids a move, in its own words")
    link: str | None = Field(None, description="where it stands in the rules")


class OptionSeen(BaseModel):
    key: str = Field(description="as in `options` of a new table")
    label: str = Field(description="what is chosen, in the reader's language")
    values: list[Scalar] = Field(description="what it may be at a full table; a seat's number must be one of the table's")
    default: Scalar = Field(description="what it is if nothing is said")


class GameSeen(BaseModel):
    game: str = Field(description="the game's key, as in `POST /api/tables`")
    title: str = Field(description="the game's name, in the reader's language")
    author: str = Field(description="who invented it")
    seats: list[int] = Field(description="how many may play")
    options: list[OptionSeen] = Field(description="what a table chooses before it begins")
    bots: list[str] = Field(description="the levels of bots that sit down at it")


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    said = {
        400: "not JSON",
        403: "not your seat",
        404: "no such table",
        410: "played by older rules; its record can be read",
        409: "not your turn, or the table moved on, or still gathers",
        413: "too large",
        415: "not sent as application/json",
        422: "not allowed, with why and which rule",
        429: "too many, or too soon; for new tables Retry-After says when",
        503: "could not be saved; send it again",
    }
    wanted = {*statuses, *([415] if 400 in statuses else [])}  # what can be no JSON can be sent as none
    return {status: {"model": ErrorResponse, "description": said[status]} for status in sorted(wanted)}


TOKEN_OPTIONAL: dict[str, Any] = {"security": [{}]}  # spectators may ask too: OpenAPI's way to say that a token is optional


router = APIRouter(prefix="/api")


def registry_of(request: Request) -> TableRegistry:
    house: TableRegistry = request.app.state.registry
    return house


async def open_table(request: Request, table: TableId) -> Table:
    return await registry_of(request).table(table)


# What takes no time is asked for in place: whatever is no coroutine FastAPI sends to a thread and back.


bearer = HTTPBearer(
    auto_error=False,
    scheme_name="seat",
    description="the token of a seat, as `POST /api/tables` gave it; without one the request is a spectator's",
)


async def bearer_token(request: Request, described: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    """Return the bearer token, None for a spectator; a header that is none is refused, where FastAPI would take it for no header."""
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


@router.get("/games", summary="The games, their seats and options")
def list_games(request: Request, words: TranslatorDep) -> list[GameSeen]:
    return [game_response(game, words) for game in registry_of(request).games()]


def game_response(game: Game, words: Translator) -> GameSeen:
    options = [
        OptionSeen(key=each.key, label=words(each.label), values=list(allowed(each, game.seats[-1])), default=each.default)
        for each in game.options
    ]
    return GameSeen(
        game=game.key, title=words(game.title), author=game.author, seats=list(game.seats), options=options, bots=list(bots.TABLE_BOTS)
    )


@router.post("/tables", status_code=201, summary="A new table", responses=error_responses(400, 413, 422, 429, 503))
async def create_table(request: Request, new: NewTable) -> TableMade:
    wanted = [SeatSpec(seat.kind, seat.name, getattr(seat, "level", "")) for seat in new.seats]
    return table_created(
        request,
        *await registry_of(request).create(new.game, dict(new.options), wanted, new.hints, TableSettings(clock=new.clock, chat=new.chat)),
    )


def table_created(request: Request, table: Table, tokens: Sequence[str | None]) -> TableMade:
    """What whoever made a table is told: the links for those who come."""
    base = str(request.base_url).rstrip("/")
    seats = [SeatMade(seat=seat, token=token, link=token and seat_url(base, table.id, token)) for seat, token in enumerate(tokens)]
    return TableMade(table=table.id, seats=seats, watch=f"{base}/t/{table.id}")


@router.get(
    "/tables/{table}",
    summary="The table as this seat, or a spectator, may see it",
    responses=error_responses(403, 404, 409, 410, 422, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def see_table(request: Request, table: TableDep, token: TokenDep, at: PastVersion = None, at_least: MinVersion = 0) -> TableSeen:
    await table.catch_up_to(max(at or 0, at_least))
    seat = table.seating.seat_of_token(token)
    mark_present(table, seat)
    if at is None or at == table.version:
        return table_response(table, seat, at)
    async with registry_of(request).render_queue.slot(urgent=False):  # as much work as drawing a page
        return table_response(table, seat, at)


def table_response(table: Table, seat: Seat | None, at: int | None = None) -> TableSeen:
    """Now, or after so many lines: then nobody has a move to make any more."""
    past = at is not None and at != table.version
    match = table.match_at(at) if past and at is not None else table.match
    awaited = () if table.is_imported else match.to_act
    return TableSeen(
        table=table.id,
        game=match.game.key,
        version=table.version if at is None else at,
        status="playing" if awaited else "over",
        to_act=list(awaited),
        seat=seat,
        view=table.views.get(match.state, seat, not past).view,
        legal=[match.game.show(move) for move in match.legal(seat)] if seat is not None and not past else [],
        scores=list(match.game.scores(match.state)),
        log=table.log.redacted_lines(table.match, seat)[:at],
        names=[table.name_of(each) for each in range(match.seats)],
        commitment=commitment(match.seed) if match.seed and not table.settings.lesson else "",
        clocks=_clocks(table) if table.settings.clock else None,
        said=[ChatMessageResponse(number=each.number, seat=each.seat, name=each.name, text=each.text) for each in table.chat.messages]
        if table.chat.open
        else None,
    )


def _clocks(table: Table) -> list[int | None]:
    chairs = enumerate(table.seating.seats)
    return [round(1000 * table.clock.seconds_left(Seat(seat))) if chair.kind == "human" else None for seat, chair in chairs]


@router.post(
    "/tables/{table}/moves",
    summary="One move, or the moves of one turn, all or none",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 503),
)
async def play_move(table: TableDep, token: TokenDep, new: MoveOrTurn) -> Moved:
    moves, seat = new.moves if isinstance(new, NewTurn) else [new.move], require_playing_seat(table, token)
    mark_present(table, seat)
    return Moved(version=await table.play_turn(seat, moves, new.at, new.id))


@router.post(
    "/tables/{table}/undo",
    summary="Take back your last move, while nothing was revealed since; other people who are here are asked first",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 503),
    response_model_exclude_none=True,
)
async def undo_move(table: TableDep, token: TokenDep, undo: Undo | None = None) -> TakenBack:
    seat, own = require_playing_seat(table, token), table.seating.known_seats(undo.keys) if undo else ()
    version = await table.undo(seat, undo.id if undo else None, own)
    waiting = table.undo_requests.pending
    return TakenBack(version=version, asked=list(waiting[1]) if waiting and waiting[0] == seat else None)


@router.post(
    "/tables/{table}/hint",
    summary="What the coach would play, if the host allows it",
    responses=error_responses(403, 404, 409, 410, 422, 503),
)
async def ask_for_a_hint(table: TableDep, token: TokenDep, words: TranslatorDep) -> Hint:
    seat = require_seat(table, token)
    advice = await table.coach.hint(seat)
    narrator, before = Narrator(words, table.seating), table.match.at(advice.position)
    turn, best_now = (narrator.infinitive(before.branch(), seat, moves, seat) for moves in (advice.better, advice.played))
    moves = [table.game.show(move) for move in advice.better]
    sentence, why = narrator.render(msg("The coach would {deeds}.", deeds=turn)), narrator.render(hint_reason(advice, best_now))
    return Hint(move=moves[0], moves=moves, sentence=sentence, why=why)


@router.post(
    "/tables/{table}/rematch",
    status_code=201,
    summary="The same people play again; asked for twice, it is the same table. Every seat keeps its token",
    responses=error_responses(403, 404, 409, 410, 422, 429, 503),
)
async def play_again(request: Request, table: TableDep, token: TokenDep) -> TableMade:
    mine = require_seat(table, token)
    again = await registry_of(request).rematch(table, mine)
    return table_created(request, again, [token if seat == mine else None for seat in range(len(again.seating))])


def mark_present(table: Table, seat: Seat | None) -> None:
    """Counts somebody who plays without a page, by these requests alone, as present."""
    if seat is not None and not table.presence.has_screen(seat):
        table.polling.poll([seat])


def require_seat(table: Table, token: str | None) -> Seat:
    seat = table.seating.seat_of_token(token)
    if seat is None:
        raise NotYourSeat(msg("only a player may move: this request carries no seat's token"))
    return seat


def require_playing_seat(table: Table, token: str | None) -> Seat:
    """Somebody for whom a bot plays takes the seat back first."""
    seat = require_seat(table, token)
    if table.seating.has_stand_in(seat):
        raise NotNow(msg("a bot plays for you: take your seat back first"))
    if table.seating.given_away(token or ""):
        raise NotNow(msg("your seat was given away while you were away: take it back first"))
    return seat


@router.get(
    "/tables/{table}/record",
    summary="The record; without secrets until the game is over",
    responses=error_responses(403, 404, 409, 422, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def get_record(request: Request, table: TableId, token: TokenDep, at_least: MinVersion = 0) -> dict[str, Any]:
    try:
        found = await registry_of(request).table(table)
        await found.catch_up_to(at_least)
        return readable_record(found, token)
    except OlderRules as older:
        return older.record(token)


def readable_record(table: Table, token: str | None) -> dict[str, Any]:
    seat, written = table.seating.seat_of_token(token), record.write(table.match)
    if not table.done:
        written["log"] = table.match.lines_for(seat)
    if table.settings.lesson:
        written["fairness"] = None
    return written
