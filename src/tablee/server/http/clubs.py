"""The ways into a class or a club: it is founded, found by its code, joined by those who know it; and where each of its members sits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.core.i18n import Words
from tablee.server.club.club import LONGEST_NAME, Club
from tablee.server.http.api import Reader
from tablee.server.http.club_access import MEMBER, ORGANISER, Asking, AtClub, Form, again, clubs_of, first, remember
from tablee.server.http.club_organiser import organise
from tablee.server.http.pages import page
from tablee.server.http.urls import seat_link
from tablee.server.storage.clubs import MemberKept
from tablee.server.storage.codes import tidy_code

router = APIRouter(include_in_schema=False)


@router.get("/class")
async def new_club(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/club_new.html", error="", longest=LONGEST_NAME)


@router.post("/class")
async def found_club(request: Request, words: Reader, form: Form) -> Response:
    try:
        club, token = await clubs_of(request).found(first(form, "name"))
    except TableeError as error:
        return again(page(request, words, "platform/club_new.html", error=error.tell(words), longest=LONGEST_NAME), error)
    request.state.code = club.kept.code  # for the rate limit of wrong codes
    return remember(request, club, ORGANISER, token)


@router.get("/c/{code}")
async def by_code(request: Request, code: Annotated[str, Path(max_length=20)]) -> Response:
    club = await clubs_of(request).with_code(code)
    request.state.code = tidy_code(code)
    return RedirectResponse(f"/class/{club}", 303)


@router.get("/class/{club}")
async def club_page(request: Request, words: Reader, club: AtClub, k: str = "") -> Response:
    """The organiser's page, a member's, or the way in. An older link shows its key in the address."""
    if k:
        return _known_by(request, club, k)
    if club.is_organiser(request.cookies.get(ORGANISER, "")):
        request.state.code = club.kept.code
        return await organise(request, words, club)
    member = club.member_with(request.cookies.get(MEMBER, ""))
    if member is None:
        return _way_in(request, words, club)
    club.hear(member)
    go = await _way(request, club, member)
    return RedirectResponse(go, 303) if go else page(request, words, "platform/club_wait.html", club=club.kept, member=member)


@router.get("/class/{club}/arrive")
async def arrive(request: Request, words: Reader, club: AtClub) -> Response:
    """Where a link with a key leads: it stands behind a #, and static/club_key_from_url.js sends it on in a form."""
    return page(request, words, "platform/club_arrive.html", club=club.kept)


@router.post("/class/{club}/arrive")
async def arrived(request: Request, club: AtClub, form: Form) -> Response:
    return _known_by(request, club, first(form, "k"))


def _known_by(request: Request, club: Club, key: str) -> Response:
    """The key makes this device the organiser's or that member's; one that opens nothing changes nothing."""
    role = ORGANISER if club.is_organiser(key) else MEMBER if club.member_with(key) else ""
    return remember(request, club, role, key) if role else RedirectResponse(f"/class/{club.id}", 303)


async def _way(request: Request, club: Club, member: MemberKept) -> str:
    """Where the member's device belongs: the table with their seat, or nowhere yet."""
    at = await club.where(member)
    return "" if at is None else seat_link("", at.table.id, request.cookies[MEMBER])


def _way_in(request: Request, words: Words, club: Club, error: str = "", typed: str = "") -> HTMLResponse:
    return page(request, words, "platform/club_join.html", club=club.kept, error=error, typed=typed, longest=LONGEST_NAME)


@router.post("/class/{club}/join")
async def join(request: Request, words: Reader, club: AtClub, form: Form) -> Response:
    typed = first(form, "name")
    try:
        token = await club.join(typed)
    except TableeError as error:
        return again(_way_in(request, words, club, error.tell(words), typed), error)
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
