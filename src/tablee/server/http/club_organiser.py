"""Pages and actions of the organiser of a class. Every action is a form that works without JavaScript."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from tablee.core.errors import TableeError
from tablee.core.game import FIRST
from tablee.core.i18n import Translator, msg
from tablee.server.club.club import Club, NotPossible
from tablee.server.club.overview import Overview
from tablee.server.club.results import results_csv
from tablee.server.club.seating_plan import SeatingPlan
from tablee.server.http.club_access import ORGANISER, OrganisedClubDep, key_url, with_error_status
from tablee.server.http.pages import page
from tablee.server.http.requests import FormDep, TranslatorDep, clubs_of, first_value, public_base_url, registry_of
from tablee.server.storage.clubs import StoredMember
from tablee.server.view.fragments import Fragment, FragmentRenderer
from tablee.server.view.lobby_view import qr_code
from tablee.server.view.narrator import BOT_NAMES
from tablee.server.view.rendering import build_id, macro, templates

DEFAULT_TABLE_SIZE = 4

router = APIRouter(include_in_schema=False)


async def organiser_page(
    request: Request, translator: Translator, club: Club, error: str = "", link: Mapping[str, Any] | None = None
) -> HTMLResponse:
    """Return the organiser's page; `link` is a member's new sign-in link, shown once."""
    snapshot = await overviews_of(request, club).snapshot(club, translator)
    return page(
        request,
        translator,
        "platform/club.html",
        club=club.stored,
        address=_join_url(request, club),
        qr=qr_code(_join_url(request, club), 5),
        live=Markup(render_live(translator, snapshot).to_html()),
        overview=snapshot,
        mark=overview_etag(snapshot),
        games=[_choices(game) for game in registry_of(request).games()],
        bots=BOT_NAMES,
        usual=DEFAULT_TABLE_SIZE,
        error=error,
        link=link,
    )


def _choices(game: Any) -> dict[str, Any]:
    options = [option for option in game.options if option is not FIRST and not option.seat_choices]
    return {"key": game.key, "title": game.title, "seats": game.seats, "options": options, "teach": (game.folder / "TEACH.md").exists()}


def _join_url(request: Request, club: Club) -> str:
    return f"{public_base_url(request)}/c/{club.stored.code}"


def overviews_of(request: Request, club: Club) -> Overview:
    overviews: WeakKeyDictionary[Club, Overview] = request.app.state.overviews
    return overviews.setdefault(club, Overview())


def overview_etag(snapshot: Mapping[str, Any]) -> str:
    return hashlib.blake2s(json.dumps(snapshot, sort_keys=True).encode(), digest_size=6).hexdigest()


def render_live(translator: Translator, snapshot: Mapping[str, Any], board: bool = False) -> Fragment:
    renderer = FragmentRenderer(translator, macro)
    live = templates().get_template("platform/club_live.html")
    return renderer.root("live", lambda: live.render(_=translator, fragment=renderer.fragment, overview=snapshot, board=board))


class LiveRequest(BaseModel):
    """ETag and fragment digests that the organiser's page shows."""

    model_config = ConfigDict(extra="forbid")
    mark: str = Field("", max_length=40)
    board: bool = False
    parts: dict[str, str] = Field(default_factory=dict, max_length=200)


@router.post("/class/{club}/live")
async def live(request: Request, translator: TranslatorDep, club: OrganisedClubDep, shown: LiveRequest) -> JSONResponse:
    """Return the fragments that changed; render nothing if the overview's ETag is still the same."""
    snapshot = await overviews_of(request, club).snapshot(club, translator)
    mark = overview_etag(snapshot)
    parts = [] if mark == shown.mark else render_live(translator, snapshot, shown.board).patches_for_digests(shown.parts)
    return JSONResponse({"mark": mark, "parts": parts, "build": build_id()})


@router.get("/class/{club}/board")
async def board(request: Request, translator: TranslatorDep, club: OrganisedClubDep) -> HTMLResponse:
    """Return the overview for a projector: large, and without controls."""
    snapshot, address = await overviews_of(request, club).snapshot(club, translator), _join_url(request, club)
    html = Markup(render_live(translator, snapshot, board=True).to_html())
    return page(
        request,
        translator,
        "platform/club_board.html",
        club=club.stored,
        live=html,
        mark=overview_etag(snapshot),
        address=address,
        qr=qr_code(address, 6),
    )


@router.get("/class/{club}/sheet")
async def sheet(request: Request, translator: TranslatorDep, club: OrganisedClubDep) -> HTMLResponse:
    """Return the page to print: the link and QR code of the class once large, and small ones to cut out."""
    address = _join_url(request, club)
    return page(request, translator, "platform/club_sheet.html", club=club.stored, address=address, qr=qr_code(address, 10))


