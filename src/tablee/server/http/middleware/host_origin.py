"""Who may come in: nobody under a strange name, no other site's page in a visitor's name, and not everybody at once.

A page of another site may send a browser here, or, by changing what its own name stands for, pass as ours. So a request must call this
server by an address, by a name that only the local network gives out, or by one that its keeper named; and where a browser says which
page asks, it must be one of ours before anything is changed or a socket is opened. Programs say nothing of that kind, and pass.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
from collections import Counter
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.http.middleware.error_responses import error_response
from tablee.server.http.middleware.limits import LOCAL_CLIENT, Limits, TokenBuckets, client_key
from tablee.server.view.render_queue import RenderQueue

HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?")
MAX_HOST_LENGTH = 260  # characters of a name and its port
LOCAL_SUFFIXES = (
    ".home",
    ".home.arpa",
    ".internal",
    ".lan",
    ".local",
    ".localdomain",
    ".localhost",
)  # no such name is given out to the world
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SAME_SITE = ("same-origin", "none")  # Sec-Fetch-Site: a page of this server, or the person at the address bar
OVER_LIMIT = "crowded"  # in the scope's state, where server/http/connection_limit.py says that this connection is one too many
HELLO_TIMEOUT = 15.0
REQUEST_BURST_SECONDS = 30.0  # that a household may make at once: a class opens its pages together
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
        self.requests = TokenBuckets(limits.requests, seconds=REQUEST_BURST_SECONDS)
        self.queue = RenderQueue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        try:
            self._check(asked)
        except Refused as error:
            logger.info("refused: %s", type(error).__name__)
            refused = error_response(asked, error.status, error.sentence)
            if error.status in (429, 503):
                refused.headers.update({"retry-after": "10", "connection": "close"})
            await refused(scope, receive, send)
            return
        if scope["type"] == "http":
            if not MOVES.fullmatch(scope["path"]):
                async with self.queue.slot(urgent=scope["method"] not in SAFE_METHODS):
                    pass  # one begins in each iteration of the event loop, so that moves never wait for more than one
            await self.app(scope, receive, send)
        else:
            await self._serve_socket(scope, receive, send)

    def _check(self, asked: HTTPConnection) -> None:
        if asked.scope.get("state", {}).get(OVER_LIMIT):
            raise ServerFull(msg("the server is full right now; please try again in a moment"))
        host = asked.headers.get("host", "")
        if host and not (len(host) <= MAX_HOST_LENGTH and is_known_host(host, self.limits.names)):
            raise UnknownHost(
                msg("this server does not answer to the name {host!r}; whoever runs it can start it with --public-name", host=host[:60])
            )
        if is_cross_origin(asked, self.limits.names):
            raise CrossOrigin(msg("this was asked by a page of another site; open the table itself"))
        who = client_key(asked.scope)
        if asked.scope["type"] == "http" and who != LOCAL_CLIENT:
            moves = MOVES.fullmatch(asked.scope["path"])  # have a bucket of their own: a flood from the same address leaves them alone
            if self.requests.take(f"{who} moves" if moves else who):
                raise TooManyRequests(msg("too many requests from one place; try again in a moment"))
        if asked.scope["type"] == "websocket" and who != LOCAL_CLIENT and self.sockets[who] >= self.limits.screens:
            raise TooManySockets(msg("too many screens are open from one place; close one that is not needed"))

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = client_key(scope)
        self.sockets[who] += 1
        try:
            await self.app(scope, _HelloTimeout(receive, send), send)
        finally:
            self.sockets[who] -= 1
            if not self.sockets[who]:
                del self.sockets[who]


@lru_cache(1024)
def is_known_host(host: str, names: tuple[str, ...]) -> bool:
    """Whether a Host header names this server."""
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


def is_cross_origin(asked: HTTPConnection, names: tuple[str, ...]) -> bool:
    """Whether a browser says that another site's page wants to change something, or to open a socket."""
    if asked.scope["type"] == "http":
        if asked.scope["method"] in SAFE_METHODS:
            return False
        if site := asked.headers.get("sec-fetch-site"):
            return site not in SAME_SITE
    origin = asked.headers.get("origin")
    return origin is not None and not _is_same_origin(origin, asked.headers.get("host", ""), names)


def _is_same_origin(origin: str, host: str, names: tuple[str, ...]) -> bool:
    """A proxy may have changed the Host header; then the name is one that the keeper gave."""
    try:
        said = urlsplit(origin)
        return said.netloc.lower() == host.lower() or said.hostname in names
    except ValueError:
        return False


class _HelloTimeout:
    """A socket that was opened has some seconds to say hello; later it may be silent as long as it likes."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self.receive, self.send = receive, send
        self.heard = False

    async def __call__(self) -> Message:
        if self.heard:
            return await self.receive()
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                message = await self.receive()
        except TimeoutError:
            await self.send({"type": "websocket.close", "code": 1008})
            return {"type": "websocket.disconnect", "code": 1008}
        self.heard = message["type"] == "websocket.receive"
        return message
