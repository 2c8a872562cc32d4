"""Access to the pages of a class by cookie: one for its organiser, one for a member, each sent to that class's pages only.

The cookies have different names, so that a teacher may also play.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.club.club import Club
from tablee.server.http.refusals import NotAMember, NotTheOrganiser
from tablee.server.http.requests import clubs_of, public_base_url
from tablee.server.storage.clubs import StoredMember
from tablee.server.table.models import StoreError

ORGANISER, MEMBER = "tablee_organiser", "tablee_member"
COOKIE_MAX_AGE = 183 * 24 * 3600  # seconds; the retention of an unused class


async def open_club(request: Request, club: Annotated[str, Path(max_length=16)]) -> Club:
    return await clubs_of(request).get(club)


ClubDep = Annotated[Club, Depends(open_club)]


async def require_organiser(request: Request, club: ClubDep) -> Club:
    """Return the club if the request has its organiser's cookie."""
    if not club.is_organiser(request.cookies.get(ORGANISER, "")):
        raise NotTheOrganiser(msg("only the organiser of this class may do that"))
    return club


async def require_member(request: Request, club: ClubDep) -> StoredMember:
    member = club.member_by_token(request.cookies.get(MEMBER, ""))
    if member is None:
        raise NotAMember(msg("this device does not belong to a member of this class"))
    return member


OrganisedClubDep = Annotated[Club, Depends(require_organiser)]
MemberDep = Annotated[StoredMember, Depends(require_member)]


def key_url(request: Request, club: Club, key: str) -> str:
    return f"{public_base_url(request)}/class/{club.id}/arrive#k={key}"


def set_role_cookie(request: Request, club: Club, role: str, token: str) -> Response:
    """Sign this device in as the organiser or a member, and redirect to the class."""
    response = RedirectResponse(f"/class/{club.id}", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(role, token, max_age=COOKIE_MAX_AGE, path=f"/class/{club.id}", samesite="lax", httponly=True, secure=secure)
    return response


def with_error_status(response: HTMLResponse, error: TableeError) -> HTMLResponse:
    """Set the status of a page that shows this error: 503 if the store failed, else 422."""
    response.status_code = 503 if isinstance(error, StoreError) else 422
    return response
