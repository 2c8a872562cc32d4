"""Check of the Host and Origin headers against DNS rebinding and cross-site requests, and limits per client.

A page of another site may send requests from a browser, or rebind its own DNS name to this server. So the Host header must be an IP
address, a name that only a local network resolves, or a configured public name; and where a browser states the origin, it must be this
server before anything changes or a WebSocket opens. Programs other than browsers send no Origin header and pass.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from collections import Counter
from functools import lru_cache, partial
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.http.connection_limit import connection_of
from tablee.server.http.middleware.errors import error_response
from tablee.server.http.middleware.limits import LOCAL_CLIENT, Limits, TokenBuckets, client_key
from tablee.server.view.rendered_view import RenderQueue

HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?")
MAX_HOST_LENGTH = 260  # characters of name and port
LOCAL_SUFFIXES = (
    ".home",
    ".home.arpa",
    ".internal",
    ".lan",
    ".local",
    ".localdomain",
    ".localhost",
)  # names that the public DNS never resolves
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SAME_SITE = ("same-origin", "none")  # Sec-Fetch-Site: a page of this server, or the address bar
REQUEST_BURST_SECONDS = 30.0  # of the request rate that a client may use at once: a class opens its pages together
MOVES = re.compile(r"/api/tables/[^/]+/moves")

logger = logging.getLogger(__name__)


class Refused(TableeError):
    status = 403


class UnknownHost(Refused):
    status = 421


class CrossOrigin(Refused):
    pass


class TooManySockets(Refused):
    status = 429


class TooManyRequests(Refused):
    status = 429


class ServerFull(Refused):
    status = 503


class HostOriginCheck:
    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits
        self.sockets: Counter[str] = Counter()
        self.requests = TokenBuckets(limits.requests_per_minute, limits.clock, REQUEST_BURST_SECONDS)
        self.queue = RenderQueue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            self._check(connection)
        except Refused as error:
            logger.info("refused: %s", type(error).__name__)
            response = error_response(connection, error.status, error.sentence)
            response.headers["connection"] = "close"
            if error.status in (429, 503):
                response.headers["retry-after"] = "10"
            await response(scope, receive, send)
            return
        if scope["type"] == "http":
            if not MOVES.fullmatch(scope["path"]):
                async with self.queue.slot(urgent=scope["method"] not in SAFE_METHODS):
                    pass  # one request begins per iteration of the event loop, so that a move waits for one at most
            await self.app(scope, receive, send)
        else:
            await self._serve_socket(scope, receive, send)

    def _check(self, connection: HTTPConnection) -> None:
        opened = connection_of(connection.scope)
        if opened is not None and opened.is_over_limit:
            raise ServerFull(msg("the server is full right now; please try again in a moment"))
        host = connection.headers.get("host", "")
        if host and not (len(host) <= MAX_HOST_LENGTH and is_known_host(host, self.limits.public_names)):
            raise UnknownHost(
                msg("this server does not answer to the name {host!r}; whoever runs it can start it with --public-name", host=host[:60])
            )
        if is_cross_origin(connection, self.limits.public_names):
            raise CrossOrigin(msg("this was asked by a page of another site; open the table itself"))
        client = client_key(connection.scope)
        if connection.scope["type"] == "http":
            self._count(client, is_move=MOVES.fullmatch(connection.scope["path"]) is not None)
        if connection.scope["type"] == "websocket" and client != LOCAL_CLIENT and self.sockets[client] >= self.limits.sockets_per_client:
            raise TooManySockets(msg("too many screens are open from one place; close one that is not needed"))

    def _count(self, client: str, is_move: bool) -> None:
        """Count a request; moves have their own bucket, which a flood of other requests from the same address leaves full."""
        if client != LOCAL_CLIENT and self.requests.take(f"{client} moves" if is_move else client):
            raise TooManyRequests(msg("too many requests from one place; try again in a moment"))

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_key(scope)
        self.sockets[client] += 1
        scope.setdefault("state", {})["count_move"] = partial(self._count, client, is_move=True)  # for moves inside the WebSocket
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[client] -= 1
            if not self.sockets[client]:
                del self.sockets[client]


@lru_cache(1024)
def is_known_host(host: str, names: tuple[str, ...]) -> bool:
    """Return whether a Host header names this server."""
    found = HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].lower().rstrip(".")
    if name.startswith("["):
        return _is_address(name)
    return "." not in name or name in names or "*" in names or name.endswith(LOCAL_SUFFIXES) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_cross_origin(connection: HTTPConnection, names: tuple[str, ...]) -> bool:
    """Return whether a browser states that another site's page wants to change something or to open a WebSocket."""
    if connection.scope["type"] == "http":
        if connection.scope["method"] in SAFE_METHODS:
            return False
        if site := connection.headers.get("sec-fetch-site"):
            return site not in SAME_SITE
    origin = connection.headers.get("origin")
    return origin is not None and not _is_same_origin(origin, connection.headers.get("host", ""), names)


def _is_same_origin(origin: str, host: str, names: tuple[str, ...]) -> bool:
    """Return whether the origin is this server: equal to the Host header or, behind a proxy that changes it, a public name."""
    try:
        url = urlsplit(origin)
        return url.netloc.lower() == host.lower() or url.hostname in names
    except ValueError:
        return False
