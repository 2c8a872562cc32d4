"""The ways into a class or a club: it is founded, found by its code, joined by those who know it; and where each of its members sits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tablee.server.club.club import MAX_MEMBER_NAME_LENGTH, Club
from tablee.server.http.api import TranslatorDep
from tablee.server.http.club_access import (
    MEMBER,
    ORGANISER,
    ClubDep,
    FormDep,
    MemberDep,
    clubs_of,
    first_value,
    set_role_cookie,
    with_error_status,
)
from tablee.server.http.club_organiser import organiser_page
from tablee.server.http.pages import page
from tablee.server.http.urls import seat_url
from tablee.server.storage.clubs import StoredMember
from tablee.server.storage.codes import normalize_code

router = APIRouter(include_in_schema=False)


@router.get("/class")
async def new_club(request: Request, words: TranslatorDep) -> HTMLResponse:
    return page(request, words, "platform/club_new.html", error="", longest=MAX_MEMBER_NAME_LENGTH)


@router.post("/class")
async def create_club(request: Request, words: TranslatorDep, form: FormDep) -> Response:
    try:
        club, token = await clubs_of(request).create(first_value(form, "name"))
    except TableeError as error:
        return with_error_status(
            page(request, words, "platform/club_new.html", error=error.translate(words), longest=MAX_MEMBER_NAME_LENGTH), error
        )
    request.state.code = club.stored.code  # for the rate limit of wrong codes
    return set_role_cookie(request, club, ORGANISER, token)


@router.get("/c/{code}")
async def by_code(request: Request, code: Annotated[str, Path(max_length=20)]) -> Response:
    club = await clubs_of(request).find_by_code(code)
    request.state.code = normalize_code(code)
    return RedirectResponse(f"/class/{club}", 303)


@router.get("/class/{club}")
async def club_page(request: Request, words: TranslatorDep, club: ClubDep, k: str = "") -> Response:
    """The organiser's page, a member's, or the way in. An older link shows its key in the address."""
    if k:
        return _sign_in(request, club, k)
    if club.is_organiser(request.cookies.get(ORGANISER, "")):
        request.state.code = club.stored.code
        return await organiser_page(request, words, club)
    member = club.member_by_token(request.cookies.get(MEMBER, ""))
    if member is None:
        return _join_page(request, words, club)
    club.touch(member)
    go = await _table_url(request, club, member)
    return RedirectResponse(go, 303) if go else page(request, words, "platform/club_wait.html", club=club.stored, member=member)


@router.get("/class/{club}/arrive")
async def key_page(request: Request, words: TranslatorDep, club: ClubDep) -> Response:
    """Where a link with a key leads: it stands behind a #, and static/club_key_from_url.js sends it on in a form."""
    return page(request, words, "platform/club_arrive.html", club=club.stored)


@router.post("/class/{club}/arrive")
async def sign_in(request: Request, club: ClubDep, form: FormDep) -> Response:
    return _sign_in(request, club, first_value(form, "k"))


def _sign_in(request: Request, club: Club, key: str) -> Response:
    """The key makes this device the organiser's or that member's; one that opens nothing changes nothing."""
    role = ORGANISER if club.is_organiser(key) else MEMBER if club.member_by_token(key) else ""
    return set_role_cookie(request, club, role, key) if role else RedirectResponse(f"/class/{club.id}", 303)


async def _table_url(request: Request, club: Club, member: StoredMember) -> str:
    """Where the member's device belongs: the table with their seat, or nowhere yet."""
    at = await club.location_of(member)
    return "" if at is None else seat_url("", at.table.id, request.cookies[MEMBER])


def _join_page(request: Request, words: Translator, club: Club, error: str = "", typed: str = "") -> HTMLResponse:
    return page(request, words, "platform/club_join.html", club=club.stored, error=error, typed=typed, longest=MAX_MEMBER_NAME_LENGTH)


@router.post("/class/{club}/join")
async def join(request: Request, words: TranslatorDep, club: ClubDep, form: FormDep) -> Response:
    typed = first_value(form, "name")
    try:
        token = await club.join(typed)
    except TableeError as error:
        return with_error_status(_join_page(request, words, club, error.translate(words), typed), error)
    return set_role_cookie(request, club, MEMBER, token)


@router.get("/class/{club}/where")
async def member_location(request: Request, club: ClubDep, member: MemberDep) -> dict[str, str]:
    """Asked again and again by a member's device, so that nothing has to be sent to it."""
    club.touch(member)
    return {"go": await _table_url(request, club, member)}


@router.post("/class/{club}/leave")
async def leave(club: ClubDep, member: MemberDep) -> Response:
    """Whoever leaves is forgotten."""
    await club.remove(member)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(MEMBER, path=f"/class/{club.id}")
    return answer
