"""Models of the JSON API, with what each field means."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag

from tablee import bots, games

Keys = Annotated[str, Field(max_length=1200, description="the tokens of all seats on the same screen, joined by dots")]
ClientId = Annotated[
    str,
    Field(min_length=1, max_length=64, description="idempotency key made by the client: what is sent again with the same id counts once"),
]
ChosenAt = Annotated[int, Field(ge=0, le=1_000_000, strict=True, description="the `version` at which the client chose what to play")]
DisplayName = Annotated[str, Field(max_length=40, description="display name; empty: a default name")]
Scalar = str | int | bool


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HumanSeat(StrictModel):
    kind: Literal["human"] = Field(description="a person: the response holds a token and a link for the seat")
    name: DisplayName = ""


class ProgramSeat(StrictModel):
    kind: Literal["program"] = Field(
        description="your own bot, which everybody sees to be one: the response holds a token. If it hangs, it counts as an absent player"
    )
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
    seats: list[Annotated[HumanSeat | ProgramSeat | BotSeat, Field(discriminator="kind")]] = Field(
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


class PageModel(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class PlayerSeen(PageModel):
    seat: int = Field(description="the player's seat")
    name: str = Field(description="the display name, in the reader's language where the player gave none")
    bot: bool = Field(description="whether a bot sits here")
    has_stand_in: bool = Field(description="whether a bot plays for the player, who is away")
    here: bool = Field(description="whether the player is present")
    awaited: bool = Field(description="whether the player is to act")
    won: bool = Field(description="whether the player has won")


class EntrySeen(PageModel):
    position: int = Field(description="the index of the line of the game; of an aside, that of the next line")
    aside: bool = Field(description="whether it is no line of the game, such as a pause")
    kind: str = Field(description="the kind of event, in the game's own words")
    seat: int | None = Field(description="the seat that it is about; null for nobody's, such as a draw")
    name: str = Field(description="the name of that player; empty for nobody's")
    sentence: str = Field(description="what happened, in the reader's language; the name comes before it")
    points: int = Field(description="the points that it brought")
    parts: list[tuple[str, int]] = Field(description="what the points are for")
    place: str = Field(description="where on the board, in the game's own words; empty without a place")


class SummarySeen(PageModel):
    seat: int = Field(description="the seat that acted")
    name: str = Field(description="the player's name")
    position: int = Field(description="the index of the last line of the game that it sums up")
    words: str = Field(description="what the seat did in its turn, in the reader's language")
    points: int = Field(description="the points that this brought")


class SeatNoticeSeen(PageModel):
    seat: int = Field(description="the seat")
    name: str = Field(description="the name of the player")
    late: bool = Field(description="whether the clock of the seat has run out")
    wanted: list[str] = Field(description="the names of those who want to give the seat to somebody else")


class UndoNoticeSeen(PageModel):
    name: str = Field(description="the name of the player who asks")
    what: str = Field(description="the turn to be undone, as far as the reader may know it")
    answers: int | None = Field(description="the reader's seat that is asked, null if none is")
    waiting: list[str] = Field(description="the names of those who have not answered")


class NoticesSeen(PageModel):
    request: UndoNoticeSeen | None = Field(description="a request to undo a turn, told to players")
    absent: list[SeatNoticeSeen] = Field(description="the players who keep the others waiting, told to players")
    paused: bool = Field(description="whether a player has paused the game")
    club_paused: bool = Field(description="whether the organiser of the class has paused all tables")


class RuleSeen(PageModel):
    rule: str = Field(description="the number of the rule")
    sentence: str = Field(description="the text of the rule")
    link: str = Field(description="the path of the rule in the rule book's page")


class DraftSeen(PageModel):
    draft: list[str] = Field(description="the moves of the draft that are legal one after the other")
    ready: bool = Field(description="whether these moves make a complete turn")
    preview: list[EntrySeen] = Field(description="what the draft would add to the log; draws of nature are not foreseen")
    refused: str = Field(description="why the next move of the draft is refused; empty if none is")
    why: RuleSeen | None = Field(description="the rule that forbids it, null for another reason")


class PageSeen(PageModel):
    """Fields that a past version does not have: they are null there."""

    players: list[PlayerSeen] | None = Field(None, description="the players, in seat order")
    told: list[EntrySeen] | None = Field(
        None,
        description="the log in words: what happened after this seat's last move, for a spectator in the last turn; with `since` from that "
        "line on. In simultaneous turns the moves of the others are told after this seat's own",
    )
    news: list[SummarySeen] | None = Field(None, description="the same in short: what the others did, one line for each turn and seat")
    notices: NoticesSeen | None = Field(None, description="what the people at the table ask or wait for")
    tried: DraftSeen | None = Field(None, description="the draft that was sent along, tried out; null without one")


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


ACTION_ERRORS = error_schemas(400, 403, 404, 409, 410, 413, 422, 503)  # of what a seat does
