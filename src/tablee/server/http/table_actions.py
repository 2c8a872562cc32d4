"""What people at a table settle among themselves: a take-back, the seat of somebody who is away, a pause, a quick sign, a line to
the others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field, StrictBool

from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.server.http.api import AtTable, Keys, Moved, Strict, Token, faults, must_sit
from tablee.server.http.urls import address_for_friends, seat_link
from tablee.server.storage.models import hash_token
from tablee.server.table.chat import LONGEST
from tablee.server.table.seats import NotYourSeat, tidy_name

router = APIRouter(prefix="/api")

SeatNumber = Annotated[int, Path(ge=0, le=99, description="the seat that this is about; seats count from 0")]


class Answer(Strict):
    agree: StrictBool = Field(description="whether the move may be taken back")
    id: str = Field(min_length=1, max_length=64, description="made by the client; an answer counts once however often it is sent")
    keys: Keys = ""


class AboutSeat(Strict):
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


class SeatClaim(Strict):
    token: str = Field(min_length=20, max_length=80, pattern=r"^[\w-]+$", description="made by the client: it opens the seat once granted")


class Pause(Strict):
    paused: StrictBool = Field(description="true to pause, false to go on")


class Reaction(Strict):
    sign: Literal["well-played", "laugh", "wow", "thanks", "hurry"] = Field(description="which")


class Line(Strict):
    text: str = Field(min_length=1, max_length=LONGEST, description="one line, without control characters")
    id: str = Field(min_length=1, max_length=64, description="made by the client; a line counts once however often it is sent")


class Heard(BaseModel):
    number: int = Field(description="the line's number in the chat")


@router.post(
    "/tables/{table}/undo/answer",
    summary="Whether somebody may take back a move",
    responses=faults(400, 403, 404, 409, 410, 413, 422, 503),
)
async def answer_take_back(table: AtTable, token: Token, answer: Answer) -> Moved:
    seat, own = must_sit(table, token), table.seating.known(answer.keys)
    return Moved(version=await table.taking_back.answer(seat, answer.agree, own, answer.id))


@router.post(
    "/tables/{table}/seats/{seat}",
    summary="The seat of somebody who is awaited and has been away for a while",
    responses=faults(400, 403, 404, 409, 410, 413, 422, 503),
)
async def change_seat(request: Request, table: AtTable, token: Token, seat: SeatNumber, wanted: AboutSeat) -> SeatChanged:
    by, about = must_sit(table, token), Seat(seat)
    if (by == about) != (wanted.do == "take-back"):
        raise NotYourSeat(say("you take back your own seat; only the others can give it away"))
    absence, own = table.absence, (by, *table.seating.known(wanted.keys))
    if wanted.do == "hand-over":
        given = await absence.hand_over(about, by, tidy_name(wanted.name), own)
        if given is None:
            return SeatChanged(version=table.version, seat=seat, asked=list(absence.to_ask(about, own)))
        link = seat_link(address_for_friends(request), table.id, given)
        return SeatChanged(version=table.version, seat=seat, token=given, link=link)
    deeds: dict[str, Callable[[], Awaitable[int]]] = {
        "stand-in": lambda: absence.stand_in(about, by),
        "take-back": lambda: absence.come_back(about, token or ""),
        "let-in": lambda: absence.answer_claim(about, wanted.claim, True, by, own),
        "turn-away": lambda: absence.answer_claim(about, wanted.claim, False, by, own),
    }
    return SeatChanged(version=await deeds[wanted.do](), seat=seat)


@router.post(
    "/tables/{table}/seats/{seat}/claim",
    summary="Somebody at a new device says that a seat is theirs; the others are asked",
    responses=faults(400, 404, 409, 410, 413, 422, 503),
)
async def claim_seat(table: AtTable, seat: SeatNumber, wanted: SeatClaim) -> SeatChanged:
    """Whoever is asked is listed; if nobody is, the seat is granted."""
    version = await table.absence.claim(Seat(seat), wanted.token)
    granted = table.seating.of_hash(hash_token(wanted.token)) == seat
    return SeatChanged(version=version, seat=seat, asked=None if granted else list(table.absence.to_vouch(Seat(seat))))


@router.post(
    "/tables/{table}/pause",
    summary="Anybody who plays may pause the table, and go on with it",
    responses=faults(400, 403, 404, 409, 410, 413, 422, 503),
)
async def pause(table: AtTable, token: Token, wanted: Pause) -> Moved:
    return Moved(version=await table.pause(must_sit(table, token), wanted.paused))


@router.post(
    "/tables/{table}/reactions",
    summary="A quick sign to the others, shown for a few seconds and kept nowhere",
    responses=faults(400, 403, 404, 410, 413, 422, 429),
)
async def react(table: AtTable, token: Token, given: Reaction) -> Moved:
    table.reactions.give(must_sit(table, token), given.sign)
    return Moved(version=table.version)


@router.post(
    "/tables/{table}/chat",
    summary="A line to everybody at the table, where its host allows it; never at the table of a class",
    responses=faults(400, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def chat(table: AtTable, token: Token, line: Line) -> Heard:
    return Heard(number=await table.chat.say(must_sit(table, token), line.text, line.id))
