"""Who asks, at the pages of a class: its organiser and its members are known by a cookie that is sent to the pages of that one class only;
the two are different ones, so a teacher may also sit down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.core.i18n import say
from tablee.server.club.club import Club, ClubHouse
from tablee.server.http.urls import address_for_friends
from tablee.server.storage.clubs import MemberKept
from tablee.server.storage.database import StoreError

ORGANISER, MEMBER = "tablee_organiser", "tablee_member"
KEPT_FOR = 183 * 24 * 3600  # seconds, as long as the class
MOST_CHOSEN = 200  # fields of a form


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


async def runs_it(request: Request, club: AtClub) -> Club:
    """Only its organiser may."""
    if not club.is_organiser(request.cookies.get(ORGANISER, "")):
        raise NotTheOrganiser(say("only the organiser of this class may do that"))
    return club


async def who_asks(request: Request, club: AtClub) -> MemberKept:
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


def key_link(request: Request, club: Club, key: str) -> str:
    return f"{address_for_friends(request)}/class/{club.id}/arrive#k={key}"


def remember(request: Request, club: Club, role: str, token: str) -> Response:
    """This device is known to the class from now on."""
    answer = RedirectResponse(f"/class/{club.id}", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(role, token, max_age=KEPT_FOR, path=f"/class/{club.id}", samesite="lax", httponly=True, secure=secure)
    return answer


def again(answer: HTMLResponse, error: TableeError) -> HTMLResponse:
    """The page again, with what was wrong."""
    answer.status_code = 503 if isinstance(error, StoreError) else 422
    return answer
