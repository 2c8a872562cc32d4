"""New tables come at a pace that people keep: a class that sits down at once, and again after each game, and no flood."""

from __future__ import annotations

import logging
import re
from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.core.words import say
from tablee.server.door.limits import Buckets, Limits, household
from tablee.server.web.answers import answer

MAKES_A_TABLE = re.compile(r"/api/tables|/api/tables/[^/]+/rematch|/(new|first)/[^/]+")
MADE = (201, 303)

logger = logging.getLogger(__name__)


class NewTables:
    """What was asked for and not made does not count."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.buckets = app, Buckets(limits.tables)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not MAKES_A_TABLE.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        who = household(scope)
        if wait := ceil(self.buckets.take(who)):
            logger.info("refused: one table too many")
            refused = answer(Request(scope), 429, say("too many new tables from one place; the next can be made in {wait} s", wait=wait))
            refused.headers["retry-after"] = str(wait)
            await refused(scope, receive, send)
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] not in MADE:
                self.buckets.give_back(who)
            await send(message)

        await self.app(scope, receive, count)