@router.get("/class/{club}/results.csv")
async def save_results(club: OrganisedClubDep, translator: TranslatorDep) -> Response:
    headers = {"content-disposition": f'attachment; filename="{translator(msg("results"))}-{club.stored.code}.csv"'}
    return Response(await results_csv(club, translator), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/class/{club}/key")
async def organiser_key_page(request: Request, translator: TranslatorDep, club: OrganisedClubDep) -> HTMLResponse:
    """Return the page with the organiser's link for another device; separate, because the main page may be projected."""
    link = key_url(request, club, request.cookies[ORGANISER])
    return page(request, translator, "platform/club_key.html", club=club.stored, link=link, qr=qr_code(link, 5))


async def apply_and_redirect(request: Request, translator: Translator, club: Club, action: Awaitable[Any]) -> Response:
    """Await an action and redirect to the organiser's page, or return that page with the error."""
    try:
        await action
    except TableeError as error:
        return with_error_status(await organiser_page(request, translator, club, error.translate(translator)), error)
    return RedirectResponse(f"/class/{club.id}", 303)


@router.post("/class/{club}/tables")
async def seat_members(request: Request, translator: TranslatorDep, club: OrganisedClubDep, form: FormDep) -> Response:
    """Seat all waiting members, the ticked ones, or everybody in a new round."""
    return await apply_and_redirect(request, translator, club, _seat_members(request, club, form))


async def _seat_members(request: Request, club: Club, form: Mapping[str, list[str]]) -> None:
    plan = _plan(request, form)
    actions: dict[str, Callable[[], Awaitable[int]]] = {
        "waiting": lambda: club.seat_waiting(plan),
        "chosen": lambda: club.seat(_ticked_members(club, form), plan),
        "mixed": lambda: club.shuffle(plan),
        "again": club.repeat_round,
    }
    action = actions.get(first_value(form, "how"))
    if action is None:
        raise NotPossible(msg("it is not clear whom to seat"))
    request.state.tables_created = await action()  # for the rate limit of new tables


def _plan(request: Request, form: Mapping[str, list[str]]) -> SeatingPlan:
    game = next((game for game in registry_of(request).games() if game.key == first_value(form, "game")), registry_of(request).games()[0])
    size, level = first_value(form, "size"), first_value(form, "level")
    options = {
        option.key: value
        for option in game.options
        for value in option.values
        if first_value(form, f"{game.key}.{option.key}") == str(value)
    }
    return SeatingPlan(game.key, int(size) if size.isdecimal() and len(size) < 3 else DEFAULT_TABLE_SIZE, level, options)


def _ticked_members(club: Club, form: Mapping[str, list[str]]) -> list[StoredMember]:
    found = [member for member in club.stored.members if str(member.number) in form.get("member", ())]
    if not found:
        raise NotPossible(msg("first choose names by ticking them"))
    return found


@router.post("/class/{club}/members")
async def change_members(request: Request, translator: TranslatorDep, club: OrganisedClubDep, form: FormDep) -> Response:
    """Apply the organiser's action to the ticked members."""
    if first_value(form, "do") == "link":
        return await _new_link(request, translator, club, form)
    if first_value(form, "do") == "chosen":
        return await apply_and_redirect(request, translator, club, _seat_members(request, club, {**form, "how": ["chosen"]}))
    return await apply_and_redirect(request, translator, club, _change_members(request, club, form))


async def _change_members(request: Request, club: Club, form: Mapping[str, list[str]]) -> None:
    request.state.tables_created = 0
    chosen, number = _ticked_members(club, form), first_value(form, "table")
    actions: dict[str, Callable[[StoredMember], Awaitable[None]]] = {
        "move": lambda member: club.move(member, int(number) if number.isdecimal() and len(number) < 4 else 0),
        "up": club.stand_up,
        "bot": lambda member: club.stand_in(member, True),
        "back": lambda member: club.stand_in(member, False),
        "remove": club.remove,
    }
    action = first_value(form, "do")
    if action == "swap":
        await _swap(club, chosen)
        return
    if action not in actions:
        raise NotPossible(msg("it is not clear what to do"))
    for member in chosen:
        await actions[action](member)


async def _swap(club: Club, chosen: Sequence[StoredMember]) -> None:
    if len(chosen) != 2:
        raise NotPossible(msg("to swap, tick exactly two names"))
    await club.swap(*chosen)


async def _new_link(request: Request, translator: Translator, club: Club, form: Mapping[str, list[str]]) -> Response:
    try:
        chosen = _ticked_members(club, form)
        if len(chosen) != 1:
            raise NotPossible(msg("for a new link, tick exactly one name"))
        token = await club.new_token(chosen[0])
    except TableeError as error:
        return with_error_status(await organiser_page(request, translator, club, error.translate(translator)), error)
    link = key_url(request, club, token)
    return await organiser_page(request, translator, club, link={"name": chosen[0].name, "link": link, "qr": qr_code(link, 4)})


@router.post("/class/{club}/pause")
async def pause(request: Request, translator: TranslatorDep, club: OrganisedClubDep, form: FormDep) -> Response:
    return await apply_and_redirect(request, translator, club, club.pause(first_value(form, "paused") == "yes"))


@router.post("/class/{club}/door")
async def admit(request: Request, translator: TranslatorDep, club: OrganisedClubDep, form: FormDep) -> Response:
    return await apply_and_redirect(request, translator, club, club.admit(first_value(form, "admits") == "yes"))


@router.post("/class/{club}/delete")
async def delete(request: Request, translator: TranslatorDep, club: OrganisedClubDep, form: FormDep) -> Response:
    if first_value(form, "sure") != "yes":
        return await apply_and_redirect(request, translator, club, _refuse_unconfirmed())
    await clubs_of(request).delete(club)
    response = page(request, translator, "platform/club_gone.html", club=club.stored)
    response.delete_cookie(ORGANISER, path=f"/class/{club.id}")
    return response


async def _refuse_unconfirmed() -> None:
    raise NotPossible(msg("tick the box first: what is deleted cannot be brought back"))
