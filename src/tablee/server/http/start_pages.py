"""Start page and all ways to a table: a game against bots, a new lobby, a code, a device's tables, a seat's link for another device."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.server.http.pages import GameDep, cached_page, page, render_template
from tablee.server.http.requests import (
    FormDep,
    TableId,
    TranslatorDep,
    clubs_of,
    first_value,
    lobbies_of,
    public_base_url,
    registry_of,
    seat_url,
)
from tablee.server.http.schemas import Keys
from tablee.server.http.static_files import OFFLINE_PATH
from tablee.server.live.my_tables import TableListing, table_listing
from tablee.server.lobby.lobby import GameNotStarted
from tablee.server.storage.clubs import NoSuchClub
from tablee.server.storage.mappers import normalize_code
from tablee.server.table.models import BOT, HUMAN
from tablee.server.table.seats import NotYourSeat, SeatSpec
from tablee.server.view.lobby_view import qr_code
from tablee.server.view.narrator import BOT_NAMES, COLOUR_NAMES

DEFAULT_OPPONENT = "greedy"  # level of the bots in a game started with one tap
MOST_LISTED = 60
MOST_OPENED = 12  # tables loaded to find whose turn it is

router = APIRouter(include_in_schema=False)


ClubId = Annotated[str, Field(max_length=16)]


class HeldTable(BaseModel):
    """Table known to a device, with the tokens of its seats there."""

    model_config = ConfigDict(extra="forbid")
    table: str = Field(max_length=40)
    keys: Keys = ""


class MyTablesRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tables: list[HeldTable] = Field(max_length=MOST_LISTED)


@router.get("/")
async def start(request: Request, translator: TranslatorDep) -> HTMLResponse:
    def render() -> str:
        offline = OFFLINE_PATH if request.app.state.has_site else ""
        games = registry_of(request).games()
        return render_template(translator, "platform/start.html", "/", games=games, usual=DEFAULT_OPPONENT, offline=offline)

    return cached_page(request, translator, "/", render)


@router.post("/play/{key}")
async def play_now(request: Request, game: GameDep, form: FormDep) -> Response:
    """Create a game against bots with default options, and redirect to its seat."""
    name, colour = _name_and_colour(form)
    level = first_value(form, "level") if first_value(form, "level") in BOT_NAMES else DEFAULT_OPPONENT
    wanted = [SeatSpec(HUMAN, name, colour=colour), *[SeatSpec(BOT, level=level)] * (_default_seat_count(game) - 1)]
    table, tokens = await registry_of(request).create(game.key, {}, wanted, hints=True)
    return _redirect_to_seat(table.id, str(tokens[0]))


@router.post("/new/{key}")
async def new_table(request: Request, game: GameDep, form: FormDep) -> Response:
    """Create a lobby and redirect to its host's seat."""
    lobby, token = await lobbies_of(request).create(game.key, *_name_and_colour(form))
    request.state.code = lobby.stored.code  # for the rate limit of wrong codes
    return _redirect_to_seat(lobby.id, token)


@router.get("/new/{key}")
async def redirect_to_game(game: GameDep) -> Response:
    """Redirect to the game on the start page: only a POST creates a table, because any site may link here."""
    return RedirectResponse(f"/#{game.key}", 303)


def _default_seat_count(game: Game) -> int:
    return min(max(game.seats[0], 2), game.seats[-1])


def _redirect_to_seat(table: str, key: str) -> Response:
    return RedirectResponse(seat_url("", table, key), 303)


def _name_and_colour(form: Mapping[str, list[str]]) -> tuple[str, int]:
    """Return the name and colour from the device's form; -1 stands for no colour."""
    colour = first_value(form, "colour")
    return first_value(form, "name"), int(colour) if colour in map(str, range(len(COLOUR_NAMES))) else -1


async def resolve_code(request: Request, code: str) -> tuple[str, bool] | None:
    """Return the path of the table or class with this code, and whether it can still be joined; None if there is none."""
    if found := await lobbies_of(request).find_by_code(code):
        return f"/t/{found[0]}", found[1]
    with suppress(NoSuchClub):
        return f"/class/{await clubs_of(request).find_by_code(code)}", True
    return None


@router.get("/join")
async def join(request: Request, translator: TranslatorDep, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    return await join_with_code(request, translator, code) if code else page(request, translator, "platform/join.html", code="", error="")


@router.get("/join/{code}")
async def join_with_code(request: Request, translator: TranslatorDep, code: str) -> Response:
    path, can_join = await resolve_code(request, code) or ("", False)
    if path:
        request.state.code = normalize_code(code)
    if can_join:
        return RedirectResponse(path, 303)
    if path:
        return page(request, translator, "platform/join.html", code="", error="", watch=path)
    sentence = translator(msg("no table has the code {code!r}; perhaps its game is over, or a letter is wrong", code=code[:12].upper()))
    response = page(request, translator, "platform/join.html", code=code[:12], error=sentence)
    response.status_code = 404
    return response


@router.post("/mine")
async def my_tables(request: Request, translator: TranslatorDep, mine: MyTablesRequest) -> HTMLResponse:
    """List a device's tables, first those where it is to act."""
    registry = registry_of(request)
    found = await asyncio.to_thread(registry.store.summaries, [held.table for held in mine.tables])
    summaries = {summary.id: summary for summary in found}
    listings, opened = list[TableListing](), 0
    for held in mine.tables:
        if summary := summaries.get(held.table):
            running = summary.outcome is None
            opened += running
            listings.append(await table_listing(registry, translator, summary, held.keys, running and opened <= MOST_OPENED))
    return page(request, translator, "platform/my_tables.html", tables=sorted(listings, key=lambda each: each.order))


class MyClassesRequest(BaseModel):
    """Ids of the classes known to a device, by its role there."""

    model_config = ConfigDict(extra="forbid")
    organiser: list[ClubId] = Field(default_factory=list, max_length=MOST_LISTED)
    member: list[ClubId] = Field(default_factory=list, max_length=MOST_LISTED)


@router.post("/mine/classes")
async def my_classes(request: Request, translator: TranslatorDep, mine: MyClassesRequest) -> HTMLResponse:
    """List a device's classes that still exist, by name, first those that it organises."""
    names = await asyncio.to_thread(clubs_of(request).store.names, [*mine.organiser, *mine.member])
    listed = [(club, names[club], club in mine.organiser) for club in dict.fromkeys([*mine.organiser, *mine.member]) if club in names]
    listed.sort(key=lambda each: (not each[2], each[1].casefold()))
    return page(request, translator, "platform/my_classes.html", classes=listed)


@router.post("/t/{table}/device")
async def device_link(request: Request, translator: TranslatorDep, table: TableId, held: HeldTable) -> HTMLResponse:
    """Return the link and QR code of this device's seats for another device; the keys travel in bodies, never in a URL."""
    await _check_holds_seat(request, table, held.keys)
    link = seat_url(public_base_url(request), table, held.keys)
    return page(request, translator, "platform/device_link.html", link=link, qr=qr_code(link))


async def _check_holds_seat(request: Request, table: str, keys: str) -> None:
    try:
        holds = bool((await registry_of(request).table(table)).seating.seats_of_tokens(keys))
    except GameNotStarted:
        holds = bool((await lobbies_of(request).lobby(table)).visitor(keys).seats)
    if not holds:
        raise NotYourSeat(msg("this link does not belong to a seat at this table"))
