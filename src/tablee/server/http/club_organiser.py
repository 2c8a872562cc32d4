"""What the organiser of a class sees and does. Every deed is a form that works without a script."""

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
from tablee.core.i18n import Words, say
from tablee.server.club.club import Club, NotPossible
from tablee.server.club.overview import Glances
from tablee.server.club.results import results
from tablee.server.club.seating_plan import Plan
from tablee.server.http.api import Reader, house_of
from tablee.server.http.club_access import ORGANISER, Form, Run, again, clubs_of, first, key_link
from tablee.server.http.pages import page
from tablee.server.http.urls import address_for_friends
from tablee.server.storage.clubs import MemberKept
from tablee.server.view.client_view import BOT_NAMES
from tablee.server.view.fragments import Drawing, Part
from tablee.server.view.lobby_view import qr_code
from tablee.server.view.rendering import build_mark, templates

USUAL_SIZE = 4

router = APIRouter(include_in_schema=False)


async def organise(request: Request, words: Words, club: Club, error: str = "", link: Mapping[str, Any] | None = None) -> HTMLResponse:
    """`link` is a new one for a member, shown once."""
    seen = await glances(request, club).look(club, words)
    return page(
        request,
        words,
        "platform/club.html",
        club=club.kept,
        address=_address(request, club),
        qr=qr_code(_address(request, club), 5),
        live=Markup(drawn_live(words, seen).whole()),
        seen=seen,
        mark=mark_of(seen),
        games=[_choices(game) for game in house_of(request).games()],
        bots=BOT_NAMES,
        usual=USUAL_SIZE,
        error=error,
        link=link,
    )


def _choices(game: Any) -> dict[str, Any]:
    options = [option for option in game.options if option is not FIRST and not option.each]
    return {"key": game.key, "title": game.title, "seats": game.seats, "options": options, "teach": (game.folder / "TEACH.md").exists()}


def _address(request: Request, club: Club) -> str:
    return f"{address_for_friends(request)}/c/{club.kept.code}"


def glances(request: Request, club: Club) -> Glances:
    kept: WeakKeyDictionary[Club, Glances] = request.app.state.glances
    return kept.setdefault(club, Glances())


def mark_of(seen: Mapping[str, Any]) -> str:
    return hashlib.blake2s(json.dumps(seen, sort_keys=True).encode(), digest_size=6).hexdigest()


def drawn_live(words: Words, seen: Mapping[str, Any], board: bool = False) -> Part:
    drawing = Drawing(f"club {words.language}")
    live = templates().get_template("platform/club_live.html")
    return drawing.top("live", lambda: live.render(_=words, part=drawing.part, seen=seen, board=board))


class Watching(BaseModel):
    """What the organiser's screen shows."""

    model_config = ConfigDict(extra="forbid")
    mark: str = Field("", max_length=40)
    board: bool = False
    parts: dict[str, str] = Field(default_factory=dict, max_length=200)


@router.post("/class/{club}/live")
async def live(request: Request, words: Reader, club: Run, shown: Watching) -> JSONResponse:
    """What has changed: one look at all tables, and nothing is drawn where they are as they were."""
    seen = await glances(request, club).look(club, words)
    mark = mark_of(seen)
    parts = [] if mark == shown.mark else drawn_live(words, seen, shown.board).beyond(shown.parts)
    return JSONResponse({"mark": mark, "parts": parts, "build": build_mark()})


@router.get("/class/{club}/board")
async def board(request: Request, words: Reader, club: Run) -> HTMLResponse:
    """To project: large, and nothing to press."""
    seen, address = await glances(request, club).look(club, words), _address(request, club)
    whole = Markup(drawn_live(words, seen, board=True).whole())
    return page(
        request, words, "platform/club_board.html", club=club.kept, live=whole, mark=mark_of(seen), address=address, qr=qr_code(address, 6)
    )


@router.get("/class/{club}/sheet")
async def sheet(request: Request, words: Reader, club: Run) -> HTMLResponse:
    """To print: the way in, large, and small ones to cut out."""
    address = _address(request, club)
    return page(request, words, "platform/club_sheet.html", club=club.kept, address=address, qr=qr_code(address, 10))


@router.get("/class/{club}/results.csv")
async def save_results(club: Run, words: Reader) -> Response:
    named = {"content-disposition": f'attachment; filename="{words("results")}-{club.kept.code}.csv"'}
    return Response(await results(club, words), media_type="text/csv; charset=utf-8", headers=named)


@router.get("/class/{club}/key")
async def organisers_link(request: Request, words: Reader, club: Run) -> HTMLResponse:
    """For the organiser's other device; on a page of its own, because the usual one may be projected."""
    link = key_link(request, club, request.cookies[ORGANISER])
    return page(request, words, "platform/club_key.html", club=club.kept, link=link, qr=qr_code(link, 5))


