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

from tablee.core.i18n import note, say
from tablee.server.http.middleware.error_responses import answer
from tablee.server.http.middleware.limits import Buckets, Limits, household
from tablee.server.http.middleware.wrong_codes import WrongCodes

MAKES_A_TABLE = re.compile(r"/api/tables|/api/tables/[^/]+/(?:rematch|play-on)|/(?:new|play|first)/[^/]+|/class/[^/]+/(?:tables|members)")
BRINGS_A_RECORD = re.compile(r"/api/records")
FOUNDS_A_CLUB = re.compile(r"/class")
JOINS_A_CLUB = re.compile(r"/class/[^/]+/join")
INTERRUPTS = re.compile(r"/api/tables/[^/]+/(?:pause|undo|seats/[^/]+/claim)")
NAMES_A_CODE = re.compile(r"/c/[^/]+|/join(?:/[^/]+)?")
MADE = (201, 303)
DONE = (200,)
CHECKED = (201, 422)  # a refused record costs as much as one that is shown

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pace:
    """Of these requests, those that were answered so count."""

    method: str
    path: re.Pattern[str]
    counts: Sequence[int]
    buckets: Buckets
    refusal: str
    apart: bool = False  # whether each path is counted for itself

    def key(self, scope: Scope) -> str:
        return f"{household(scope)} {scope['path']}" if self.apart else household(scope)

    def meets(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["method"] == self.method and bool(self.path.fullmatch(scope["path"]))


class NewTables:
    """What was asked for and not made does not count, but for records."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        tables = note("too many new tables from one place; the next can be made in {wait} s")
        clubs = note("too many new classes from one place; the next can be made in {wait} s")
        joins = note("too many join this class from one place; try again in {wait} s")
        interruptions = note("too often; try again in {wait} s")
        codes = note("too many codes that lead nowhere from one place; try again in {wait} s")
        self.app, new = app, Buckets(limits.tables)
        self.paces = (
            Pace("POST", MAKES_A_TABLE, MADE, new, tables),
            Pace("POST", BRINGS_A_RECORD, CHECKED, new, tables),
            Pace("POST", FOUNDS_A_CLUB, MADE, Buckets(limits.clubs), clubs),
            Pace("POST", JOINS_A_CLUB, MADE, Buckets(limits.joins), joins, apart=True),
            Pace("POST", INTERRUPTS, DONE, Buckets(limits.interruptions), interruptions, apart=True),
        )
        self.codes, self.too_many_codes = WrongCodes(limits.wrong_codes), codes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        pace = next((pace for pace in self.paces if pace.meets(scope)), None)
        if scope["method"] == "GET" and NAMES_A_CODE.fullmatch(scope["path"]):
            await self._try_code(scope, receive, send)
        elif pace is None:
            await self.app(scope, receive, send)
        else:
            await self._count(pace, scope, receive, send)
        if code := scope.get("state", {}).get("code"):
            self.codes.learn(household(scope), code)

    async def _try_code(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = household(scope)
        if wait := ceil(self.codes.wait(who, scope)):
            await _refuse(self.too_many_codes, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:
                self.codes.count(who)
            await send(message)

        await self.app(scope, receive, count)

    async def _count(self, pace: Pace, scope: Scope, receive: Receive, send: Send) -> None:
        key = pace.key(scope)
        if wait := ceil(pace.buckets.take(key)):
            await _refuse(pace.refusal, wait, scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                made = scope.get("state", {}).get("made", 1) if message["status"] in pace.counts else 0
                pace.buckets.give_back(key, 1 - made)
            await send(message)

        await self.app(scope, receive, count)


async def _refuse(sentence: str, wait: int, scope: Scope, receive: Receive, send: Send) -> None:
    logger.info("refused: %s", sentence.partition(";")[0])
    refused = answer(Request(scope), 429, say(sentence, wait=wait))
    refused.headers["retry-after"] = str(wait)
    await refused(scope, receive, send)
