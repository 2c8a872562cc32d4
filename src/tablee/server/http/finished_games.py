"""API of finished games: check their draws, play on from any position, and import records from elsewhere."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from tablee.server.http.api import TOKEN_OPTIONAL, table_created
from tablee.server.http.requests import TableDep, TokenDep, TranslatorDep, registry_of
from tablee.server.http.schemas import Keys, StrictModel, TableMade, error_schemas
from tablee.server.table.continuation import record_to_continue
from tablee.server.table.new_tables import seats_to_play_on
from tablee.server.table.seats import DEFAULT_BOT_LEVEL
from tablee.server.view.draws_view import draws_view

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
    return DrawsSeen.model_validate(await asyncio.to_thread(draws_view, table, translator))


@router.post(
    "/tables/{table}/play-on",
    status_code=201,
    summary="Create a table that begins at a position of a finished game; later draws come from a new seed",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 422, 429, 503),
    openapi_extra=TOKEN_OPTIONAL,
)
async def play_on(request: Request, table: TableDep, token: TokenDep, new: PlayOnRequest) -> TableMade:
    seat_specs = seats_to_play_on(table, new.at, table.seating.seat_of_token(token), new.people or (), new.level)
    return table_created(request, *await registry_of(request).create_from_position(table, new.at, seat_specs))


@router.post(
    "/records",
    status_code=201,
    summary="Create a table from a record (format tablee/1), to replay and to play on from; or to go on with, if it names its players",
    responses=error_schemas(413, 422, 429, 503),
    openapi_extra=RECORD_BODY,
)
async def bring_record(request: Request) -> TableMade:
    text = (await request.body()).decode(errors="replace")
    return table_created(request, *await registry_of(request).import_record(text))


class ContinueRequest(StrictModel):
    keys: Keys = ""


@router.post(
    "/tables/{table}/continue",
    summary="Get the record of an unfinished game with its players, to go on with it elsewhere: `POST /api/records` there",
    responses=error_schemas(400, 403, 404, 409, 410, 413, 415, 422, 503),
    response_model=dict[str, Any],
)
async def take_along(table: TableDep, asked: ContinueRequest) -> dict[str, Any]:
    """Return the record; `keys` are the tokens of all seats in which people sit, joined by dots."""
    return record_to_continue(table, asked.keys)