async def done(request: Request, words: Words, club: Club, deed: Awaitable[Any]) -> Response:
    """The organiser's page after a deed, or with what was in its way."""
    try:
        await deed
    except TableeError as error:
        return again(await organise(request, words, club, error.tell(words)), error)
    return RedirectResponse(f"/class/{club.id}", 303)


@router.post("/class/{club}/tables")
async def seat_them(request: Request, words: Reader, club: Run, form: Form) -> Response:
    """Everybody who waits, those who were chosen, or all in a new round."""
    return await done(request, words, club, _seat(request, club, form))


async def _seat(request: Request, club: Club, form: Mapping[str, list[str]]) -> None:
    plan = _plan(request, form)
    ways: dict[str, Callable[[], Awaitable[int]]] = {
        "waiting": lambda: club.seat_waiting(plan),
        "chosen": lambda: club.seat(_chosen(club, form), plan),
        "mixed": lambda: club.mix(plan),
        "again": club.again,
    }
    way = ways.get(first(form, "how"))
    if way is None:
        raise NotPossible(say("it is not clear whom to seat"))
    request.state.made = await way()  # for whoever counts new tables at the door


def _plan(request: Request, form: Mapping[str, list[str]]) -> Plan:
    game = next((game for game in house_of(request).games() if game.key == first(form, "game")), house_of(request).games()[0])
    size, level = first(form, "size"), first(form, "level")
    options = {
        option.key: value for option in game.options for value in option.values if first(form, f"{game.key}.{option.key}") == str(value)
    }
    return Plan(game.key, int(size) if size.isdecimal() and len(size) < 3 else USUAL_SIZE, level, options)


def _chosen(club: Club, form: Mapping[str, list[str]]) -> list[MemberKept]:
    found = [member for member in club.kept.members if str(member.number) in form.get("member", ())]
    if not found:
        raise NotPossible(say("first choose names by ticking them"))
    return found


@router.post("/class/{club}/members")
async def arrange(request: Request, words: Reader, club: Run, form: Form) -> Response:
    """What the organiser does with those who were ticked."""
    if first(form, "do") == "link":
        return await _new_link(request, words, club, form)
    if first(form, "do") == "chosen":
        return await done(request, words, club, _seat(request, club, {**form, "how": ["chosen"]}))
    return await done(request, words, club, _arrange(request, club, form))


async def _arrange(request: Request, club: Club, form: Mapping[str, list[str]]) -> None:
    request.state.made = 0
    chosen, number = _chosen(club, form), first(form, "table")
    deeds: dict[str, Callable[[MemberKept], Awaitable[None]]] = {
        "move": lambda member: club.move(member, int(number) if number.isdecimal() and len(number) < 4 else 0),
        "up": club.stand_up,
        "bot": lambda member: club.stand_in(member, True),
        "back": lambda member: club.stand_in(member, False),
        "remove": club.remove,
    }
    what = first(form, "do")
    if what == "swap":
        await _swap(club, chosen)
        return
    if what not in deeds:
        raise NotPossible(say("it is not clear what to do"))
    for member in chosen:
        await deeds[what](member)


async def _swap(club: Club, chosen: Sequence[MemberKept]) -> None:
    if len(chosen) != 2:
        raise NotPossible(say("to swap, tick exactly two names"))
    await club.swap(*chosen)


async def _new_link(request: Request, words: Words, club: Club, form: Mapping[str, list[str]]) -> Response:
    try:
        chosen = _chosen(club, form)
        if len(chosen) != 1:
            raise NotPossible(say("for a new link, tick exactly one name"))
        token = await club.new_token(chosen[0])
    except TableeError as error:
        return again(await organise(request, words, club, error.tell(words)), error)
    link = key_link(request, club, token)
    return await organise(request, words, club, link={"name": chosen[0].name, "link": link, "qr": qr_code(link, 4)})


@router.post("/class/{club}/pause")
async def pause(request: Request, words: Reader, club: Run, form: Form) -> Response:
    return await done(request, words, club, club.pause(first(form, "paused") == "yes"))


@router.post("/class/{club}/door")
async def open_or_close(request: Request, words: Reader, club: Run, form: Form) -> Response:
    return await done(request, words, club, club.admit(first(form, "admits") == "yes"))


@router.post("/class/{club}/delete")
async def delete(request: Request, words: Reader, club: Run, form: Form) -> Response:
    if first(form, "sure") != "yes":
        return await done(request, words, club, _unsure())
    await clubs_of(request).forget(club)
    answer = page(request, words, "platform/club_gone.html", club=club.kept)
    answer.delete_cookie(ORGANISER, path=f"/class/{club.id}")
    return answer


async def _unsure() -> None:
    raise NotPossible(say("tick the box first: what is deleted cannot be brought back"))
