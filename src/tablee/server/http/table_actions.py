"""API of what players settle among themselves: undo requests, seats of absent players, pauses, reactions and chat."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field, StrictBool

from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.http.requests import TableDep, TokenDep, public_base_url, seat_url
from tablee.server.http.schemas import ACTION_ERRORS, ClientId, Keys, Moved, StrictModel, error_schemas
from tablee.server.table import decisions
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.table.decisions import checked_again, guarded, require_seat
from tablee.server.table.log import Decision
from tablee.server.table.models import hash_token
from tablee.server.table.seats import NotYourSeat, normalize_name

router = APIRouter(prefix="/api")

SeatNumber = Annotated[int, Path(ge=0, le=99, description="the seat's number, from 0")]


class UndoAnswer(StrictModel):
    agree: StrictBool = Field(description="whether the move may be taken back")
    id: ClientId
    keys: Keys = ""


class SeatAction(StrictModel):
    do: Literal["stand-in", "hand-over", "take-back", "let-in", "turn-away"] = Field(
        description="`stand-in`: let a bot play; `hand-over`: give the seat to another person by link; `take-back`: with the seat's own "
        "token, replace the bot, or the new owner of the seat before their first move; `let-in` and `turn-away`: answer a claim"
    )
    name: str = Field("", max_length=40, description="the name of the person who gets the seat")
    claim: int | None = Field(
        None, ge=0, description="the claim that is answered: the version that it led to, as in its notice on the page"
    )
    keys: Keys = ""


class SeatChanged(BaseModel):
    version: int = Field(description="the table's new version")
    seat: int = Field(description="the seat's number")
    token: Annotated[str | None, Field(description="the seat's new token, if it was given away")] = None
    link: Annotated[str | None, Field(description="the URL of the seat's page, for its new owner")] = None
    asked: Annotated[list[int] | None, Field(description="the seats that must agree first")] = None


class SeatClaim(StrictModel):
    token: str = Field(
        min_length=20,
        max_length=80,
        pattern=r"^[\w-]+$",
        description="made by the client; it is the seat's token once the claim is granted",
    )


class Pause(StrictModel):
    paused: StrictBool = Field(description="true to pause, false to resume")


class Reaction(StrictModel):
    sign: Literal["well-played", "laugh", "wow", "thanks", "hurry"] = Field(description="the reaction")


class NewChatMessage(StrictModel):
    text: str = Field(min_length=1, max_length=MAX_LENGTH, description="one line without control characters")
    id: ClientId


class ChatMessageAccepted(BaseModel):
    number: int = Field(description="the message's number in the chat")


@router.post("/tables/{table}/undo/answer", summary="Answer another player's request to take back a move", responses=ACTION_ERRORS)
async def answer_take_back(table: TableDep, token: TokenDep, answer: UndoAnswer) -> Moved:
    (seat, own), check = checked_again(lambda: (require_seat(table, token), table.seating.known_seats(answer.keys)))
    return Moved(version=await table.change(guarded(check, table.undo_requests.answer(seat, answer.agree, own, answer.id))))


@router.post(
    "/tables/{table}/seats/{seat}",
    summary="Change the seat of a player who is to act and has been away for a while",
    responses=ACTION_ERRORS,
)
async def change_seat(request: Request, table: TableDep, token: TokenDep, seat: SeatNumber, action: SeatAction) -> SeatChanged:
    about, ((by, others), check) = Seat(seat), checked_again(lambda: (require_seat(table, token), table.seating.known_seats(action.keys)))
    if (by == about) != (action.do == "take-back"):
        raise NotYourSeat(msg("you take back your own seat; only the others can give it away"))
    absent_players, own = table.absent_players, (by, *others)
    if action.do == "hand-over":
        new_token = secrets.token_urlsafe(16)
        await table.change(guarded(check, absent_players.hand_over(about, new_token, by, normalize_name(action.name), own)))
        if table.seating.seat_of_hash(hash_token(new_token)) != seat:
            return SeatChanged(version=table.version, seat=seat, asked=list(absent_players.players_to_ask(about, own)))
        link = seat_url(public_base_url(request), table.id, new_token)
        return SeatChanged(version=table.version, seat=seat, token=new_token, link=link)
    actions: dict[str, Callable[[], Decision]] = {
        "stand-in": lambda: guarded(check, absent_players.stand_in(about, by)),
        "take-back": lambda: absent_players.return_to_seat(about, token or ""),
        "let-in": lambda: guarded(check, absent_players.answer_claim(about, action.claim, True, by, own)),
        "turn-away": lambda: guarded(check, absent_players.answer_claim(about, action.claim, False, by, own)),
    }
    return SeatChanged(version=await table.change(actions[action.do]()), seat=seat)


@router.post(
    "/tables/{table}/seats/{seat}/claim",
    summary="Claim a seat from a new device; the other players are asked",
    responses=error_schemas(400, 404, 409, 410, 413, 422, 503),
)
async def claim_seat(table: TableDep, seat: SeatNumber, claim: SeatClaim) -> SeatChanged:
    """Claim a seat; `asked` lists the seats that must agree, null if the claim is granted at once."""
    version = await table.change(table.absent_players.claim(Seat(seat), claim.token))
    granted = table.seating.seat_of_hash(hash_token(claim.token)) == seat
    return SeatChanged(version=version, seat=seat, asked=None if granted else list(table.absent_players.players_to_answer(Seat(seat))))


@router.post("/tables/{table}/pause", summary="Pause or resume the table, as any player", responses=ACTION_ERRORS)
async def pause(table: TableDep, token: TokenDep, wanted: Pause) -> Moved:
    seat, check = checked_again(lambda: require_seat(table, token))
    return Moved(version=await table.change(guarded(check, decisions.pause(table, seat, wanted.paused))))


@router.post(
    "/tables/{table}/reactions",
    summary="Send a reaction, shown for a few seconds and not stored",
    responses=error_schemas(400, 403, 404, 410, 413, 422, 429),
)
async def react(table: TableDep, token: TokenDep, reaction: Reaction) -> Moved:
    table.reactions.give(require_seat(table, token), reaction.sign)
    return Moved(version=table.version)


@router.post(
    "/tables/{table}/chat",
    summary="Send a chat message, if the host allows it; never at the table of a class",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def chat(table: TableDep, token: TokenDep, message: NewChatMessage) -> ChatMessageAccepted:
    return ChatMessageAccepted(number=await table.chat.send(require_seat(table, token), message.text, message.id))
