"""A class or a club in the browser: its organiser's page, the way in for those who know the code, and where each of them sits.

Who asks is known by a cookie that is sent to the pages of that one class only; the organiser's and a member's are different ones, so a
teacher may also sit down. Every deed is a form that works without a script.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import parse_qs
from weakref import WeakKeyDictionary

import segno
from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from tablee.core.errors import TableeError
from tablee.core.game import FIRST
from tablee.core.words import Words, say
from tablee.server.clubs.club import LONGEST_NAME, Club, ClubHouse, NotPossible
from tablee.server.clubs.dealing import Plan
from tablee.server.clubs.glance import Glances
from tablee.server.clubs.results import results
from tablee.server.drawing.parts import Drawing, Part
from tablee.server.drawing.rendering import build_mark, templates
from tablee.server.drawing.screen import BOT_NAMES
from tablee.server.kept.clubs import MemberKept
from tablee.server.kept.database import StoreError
from tablee.server.web.addresses import address_for_friends, seat_link
from tablee.server.web.api import Reader, house_of
from tablee.server.web.pages import page

ORGANISER, MEMBER = "tablee_organiser", "tablee_member"
KEPT_FOR = 183 * 24 * 3600  # seconds, as long as the class
USUAL_SIZE = 4
MOST_CHOSEN = 200

router = APIRouter(include_in_schema=False)


class NotTheOrganiser(TableeError):
    pass


class NotAMember(TableeError):
    pass


def clubs_of(request: Request) -> ClubHouse:
    clubs: ClubHouse = request.app.state.clubs
    return clubs


async def club_at(request: Request, club: Annotated[str, Path(max_length=16)]) -> Club:
    return await clubs_of(request).club(club)


AtClub = Annotated[Club, Depends(club_at)]


def runs_it(request: Request, club: AtClub) -> Club:
    """Only its organiser may."""
    if not club.is_organiser(request.cookies.get(ORGANISER, "")):
        raise NotTheOrganiser(say("only the organiser of this class may do that"))
    return club


def who_asks(request: Request, club: AtClub) -> MemberKept:
    member = club.member_with(request.cookies.get(MEMBER, ""))
    if member is None:
        raise NotAMember(say("this device does not belong to a member of this class"))
    return member


Run = Annotated[Club, Depends(runs_it)]
Asking = Annotated[MemberKept, Depends(who_asks)]


async def filled_in(request: Request) -> Mapping[str, list[str]]:
    try:
        return parse_qs((await request.body()).decode(errors="replace"), max_num_fields=MOST_CHOSEN)
    except ValueError:  # no form of ours has so many fields
        return {}


Form = Annotated[Mapping[str, list[str]], Depends(filled_in)]


def first(form: Mapping[str, list[str]], name: str) -> str:
    return form.get(name, [""])[0]


@router.get("/class")
async def new_club(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/club_new.html", error="", longest=LONGEST_NAME)


@router.post("/class")
async def found_club(request: Request, words: Reader, form: Form) -> Response:
    try:
        club, token = await clubs_of(request).found(first(form, "name"))
    except TableeError as error:
        return _again(page(request, words, "platform/club_new.html", error=error.tell(words), longest=LONGEST_NAME), error)
    return remember(request, club, ORGANISER, token)


@router.get("/c/{code}")
async def by_code(request: Request, code: Annotated[str, Path(max_length=20)]) -> Response:
    return RedirectResponse(f"/class/{await clubs_of(request).with_code(code)}", 303)


@router.get("/class/{club}")
async def club_page(request: Request, words: Reader, club: AtClub, k: str = "") -> Response:
    """The organiser's page, a member's, or the way in. An older link shows its key in the address."""
    if k:
        return _known_by(request, club, k)
    if club.is_organiser(request.cookies.get(ORGANISER, "")):
        return await organise(request, words, club)
    member = club.member_with(request.cookies.get(MEMBER, ""))
    if member is None:
        return page(request, words, "platform/club_join.html", club=club.kept, error="", longest=LONGEST_NAME)
    club.hear(member)
    go = await _way(request, club, member)
    return RedirectResponse(go, 303) if go else page(request, words, "platform/club_wait.html", club=club.kept, member=member)


@router.get("/class/{club}/arrive")
async def arrive(request: Request, words: Reader, club: AtClub) -> Response:
    """Where a link with a key leads: it stands behind a #, and static/key.js sends it on in a form."""
    return page(request, words, "platform/club_arrive.html", club=club.kept)


@router.post("/class/{club}/arrive")
async def arrived(request: Request, club: AtClub, form: Form) -> Response:
    return _known_by(request, club, first(form, "k"))


