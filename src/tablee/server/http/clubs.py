"""Routes of a class or club for everybody: create it, find it by its code, join or leave it, get to one's table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tablee.server.club.club import MAX_MEMBER_NAME_LENGTH, Club
from tablee.server.http.club_access import MEMBER, ORGANISER, ClubDep, MemberDep, set_role_cookie, with_error_status
from tablee.server.http.club_organiser import organiser_page
from tablee.server.http.pages import page
from tablee.server.http.requests import FormDep, TranslatorDep, clubs_of, first_value, seat_url
from tablee.server.storage.clubs import StoredMember
from tablee.server.storage.mappers import normalize_code

router = APIRouter(include_in_schema=False)


@router.get("/class")
async def new_club(request: Request, translator: TranslatorDep) -> HTMLResponse:
    return page(request, translator, "platform/club_new.html", error="", longest=MAX_MEMBER_NAME_LENGTH)


@router.post("/class")
async def create_club(request: Request, translator: TranslatorDep, form: FormDep) -> Response:
    try:
        club, token = await clubs_of(request).create(first_value(form, "name"))
    except TableeError as error:
        return with_error_status(
            page(request, translator, "platform/club_new.html", error=error.translate(translator), longest=MAX_MEMBER_NAME_LENGTH), error
        )
    request.state.code = club.stored.code  # for the rate limit of wrong codes
    return set_role_cookie(request, club, ORGANISER, token)


@router.get("/c/{code}")
async def by_code(request: Request, code: Annotated[str, Path(max_length=20)]) -> Response:
    club = await clubs_of(request).find_by_code(code)
    request.state.code = normalize_code(code)
    return RedirectResponse(f"/class/{club}", 303)


@router.get("/class/{club}")
async def club_page(request: Request, translator: TranslatorDep, club: ClubDep, k: str = "") -> Response:
    """Return the organiser's page, a member's, or the form to join. An older link has its key in the query, as `k`."""
    if k:
        return _sign_in(request, club, k)
    if club.is_organiser(request.cookies.get(ORGANISER, "")):
        request.state.code = club.stored.code
        return await organiser_page(request, translator, club)
    member = club.member_by_token(request.cookies.get(MEMBER, ""))
    if member is None:
        return _join_page(request, translator, club)
    club.touch(member)
    url = await _table_url(request, club, member)
    return RedirectResponse(url, 303) if url else page(request, translator, "platform/club_wait.html", club=club.stored, member=member)


@router.get("/class/{club}/arrive")
async def key_page(request: Request, translator: TranslatorDep, club: ClubDep) -> Response:
    """Return the target page of a link with a key; static/club_key_from_url.js posts the key from behind the #."""
    return page(request, translator, "platform/club_arrive.html", club=club.stored)


@router.post("/class/{club}/arrive")
async def sign_in(request: Request, club: ClubDep, form: FormDep) -> Response:
    return _sign_in(request, club, first_value(form, "k"))


def _sign_in(request: Request, club: Club, key: str) -> Response:
    """Sign this device in as the owner of the key: the organiser or a member. An unknown key changes nothing."""
    role = ORGANISER if club.is_organiser(key) else MEMBER if club.member_by_token(key) else ""
    return set_role_cookie(request, club, role, key) if role else RedirectResponse(f"/class/{club.id}", 303)


async def _table_url(request: Request, club: Club, member: StoredMember) -> str:
    """Return the URL of the member's seat, or "" while they have none."""
    location = await club.location_of(member)
    return "" if location is None else seat_url("", location.table.id, request.cookies[MEMBER])


def _join_page(request: Request, translator: Translator, club: Club, error: str = "", typed: str = "") -> HTMLResponse:
    return page(request, translator, "platform/club_join.html", club=club.stored, error=error, typed=typed, longest=MAX_MEMBER_NAME_LENGTH)


@router.post("/class/{club}/join")
async def join(request: Request, translator: TranslatorDep, club: ClubDep, form: FormDep) -> Response:
    typed = first_value(form, "name")
    try:
        token = await club.join(typed)
    except TableeError as error:
        return with_error_status(_join_page(request, translator, club, error.translate(translator), typed), error)
    return set_role_cookie(request, club, MEMBER, token)


@router.get("/class/{club}/where")
async def member_location(request: Request, club: ClubDep, member: MemberDep) -> dict[str, str]:
    """Return the URL of the member's seat, if any; their device polls this."""
    club.touch(member)
    return {"go": await _table_url(request, club, member)}


@router.post("/class/{club}/leave")
async def leave(club: ClubDep, member: MemberDep) -> Response:
    """Delete the member and their cookie."""
    await club.remove(member)
    response = RedirectResponse("/", 303)
    response.delete_cookie(MEMBER, path=f"/class/{club.id}")
    return response
