"""How people come to a table: the start page, one tap to a game against bots, a new table that gathers, a code that was read out, the
tables of this device, and a seat that goes on on another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.server.http.api import Keys, TableId, TranslatorDep, registry_of
from tablee.server.http.club_access import clubs_of
from tablee.server.http.my_tables import TableListing, table_listing
from tablee.server.http.pages import GameDep, cached_page, page, render_template
from tablee.server.http.urls import public_base_url, seat_url
from tablee.server.lobby.lobby import GameNotStarted
from tablee.server.registry import TableRegistry
from tablee.server.storage.clubs import NoSuchClub
from tablee.server.storage.codes import normalize_code
from tablee.server.storage.schema import BOT, HUMAN
from tablee.server.table.seats import NotYourSeat, SeatSpec
from tablee.server.view.client_view import BOT_NAMES
from tablee.server.view.lobby_view import qr_code
from tablee.server.view.seat_colours import COLOUR_NAMES

DEFAULT_OPPONENT = "greedy"  # who plays against somebody who wants to play now
MOST_LISTED = 60
MOST_OPENED = 12  # of them, to say whose turn it is

router = APIRouter(include_in_schema=False)


ClubId = Annotated[str, Field(max_length=16)]


class HeldTable(BaseModel):
    """A table that a device knows, and the tokens of the seats that it holds there."""

    model_config = ConfigDict(extra="forbid")
    table: str = Field(max_length=40)
    keys: Keys = ""


class MyTablesRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tables: list[HeldTable] = Field(max_length=MOST_LISTED)


@router.get("/")
async def start(request: Request, words: TranslatorDep) -> HTMLResponse:
    def render() -> str:
        return render_template(
            words, "platform/start.html", "/", games=registry_of(request).games(), levels=BOT_NAMES, usual=DEFAULT_OPPONENT
        )

    return cached_page(request, words, "/", render)


@router.post("/play/{key}")
async def play_now(request: Request, game: GameDep) -> Response:
    """One tap: me against a bot, as the game is played usually."""
    form, (name, colour) = await _form(request), await _name_and_colour(request)
    level = form["level"] if form.get("level") in BOT_NAMES else DEFAULT_OPPONENT
    wanted = [SeatSpec(HUMAN, name, colour=colour), *[SeatSpec(BOT, level=level)] * (_default_seat_count(game) - 1)]
    table, tokens = await registry_of(request).create(game.key, {}, wanted, hints=True)
    return _redirect_to_seat(table.id, str(tokens[0]))


@router.post("/new/{key}")
async def new_table(request: Request, game: GameDep) -> Response:
    """A table that gathers."""
    gathering, token = await registry_of(request).create_lobby(game.key, *await _name_and_colour(request))
    request.state.code = gathering.stored.code  # for the rate limit of wrong codes
    return _redirect_to_seat(gathering.id, token)


@router.get("/new/{key}")
async def redirect_to_game(game: GameDep) -> Response:
    """A link to a game leads to its box on the start page: a table is made by a tap, not by a link that a page elsewhere may follow."""
    return RedirectResponse(f"/#{game.key}", 303)


def _default_seat_count(game: Game) -> int:
    return min(max(game.seats[0], 2), game.seats[-1])


def _redirect_to_seat(table: str, key: str) -> Response:
    return RedirectResponse(seat_url("", table, key), 303)


async def _name_and_colour(request: Request) -> tuple[str, int]:
    """The name and the colour that the device prefers, as its form says them."""
    form = await _form(request)
    colour = form.get("colour", "")
    return form.get("name", ""), int(colour) if colour in map(str, range(len(COLOUR_NAMES))) else -1


async def _form(request: Request) -> Mapping[str, str]:
    return dict(parse_qsl((await request.body()).decode(errors="replace")))


async def resolve_code(request: Request, code: str) -> tuple[str, bool] | None:
    """Where a code that was read out leads, to a table or a class, and whether one can still join there."""
    if found := await registry_of(request).lobbies.find_by_code(code):
        return f"/t/{found[0]}", found[1]
    with suppress(NoSuchClub):
        return f"/class/{await clubs_of(request).find_by_code(code)}", True
    return None


@router.get("/join")
async def join(request: Request, words: TranslatorDep, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    return await join_with_code(request, words, code) if code else page(request, words, "platform/join.html", code="", error="")


@router.get("/join/{code}")
async def join_with_code(request: Request, words: TranslatorDep, code: str) -> Response:
    place, joins = await resolve_code(request, code) or ("", False)
    if place:
        request.state.code = normalize_code(code)
    if joins:
        return RedirectResponse(place, 303)
    if place:
        return page(request, words, "platform/join.html", code="", error="", watch=place)
    sentence = words(msg("no table has the code {code!r}; perhaps its game is over, or a letter is wrong", code=code[:12].upper()))
    answer = page(request, words, "platform/join.html", code=code[:12], error=sentence)
    answer.status_code = 404
    return answer


@router.post("/mine")
async def my_tables(request: Request, words: TranslatorDep, mine: MyTablesRequest) -> HTMLResponse:
    """The tables of a device in the order in which somebody looks for them: those where it is their turn first."""
    house = registry_of(request)
    found = await asyncio.to_thread(house.store.summaries, [held.table for held in mine.tables])
    briefs = {brief.id: brief for brief in found}
    shown, opened = list[TableListing](), 0
    for held in mine.tables:
        if brief := briefs.get(held.table):
            running = brief.outcome is None
            opened += running
            shown.append(await table_listing(house, words, brief, held.keys, running and opened <= MOST_OPENED))
    return page(request, words, "platform/my_tables.html", tables=sorted(shown, key=lambda each: each.order))


class MyClassesRequest(BaseModel):
    """The classes that a device knows, by what it is there."""

    model_config = ConfigDict(extra="forbid")
    organiser: list[ClubId] = Field(default_factory=list, max_length=MOST_LISTED)
    member: list[ClubId] = Field(default_factory=list, max_length=MOST_LISTED)


@router.post("/mine/classes")
async def my_classes(request: Request, words: TranslatorDep, mine: MyClassesRequest) -> HTMLResponse:
    """The classes of a device that still exist, by name; those that it organises first."""
    names = await asyncio.to_thread(clubs_of(request).store.names, [*mine.organiser, *mine.member])
    listed = [(club, names[club], club in mine.organiser) for club in dict.fromkeys([*mine.organiser, *mine.member]) if club in names]
    listed.sort(key=lambda each: (not each[2], each[1].casefold()))
    return page(request, words, "platform/my_classes.html", classes=listed)


@router.post("/t/{table}/device")
async def device_link(request: Request, words: TranslatorDep, table: TableId, held: HeldTable) -> HTMLResponse:
    """The seats of this screen as a link and a picture, to be opened elsewhere. The keys come in a body and leave in one."""
    await _check_holds_seat(registry_of(request), table, held.keys)
    link = seat_url(public_base_url(request), table, held.keys)
    return page(request, words, "platform/device_link.html", link=link, qr=qr_code(link))


async def _check_holds_seat(house: TableRegistry, table: str, keys: str) -> None:
    try:
        holds = bool((await house.table(table)).seating.seats_of_tokens(keys))
    except GameNotStarted:
        holds = bool((await house.lobby(table)).visitor(keys).seats)
    if not holds:
        raise NotYourSeat(msg("this link does not belong to a seat at this table"))