def _known_by(request: Request, club: Club, key: str) -> Response:
    """The key makes this device the organiser's or that member's; one that opens nothing changes nothing."""
    role = ORGANISER if club.is_organiser(key) else MEMBER if club.member_with(key) else ""
    return remember(request, club, role, key) if role else RedirectResponse(f"/class/{club.id}", 303)


def _key_link(request: Request, club: Club, key: str) -> str:
    return f"{address_for_friends(request)}/class/{club.id}/arrive#k={key}"


def remember(request: Request, club: Club, role: str, token: str) -> Response:
    """This device is known to the class from now on."""
    answer = RedirectResponse(f"/class/{club.id}", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(role, token, max_age=KEPT_FOR, path=f"/class/{club.id}", samesite="lax", httponly=True, secure=secure)
    return answer


async def _way(request: Request, club: Club, member: MemberKept) -> str:
    """Where the member's device belongs: the table with their seat, or nowhere yet."""
    at = await club.where(member)
    return "" if at is None else seat_link("", at.table.id, request.cookies[MEMBER])


@router.post("/class/{club}/join")
async def join(request: Request, words: Reader, club: AtClub, form: Form) -> Response:
    try:
        token = await club.join(first(form, "name"))
    except TableeError as error:
        return _again(page(request, words, "platform/club_join.html", club=club.kept, error=error.tell(words), longest=LONGEST_NAME), error)
    return remember(request, club, MEMBER, token)


@router.get("/class/{club}/where")
async def where(request: Request, club: AtClub, member: Asking) -> dict[str, str]:
    """Asked again and again by a member's device, so that nothing has to be sent to it."""
    club.hear(member)
    return {"go": await _way(request, club, member)}


@router.post("/class/{club}/leave")
async def leave(club: AtClub, member: Asking) -> Response:
    """Whoever leaves is forgotten."""
    await club.remove(member)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(MEMBER, path=f"/class/{club.id}")
    return answer


def _again(answer: HTMLResponse, error: TableeError) -> HTMLResponse:
    """The page again, with what was wrong."""
    answer.status_code = 503 if isinstance(error, StoreError) else 422
    return answer


async def organise(request: Request, words: Words, club: Club, error: str = "", link: Mapping[str, Any] | None = None) -> HTMLResponse:
    """`link` is a new one for a member, shown once."""
    seen = await glances(request, club).look(club, words)
    return page(
        request,
        words,
        "platform/club.html",
        club=club.kept,
        address=_address(request, club),
        qr=drawn(_address(request, club), 5),
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


def drawn(address: str, scale: int) -> Markup:
    """A QR code that grows with its place."""
    return Markup(segno.make(address, micro=False).svg_inline(scale=scale, border=2, omitsize=True))


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
        request, words, "platform/club_board.html", club=club.kept, live=whole, mark=mark_of(seen), address=address, qr=drawn(address, 6)
    )


@router.get("/class/{club}/sheet")
async def sheet(request: Request, words: Reader, club: Run) -> HTMLResponse:
    """To print: the way in, large, and small ones to cut out."""
    address = _address(request, club)
    return page(request, words, "platform/club_sheet.html", club=club.kept, address=address, qr=drawn(address, 10))


@router.get("/class/{club}/results.csv")
async def save_results(club: Run, words: Reader) -> Response:
    named = {"content-disposition": f'attachment; filename="{words("results")}-{club.kept.code}.csv"'}
    return Response(await results(club, words), media_type="text/csv; charset=utf-8", headers=named)


@router.get("/class/{club}/key")
async def organisers_link(request: Request, words: Reader, club: Run) -> HTMLResponse:
    """For the organiser's other device; on a page of its own, because the usual one may be projected."""
    link = _key_link(request, club, request.cookies[ORGANISER])
    return page(request, words, "platform/club_key.html", club=club.kept, link=link, qr=drawn(link, 5))


async def done(request: Request, words: Words, club: Club, deed: Awaitable[Any]) -> Response:
    """The organiser's page after a deed, or with what was in its way."""
    try:
        await deed
    except TableeError as error:
        return _again(await organise(request, words, club, error.tell(words)), error)
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
        raise NotPossible(say("it is not clear who shall be seated"))
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
        raise NotPossible(say("it is not clear what shall be done"))
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
        return _again(await organise(request, words, club, error.tell(words)), error)
    link = _key_link(request, club, token)
    return await organise(request, words, club, link={"name": chosen[0].name, "link": link, "qr": drawn(link, 4)})


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
