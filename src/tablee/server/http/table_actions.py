"""What people at a table settle among themselves: a take-back, the seat of somebody who is away, a pause, a quick sign, a line to
the others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field, StrictBool

from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.http.api import Keys, Moved, StrictModel, TableDep, TokenDep, error_responses, require_seat
from tablee.server.http.urls import public_base_url, seat_url
from tablee.server.storage.models import hash_token
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.table.seats import NotYourSeat, normalize_name

router = APIRouter(prefix="/api")

SeatNumber = Annotated[int, Path(ge=0, le=99, description="the seat that this is about; seats count from 0")]


class UndoAnswer(StrictModel):
    agree: StrictBool = Field(description="whether the move may be taken back")
    id: str = Field(min_length=1, max_length=64, description="made by the client; an answer counts once however often it is sent")
    keys: Keys = ""


class SeatAction(StrictModel):
    do: Literal["stand-in", "hand-over", "take-back", "let-in", "turn-away"] = Field(
        description="let a bot sit in; give the seat to somebody by link; with the seat's own token: play again where a bot sat in, or "
        "where the seat was given away and the newcomer has not moved; whether somebody who claims the seat may have it"
    )
    name: str = Field("", max_length=40, description="who the seat is given to")
    claim: int | None = Field(
        None, ge=0, description="which claim is let in or turned away: the version that it led to, as its notice on the page says"
    )
    keys: Keys = ""


class SeatChanged(BaseModel):
    version: int = Field(description="the version of the table now")
    seat: int = Field(description="the seat that this was about")
    token: Annotated[str | None, Field(description="the seat's new token, where it was given away")] = None
    link: Annotated[str | None, Field(description="the page of the seat, for whoever gets it")] = None
    asked: Annotated[list[int] | None, Field(description="who has to want it too before the seat is given away")] = None


class SeatClaim(StrictModel):
    token: str = Field(min_length=20, max_length=80, pattern=r"^[\w-]+$", description="made by the client: it opens the seat once granted")


class Pause(StrictModel):
    paused: StrictBool = Field(description="true to pause, false to go on")


class Reaction(StrictModel):
    sign: Literal["well-played", "laugh", "wow", "thanks", "hurry"] = Field(description="which")


class NewChatMessage(StrictModel):
    text: str = Field(min_length=1, max_length=MAX_LENGTH, description="one line, without control characters")
    id: str = Field(min_length=1, max_length=64, description="made by the client; a line counts once however often it is sent")


class ChatMessageAccepted(BaseModel):
    number: int = Field(description="the line's number in the chat")


@router.post(
    "/tables/{table}/undo/answer",
    summary="Whether somebody may take back a move",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 503),
)
async def answer_take_back(table: TableDep, token: TokenDep, answer: UndoAnswer) -> Moved:
    seat, own = require_seat(table, token), table.seating.known_seats(answer.keys)
    return Moved(version=await table.undo_requests.answer(seat, answer.agree, own, answer.id))


@router.post(
    "/tables/{table}/seats/{seat}",
    summary="The seat of somebody who is awaited and has been away for a while",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 503),
)
async def change_seat(request: Request, table: TableDep, token: TokenDep, seat: SeatNumber, wanted: SeatAction) -> SeatChanged:
    by, about = require_seat(table, token), Seat(seat)
    if (by == about) != (wanted.do == "take-back"):
        raise NotYourSeat(msg("you take back your own seat; only the others can give it away"))
    absence, own = table.absent_players, (by, *table.seating.known_seats(wanted.keys))
    if wanted.do == "hand-over":
        given = await absence.hand_over(about, by, normalize_name(wanted.name), own)
        if given is None:
            return SeatChanged(version=table.version, seat=seat, asked=list(absence.players_to_ask(about, own)))
        link = seat_url(public_base_url(request), table.id, given)
        return SeatChanged(version=table.version, seat=seat, token=given, link=link)
    deeds: dict[str, Callable[[], Awaitable[int]]] = {
        "stand-in": lambda: absence.stand_in(about, by),
        "take-back": lambda: absence.return_to_seat(about, token or ""),
        "let-in": lambda: absence.answer_claim(about, wanted.claim, True, by, own),
        "turn-away": lambda: absence.answer_claim(about, wanted.claim, False, by, own),
    }
    return SeatChanged(version=await deeds[wanted.do](), seat=seat)


@router.post(
    "/tables/{table}/seats/{seat}/claim",
    summary="Somebody at a new device says that a seat is theirs; the others are asked",
    responses=error_responses(400, 404, 409, 410, 413, 422, 503),
)
async def claim_seat(table: TableDep, seat: SeatNumber, wanted: SeatClaim) -> SeatChanged:
    """Whoever is asked is listed; if nobody is, the seat is granted."""
    version = await table.absent_players.claim(Seat(seat), wanted.token)
    granted = table.seating.seat_of_hash(hash_token(wanted.token)) == seat
    return SeatChanged(version=version, seat=seat, asked=None if granted else list(table.absent_players.players_to_answer(Seat(seat))))


@router.post(
    "/tables/{table}/pause",
    summary="Anybody who plays may pause the table, and go on with it",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 503),
)
async def pause(table: TableDep, token: TokenDep, wanted: Pause) -> Moved:
    return Moved(version=await table.pause(require_seat(table, token), wanted.paused))


@router.post(
    "/tables/{table}/reactions",
    summary="A quick sign to the others, shown for a few seconds and kept nowhere",
    responses=error_responses(400, 403, 404, 410, 413, 422, 429),
)
async def react(table: TableDep, token: TokenDep, given: Reaction) -> Moved:
    table.reactions.give(require_seat(table, token), given.sign)
    return Moved(version=table.version)


@router.post(
    "/tables/{table}/chat",
    summary="A line to everybody at the table, where its host allows it; never at the table of a class",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def chat(table: TableDep, token: TokenDep, line: NewChatMessage) -> ChatMessageAccepted:
    return ChatMessageAccepted(number=await table.chat.send(require_seat(table, token), line.text, line.id))
