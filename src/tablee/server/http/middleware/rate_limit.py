"""Rate limits of new tables and classes, of joins, of pauses, undo requests and claims, and of wrong codes.

They are high enough for a school class whose members all sit down together, and again after each game, but stop a flood of requests.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.i18n import mark, msg
from tablee.server.http.middleware.errors import error_response
from tablee.server.http.middleware.limits import Limits, TokenBuckets, client_key, network
from tablee.server.storage.mappers import normalize_code

CREATES_TABLE = re.compile(r"/api/tables|/api/tables/[^/]+/(?:rematch|play-on)|/(?:new|play|first)/[^/]+|/class/[^/]+/(?:tables|members)")
IMPORTS_RECORD = re.compile(r"/api/records")
CREATES_CLUB = re.compile(r"/class")
JOINS_CLUB = re.compile(r"/class/[^/]+/join")
INTERRUPTS = re.compile(r"/api/tables/[^/]+/(?:pause|undo|seats/[^/]+/claim)")
USES_CODE = re.compile(r"/c/[^/]+|/join(?:/[^/]+)?")
CREATED_STATUSES = (201, 303)
OK_STATUSES = (200,)
RECORD_STATUSES = (201, 422)  # a refused record costs as much as one that is shown
NETWORK_FACTOR, SERVER_FACTOR = 4, 10  # times the limit of a client
FREE_MISTAKES = 3  # wrong codes of a client that do not count as guessing
MAX_KNOWN_CODES = 10_000  # pairs of network and code
WHOLE_SERVER = "all"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RateRule:
    """Requests that share a rate limit, and the response statuses that count."""

    method: str
    path: re.Pattern[str]
    counted_statuses: Sequence[int]
    buckets: TokenBuckets
    refusal: str
    per_path: bool = False  # whether each path has its own bucket

    def key(self, scope: Scope) -> str:
        return f"{client_key(scope)} {scope['path']}" if self.per_path else client_key(scope)

    def matches(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["method"] == self.method and bool(self.path.fullmatch(scope["path"]))


class RateLimit:
    """Middleware that applies the rate limits; a refused request does not count, except an import of a record."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        tables = mark("too many new tables from one place; the next can be made in {wait} s")
        clubs = mark("too many new classes from one place; the next can be made in {wait} s")
        joins = mark("too many join this class from one place; try again in {wait} s")
        interruptions = mark("too often; try again in {wait} s")
        codes = mark("too many codes that lead nowhere from one place; try again in {wait} s")
        self.app, new = app, TokenBuckets(limits.tables_per_minute, limits.clock)
        self.rules = (
            RateRule("POST", CREATES_TABLE, CREATED_STATUSES, new, tables),
            RateRule("POST", IMPORTS_RECORD, RECORD_STATUSES, new, tables),
            RateRule("POST", CREATES_CLUB, CREATED_STATUSES, TokenBuckets(limits.clubs_per_minute, limits.clock), clubs),
            RateRule("POST", JOINS_CLUB, CREATED_STATUSES, TokenBuckets(limits.joins_per_minute, limits.clock), joins, per_path=True),
            RateRule(
                "POST", INTERRUPTS, OK_STATUSES, TokenBuckets(limits.interruptions_per_minute, limits.clock), interruptions, per_path=True
            ),
        )
        self.wrong_codes, self.wrong_code_refusal = WrongCodeLimit(limits.wrong_codes_per_minute, limits.clock), codes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        rule = next((rule for rule in self.rules if rule.matches(scope)), None)
        if scope["method"] == "GET" and USES_CODE.fullmatch(scope["path"]):
            await self._limit_codes(scope, receive, send)
        elif rule is None:
            await self.app(scope, receive, send)
        else:
            await self._limit(rule, scope, receive, send)
        if code := scope.get("state", {}).get("code"):
            self.wrong_codes.allow(client_key(scope), code)

    async def _limit_codes(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_key(scope)
        if wait := ceil(self.wrong_codes.wait(client, scope)):
            await _refuse(self.wrong_code_refusal, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:
                self.wrong_codes.count_wrong(client)
            await send(message)

        await self.app(scope, receive, count)

    async def _limit(self, rule: RateRule, scope: Scope, receive: Receive, send: Send) -> None:
        key = rule.key(scope)
        if wait := ceil(rule.buckets.take(key)):
            await _refuse(rule.refusal, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                cost = scope.get("state", {}).get("tables_created", 1) if message["status"] in rule.counted_statuses else 0
                rule.buckets.add_tokens(key, 1 - cost)
            await send(message)

        await self.app(scope, receive, count)


async def _refuse(sentence: str, wait: int, scope: Scope, receive: Receive, send: Send) -> None:
    logger.info("refused: %s", sentence.partition(";")[0])
    response = error_response(Request(scope), 429, msg(sentence, wait=wait))
    response.headers["retry-after"] = str(wait)
    await response(scope, receive, send)


class WrongCodeLimit:
    """Rate limit of wrong codes: per client, per /48 network of IPv6, and for the whole server.

    A guesser does not lock others out. When the server's bucket is empty, only clients that guessed themselves wait; and a code that was
    created, shown to its owner or typed correctly in a network stays open to that network.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._per_client, self._per_network, self._whole_server = (
            TokenBuckets(times * per_minute, clock) for times in (1, NETWORK_FACTOR, SERVER_FACTOR)
        )
        self._known: dict[tuple[str, str], None] = {}  # newest last

    def wait(self, client: str, scope: Scope) -> float:
        """Return the seconds until this client may try the request's code."""
        if (network(client), _code(scope)) in self._known:
            return 0.0
        is_guessing = self._per_client.taken(client) > FREE_MISTAKES
        return max(
            self._per_client.wait(client),
            self._per_network.wait(network(client)),
            self._whole_server.wait(WHOLE_SERVER) if is_guessing else 0.0,
        )

    def count_wrong(self, client: str) -> None:
        """Count a wrong code of this client."""
        for buckets, key in ((self._per_client, client), (self._per_network, network(client)), (self._whole_server, WHOLE_SERVER)):
            buckets.add_tokens(key, -1)

    def allow(self, client: str, code: str) -> None:
        """Remember that this network knows a right code."""
        known = network(client), code
        self._known.pop(known, None)
        self._known[known] = None
        if len(self._known) > MAX_KNOWN_CODES:
            del self._known[next(iter(self._known))]


def _code(scope: Scope) -> str:
    """Return the code in a request's path or query."""
    typed = parse_qs(scope["query_string"].decode("latin-1")).get("code", [""])[0]
    return normalize_code(typed if scope["path"] == "/join" else scope["path"].rpartition("/")[2])
