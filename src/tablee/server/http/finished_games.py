"""API of finished games: check their draws, play on from any position, and import records from elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.fairness import commitment
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import Translator, msg
from tablee.core.match import Match
from tablee.server.http.api import (
    TOKEN_OPTIONAL,
    StrictModel,
    TableDep,
    TableMade,
    TokenDep,
    TranslatorDep,
    error_schemas,
    registry_of,
    table_created,
)
from tablee.server.table.models import BOT, HUMAN
from tablee.server.table.new_tables import NotOver
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, SeatSpec
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator

RECORD_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}

router = APIRouter(prefix="/api")


class DrawSeen(BaseModel):
    line: int = Field(description="the draw's line in the record's log, counted from 1")
    before: int = Field(description="the number of earlier draws in this game, including those taken over from another game")
    outcomes: list[tuple[str, int]] = Field(
        description="the possible outcomes with integer weights, in the order in which the derivation counts them"
    )
    drawn: str = Field(description="the outcome that was drawn")
    words: str = Field(description="the draw as a sentence, in the reader's language")


class DrawsSeen(BaseModel):
    commitment: str = Field(description="the SHA-256 hash of the seed, as shown from the start of the game")
    seed: str = Field(description="the secret seed, in hexadecimal")
    version: int = Field(description="the version of the derivation of draws from the seed: see docs/fairness.md")
    taken_over: int = Field(description="the number of lines taken over from another game; their draws derive from another seed")
    draws: list[DrawSeen] = Field(description="all draws, in order")


class PlayOnRequest(StrictModel):
    at: int = Field(ge=0, le=1_000_000, strict=True, description="the position, as a number of lines of the record's log")
    people: list[Annotated[int, Field(ge=0, le=11, strict=True)]] | None = Field(
        None,
        min_length=1,
        max_length=12,
        description="the seats of people; bots take the others. null: the caller's own seat, or for a spectator a seat that is to act",
    )
    level: str = Field(DEFAULT_BOT_LEVEL, max_length=40, description="the level of these bots")


@router.get(
    "/tables/{table}/draws",
    summary="List every draw of a finished game with its possible outcomes",
    responses=error_schemas(404, 409, 410, 422, 503),
)
async def see_draws(table: TableDep, translator: TranslatorDep) -> DrawsSeen:
    match = table.match
    if not table.done:
        raise NotOver(msg("the draws can be checked when the game is over"))
    if not match.seed:
        raise NotOver(msg("the record does not hold its secret number, so its draws cannot be checked"))
    return DrawsSeen(
        commitment=commitment(match.seed),
        seed=match.seed.hex(),
        version=match.derivation,
        taken_over=match.origin.lines if match.origin else 0,
        draws=await asyncio.to_thread(_draws, table, translator),
    )


def _draws(table: Table, translator: Translator) -> list[DrawSeen]:
    match, narrator = table.match, Narrator(translator, table.seating)
    return [_draw(match, narrator, each) for each in record.draws(match)]


def _draw(match: Match, narrator: Narrator, draw: record.Draw) -> DrawSeen:
    """Return one draw with the sentence that its owner read: a finished game has no secrets."""
    show = match.game.show
    sentences = [narrator.render(event.sentence) for event in match.events[draw.position]]
    outcomes = [(show(move), weight) for move, weight in draw.odds]
    return DrawSeen(line=draw.position + 1, before=draw.before, outcomes=outcomes, drawn=show(draw.move), words=". ".join(sentences[:1]))


@router.post(
    "/tables/{table}/play-on",
    status_code=201,
    summary="Create a table that begins at a position of a finished game; later draws come from a new seed",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 422, 429, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def play_on(request: Request, table: TableDep, token: TokenDep, new: PlayOnRequest) -> TableMade:
    mine = table.seating.seat_of_token(token)
    people = set(new.people or [_default_seat(table, new.at) if mine is None else mine])
    if max(people) >= len(table.seating):
        raise TableeError(msg("this game has {count} seat", "this game has {count} seats", count=len(table.seating)))
    return table_created(request, *await registry_of(request).create_from_position(table, new.at, _new_seats(table, people, new.level)))


def _default_seat(table: Table, at: int) -> Seat:
    to_act = table.match.at(min(at, len(table.match.log))).to_act
    return next((seat for seat in to_act if seat != NATURE), Seat(0))


def _new_seats(table: Table, people: Collection[int], level: str) -> list[SeatSpec]:
    """Return the seats of the new table: people keep their names, bots are new."""
    named = [(number, seat.name if seat.kind == HUMAN else "") for number, seat in enumerate(table.seating.seats)]
    return [SeatSpec(HUMAN, name) if number in people else SeatSpec(BOT, level=level) for number, name in named]


@router.post(
    "/records",
    status_code=201,
    summary="Create a table from a record (format tablee/1), to replay and to play on from; it has no players",
    responses=error_schemas(413, 422, 429, 503),
    openapi_extra=RECORD_BODY,
)
async def bring_record(request: Request) -> TableMade:
    text = (await request.body()).decode(errors="replace")
    return table_created(request, await registry_of(request).import_record(text), [])
