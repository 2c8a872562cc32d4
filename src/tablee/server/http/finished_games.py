"""What can be done with a game that is over: check its draws, play on from any position of it, and bring one that was played elsewhere."""

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
    error_responses,
    registry_of,
    table_created,
)
from tablee.server.registry import NotOver
from tablee.server.storage.schema import BOT, HUMAN
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, SeatSpec
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator

RECORD_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}

router = APIRouter(prefix="/api")


class DrawSeen(BaseModel):
    line: int = Field(description="which line of the record's log this is, counted from 1")
    before: int = Field(description="how many draws came before it in this game, those that were taken over included")
    outcomes: list[tuple[str, int]] = Field(
        description="what could be drawn, with whole-number weights, in the order in which they are counted off"
    )
    drawn: str = Field(description="which of them it was")
    words: str = Field(description="the same as the table was told it")


class DrawsSeen(BaseModel):
    commitment: str = Field(description="the SHA-256 of the seed, as it was shown before the first draw")
    seed: str = Field(description="the secret seed, in hexadecimal")
    version: int = Field(description="how draws follow from the seed: see docs/fairness.md")
    taken_over: int = Field(description="how many lines were taken over from another game; their draws follow from another seed")
    draws: list[DrawSeen] = Field(description="in the order in which they were made")


class PlayOnRequest(StrictModel):
    at: int = Field(ge=0, le=1_000_000, strict=True, description="after how many lines of the record's log")
    people: list[Annotated[int, Field(ge=0, le=11, strict=True)]] | None = Field(
        None,
        min_length=1,
        max_length=12,
        description="in which seats people sit; bots take the others. If not said, the caller where they sat, or where somebody is awaited",
    )
    level: str = Field(DEFAULT_BOT_LEVEL, max_length=40, description="who plays in the seats where nobody sits")


@router.get(
    "/tables/{table}/draws",
    summary="Every draw of a game that is over, with what could have been drawn",
    responses=error_responses(404, 409, 410, 422, 503),
)
async def see_draws(table: TableDep, words: TranslatorDep) -> DrawsSeen:
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
        draws=await asyncio.to_thread(_draws, table, words),
    )


def _draws(table: Table, words: Translator) -> list[DrawSeen]:
    match, narrator = table.match, Narrator(words, table.seating)
    return [_draw(match, narrator, each) for each in record.draws(match)]


def _draw(match: Match, narrator: Narrator, draw: record.Draw) -> DrawSeen:
    """Nothing is secret any more, so whoever asks hears what its owner heard."""
    show = match.game.show
    told = [narrator.render(event.sentence) for event in match.events[draw.position]]
    outcomes = [(show(move), weight) for move, weight in draw.odds]
    return DrawSeen(line=draw.position + 1, before=draw.before, outcomes=outcomes, drawn=show(draw.move), words=". ".join(told[:1]))


@router.post(
    "/tables/{table}/play-on",
    status_code=201,
    summary="A new table that begins at a position of a game that is over, with new luck for what comes",
    responses=error_responses(400, 403, 404, 409, 410, 413, 422, 429, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def play_on(request: Request, table: TableDep, token: TokenDep, new: PlayOnRequest) -> TableMade:
    mine = table.seating.seat_of_token(token)
    people = set(new.people or [_default_seat(table, new.at) if mine is None else mine])
    if max(people) >= len(table.seating):
        raise TableeError(msg("this game has {count} seat", "this game has {count} seats", count=len(table.seating)))
    return table_created(request, *await registry_of(request).create_from_position(table, new.at, _new_seats(table, people, new.level)))


def _default_seat(table: Table, at: int) -> Seat:
    awaited = table.match.at(min(at, len(table.match.log))).to_act
    return next((seat for seat in awaited if seat != NATURE), Seat(0))


def _new_seats(table: Table, people: Collection[int], level: str) -> list[SeatSpec]:
    """People keep their names; the bots are new."""
    named = [(seat, chair.name if chair.kind == HUMAN else "") for seat, chair in enumerate(table.seating.seats)]
    return [SeatSpec(HUMAN, name) if seat in people else SeatSpec(BOT, level=level) for seat, name in named]


@router.post(
    "/records",
    status_code=201,
    summary="A table that shows a record (format tablee/1), to look back and to play on from; nobody sits at it",
    responses=error_responses(413, 422, 429, 503),
    openapi_extra=RECORD_BODY,
)
async def bring_record(request: Request) -> TableMade:
    text = (await request.body()).decode(errors="replace")
    return table_created(request, await registry_of(request).import_record(text), [])
