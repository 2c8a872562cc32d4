"""Pages for authors, only with `tablee serve --develop`: the state of a table, hidden information included, and random moves."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.game import Observation
from tablee.core.room import view_fields
from tablee.server.http.pages import page
from tablee.server.http.requests import TableDep, TranslatorDep
from tablee.server.table import decisions
from tablee.server.table.models import ConflictError
from tablee.server.table.table import Table

MOST_MOVES = 10_000

router = APIRouter(include_in_schema=False)


@router.get("/develop/{table}")
async def state_page(request: Request, translator: TranslatorDep, table: TableDep) -> HTMLResponse:
    """Show the state of a table, and what each seat may do."""
    match, game = table.match, table.game
    legal = {seat: [game.show(move) for move in match.legal(seat)] for seat in match.to_act}
    return page(
        request,
        translator,
        "platform/develop.html",
        game=game,
        table=table.id,
        fields=view_fields(Observation(None, match.state)),
        text_board=game.text_board(match.state),
        legal=legal,
        lines=match.lines()[-30:],
    )


@router.post("/develop/{table}")
async def play_random_moves(table: TableDep, moves: Annotated[int, Query(ge=1, le=MOST_MOVES)] = 1) -> Response:
    """Play random moves, whosever turn it is."""
    for _ in range(moves):
        if not await _play_one(table):
            break
    return RedirectResponse(f"/develop/{table.id}", 303)


async def _play_one(table: Table) -> bool:
    """Play one random move; return whether there was one."""
    match: Any = table.match
    if not match.to_act:
        return False
    seat = random.choice(match.to_act)
    text = table.game.show(random.choice(match.legal(seat)))
    with suppress(ConflictError):  # a bot was quicker
        await table.change(decisions.play_turn(table, seat, [text], table.version, uuid4().hex))
    return True
