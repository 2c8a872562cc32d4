"""New tables come at a pace that people keep: a class that sits down at once, and again after each game, and no flood. The same holds for
new classes and for codes that lead nowhere.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.words import note, say
from tablee.server.door.answers import answer
from tablee.server.door.limits import Buckets, Limits, household

MAKES_A_TABLE = re.compile(r"/api/tables|/api/tables/[^/]+/(?:rematch|play-on)|/(?:new|play|first)/[^/]+|/class/[^/]+/(?:tables|members)")
BRINGS_A_RECORD = re.compile(r"/api/records")
FOUNDS_A_CLUB = re.compile(r"/class")
NAMES_A_CODE = re.compile(r"/c/[^/]+|/join(?:/[^/]+)?")
MADE = (201, 303)
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

    def meets(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["method"] == self.method and bool(self.path.fullmatch(scope["path"]))


class NewTables:
    """What was asked for and not made does not count, but for records."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        tables = note("too many new tables from one place; the next can be made in {wait} s")
        clubs = note("too many new classes from one place; the next can be made in {wait} s")
        codes = note("too many codes that lead nowhere from one place; try again in {wait} s")
        self.app, new = app, Buckets(limits.tables)
        self.paces = (
            Pace("POST", MAKES_A_TABLE, MADE, new, tables),
            Pace("POST", BRINGS_A_RECORD, CHECKED, new, tables),
            Pace("POST", FOUNDS_A_CLUB, MADE, Buckets(limits.clubs), clubs),
            Pace("GET", NAMES_A_CODE, (404,), Buckets(limits.wrong_codes), codes),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        pace = next((pace for pace in self.paces if pace.meets(scope)), None)
        if pace is None:
            await self.app(scope, receive, send)
            return
        who = household(scope)
        if wait := ceil(pace.buckets.take(who)):
            logger.info("refused: one too many of %s", pace.path.pattern)
            refused = answer(Request(scope), 429, say(pace.refusal, wait=wait))
            refused.headers["retry-after"] = str(wait)
            await refused(scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                made = scope.get("state", {}).get("made", 1) if message["status"] in pace.counts else 0
                pace.buckets.give_back(who, 1 - made)
            await send(message)

        await self.app(scope, receive, count)
