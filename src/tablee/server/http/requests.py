"""What routes read off a request: table, lobby or club, the seat's token, a form, the reader's language, and the addresses of links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qs

from babel import negotiate_locale
from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from tablee.core.i18n import LANGUAGES, Translator, msg
from tablee.server.club.club import ClubRegistry
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.registry import TableRegistry
from tablee.server.table.seats import NotYourSeat
from tablee.server.table.table import Table
from tablee.server.view.rendering import LOCAL_HOSTNAMES

LANGUAGE_COOKIE = "tablee_lang"
MAX_FORM_FIELDS = 200

TableId = Annotated[str, Path(description="the table's id, as in its link")]


def registry_of(request: Request) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


def lobbies_of(connection: HTTPConnection) -> LobbyRegistry:
    found: LobbyRegistry = connection.app.state.lobbies
    return found


def clubs_of(request: Request) -> ClubRegistry:
    clubs: ClubRegistry = request.app.state.clubs
    return clubs


# The dependencies are coroutines although they await nothing: FastAPI runs a plain function in a thread pool.


bearer = HTTPBearer(
    auto_error=False,
    scheme_name="seat",
    description="the token of a seat, from the response of `POST /api/tables`; without one the request is a spectator's",
)


async def bearer_token(request: Request, described: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    """Return the bearer token, None for a spectator; refuse a malformed header, which FastAPI would treat as absent."""
    authorization = request.headers.get("authorization")
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotYourSeat(msg("the Authorization header must be 'Bearer TOKEN'"))
    return token


async def request_translator(request: Request) -> Translator:
    return translator_for(request)


async def open_table(request: Request, table: TableId) -> Table:
    return await registry_of(request).table(table)


TableDep = Annotated[Table, Depends(open_table)]
TokenDep = Annotated[str | None, Depends(bearer_token)]
TranslatorDep = Annotated[Translator, Depends(request_translator)]


async def parse_form(request: Request) -> Mapping[str, list[str]]:
    try:
        return parse_qs((await request.body()).decode(errors="replace"), max_num_fields=MAX_FORM_FIELDS)
    except ValueError:  # more fields than any of our forms has
        return {}


FormDep = Annotated[Mapping[str, list[str]], Depends(parse_form)]


def first_value(form: Mapping[str, list[str]], name: str) -> str:
    return form.get(name, [""])[0]


def translator_for(request: HTTPConnection) -> Translator:
    for chosen in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if chosen in LANGUAGES:
            return Translator(str(chosen))
    return Translator(negotiate_language(request.headers.get("accept-language", "")))


def negotiate_language(header: str) -> str:
    """Return the supported language that an Accept-Language header prefers, else English."""
    wanted = sorted((_parse_language(part) for part in header.split(",") if part.strip()), reverse=True)
    preferred = [code for weight, _, code in wanted if weight > 0]
    return negotiate_locale(preferred, LANGUAGES, sep="-") or "en"


def _parse_language(part: str) -> tuple[float, int, str]:
    code, _, quality = part.strip().partition(";q=")
    try:
        return float(quality or 1), -len(code), code.strip()
    except ValueError:
        return 0.0, 0, code


def public_base_url(connection: HTTPConnection) -> str:
    """Return the base URL for links; a client on `localhost` gets this computer's address in its network."""
    lan_url: str | None = connection.app.state.lan_url
    if lan_url and connection.url.hostname in LOCAL_HOSTNAMES:
        return lan_url
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


def seat_url(base: str, table: str, keys: str) -> str:
    """Return the URL of seats with their keys behind a #, which browsers send to no server, proxy or log."""
    return f"{base}/t/{table}#k={keys}"
