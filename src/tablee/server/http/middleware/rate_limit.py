"""New tables come at a pace that people keep: a class that sits down at once, and again after each game, and no flood. The same holds for
new classes, for those who join one, for pauses, take-backs and claims, and for codes that lead nowhere.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.i18n import mark, msg
from tablee.server.http.middleware.error_responses import error_response
from tablee.server.http.middleware.limits import Limits, TokenBuckets, client_key
from tablee.server.http.middleware.wrong_codes import WrongCodeLimit

CREATES_TABLE = re.compile(r"/api/tables|/api/tables/[^/]+/(?:rematch|play-on)|/(?:new|play|first)/[^/]+|/class/[^/]+/(?:tables|members)")
IMPORTS_RECORD = re.compile(r"/api/records")
CREATES_CLUB = re.compile(r"/class")
JOINS_CLUB = re.compile(r"/class/[^/]+/join")
INTERRUPTS = re.compile(r"/api/tables/[^/]+/(?:pause|undo|seats/[^/]+/claim)")
USES_CODE = re.compile(r"/c/[^/]+|/join(?:/[^/]+)?")
CREATED_STATUSES = (201, 303)
OK_STATUSES = (200,)
RECORD_STATUSES = (201, 422)  # a refused record costs as much as one that is shown

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RateRule:
    """Of these requests, those that were answered so count."""

    method: str
    path: re.Pattern[str]
    counted_statuses: Sequence[int]
    buckets: TokenBuckets
    refusal: str
    per_path: bool = False  # whether each path is counted for itself

    def key(self, scope: Scope) -> str:
        return f"{client_key(scope)} {scope['path']}" if self.per_path else client_key(scope)

    def matches(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["method"] == self.method and bool(self.path.fullmatch(scope["path"]))


class RateLimit:
    """What was asked for and not made does not count, but for records."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        tables = mark("too many new tables from one place; the next can be made in {wait} s")
        clubs = mark("too many new classes from one place; the next can be made in {wait} s")
        joins = mark("too many join this class from one place; try again in {wait} s")
        interruptions = mark("too often; try again in {wait} s")
        codes = mark("too many codes that lead nowhere from one place; try again in {wait} s")
        self.app, new = app, TokenBuckets(limits.tables)
        self.rules = (
            RateRule("POST", CREATES_TABLE, CREATED_STATUSES, new, tables),
            RateRule("POST", IMPORTS_RECORD, RECORD_STATUSES, new, tables),
            RateRule("POST", CREATES_CLUB, CREATED_STATUSES, TokenBuckets(limits.clubs), clubs),
            RateRule("POST", JOINS_CLUB, CREATED_STATUSES, TokenBuckets(limits.joins), joins, per_path=True),
            RateRule("POST", INTERRUPTS, OK_STATUSES, TokenBuckets(limits.interruptions), interruptions, per_path=True),
        )
        self.wrong_codes, self.wrong_code_refusal = WrongCodeLimit(limits.wrong_codes), codes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        pace = next((pace for pace in self.rules if pace.matches(scope)), None)
        if scope["method"] == "GET" and USES_CODE.fullmatch(scope["path"]):
            await self._limit_codes(scope, receive, send)
        elif pace is None:
            await self.app(scope, receive, send)
        else:
            await self._limit(pace, scope, receive, send)
        if code := scope.get("state", {}).get("code"):
            self.wrong_codes.allow(client_key(scope), code)

    async def _limit_codes(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = client_key(scope)
        if wait := ceil(self.wrong_codes.wait(who, scope)):
            await _refuse(self.wrong_code_refusal, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:
                self.wrong_codes.count_wrong(who)
            await send(message)

        await self.app(scope, receive, count)

    async def _limit(self, pace: RateRule, scope: Scope, receive: Receive, send: Send) -> None:
        key = pace.key(scope)
        if wait := ceil(pace.buckets.take(key)):
            await _refuse(pace.refusal, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                made = scope.get("state", {}).get("made", 1) if message["status"] in pace.counted_statuses else 0
                pace.buckets.give_back(key, 1 - made)
            await send(message)

        await self.app(scope, receive, count)


async def _refuse(sentence: str, wait: int, scope: Scope, receive: Receive, send: Send) -> None:
    logger.info("refused: %s", sentence.partition(";")[0])
    refused = error_response(Request(scope), 429, msg(sentence, wait=wait))
    refused.headers["retry-after"] = str(wait)
    await refused(scope, receive, send)
