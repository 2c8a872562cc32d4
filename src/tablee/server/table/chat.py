"""What people say to each other, where the host allows it: one line at a time, kept before anybody hears it. In a class nobody chats, and
with bots there is nobody to talk to.
"""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.server.storage.chat_messages import MOST, Saying, keep_saying
from tablee.server.storage.database import TableMovedOn
from tablee.server.storage.notifications import TABLE
from tablee.server.table.reactions import TooSoon

if TYPE_CHECKING:
    from tablee.server.table.table import Table

LONGEST = 280  # characters
AT_ONCE, WITHIN = 5, 10.0  # so many lines of one seat in so many seconds
NEVER = ("Cc", "Cs", "Zl", "Zp")  # control characters, halves of characters, breaks between lines and paragraphs
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # would turn round what stands after the text


class NoChat(TableeError):
    """Nobody chats at this table."""


class Chat:
    def __init__(self, table: Table, said: Sequence[Saying]) -> None:
        self._table = table
        self.said = tuple(said)
        self._times: dict[Seat, deque[float]] = defaultdict(lambda: deque(maxlen=AT_ONCE))
        self._lock = asyncio.Lock()

    @property
    def open(self) -> bool:
        settings = self._table.settings
        return settings.chat and not settings.club and len(self._table.seating.people) > 1

    @property
    def mark(self) -> int:
        """Another one whenever somebody has said something."""
        return self.said[-1].number if self.said else 0

    async def say(self, seat: Seat, text: str, client_id: str) -> int:
        """Counts once however often it is sent; returns the line's number. Whoever stops waiting, it is kept to its end."""
        if not self.open:
            raise NoChat(say("there is no chat at this table"))
        line = one_line(text)
        return await asyncio.shield(asyncio.get_running_loop().create_task(self._say(seat, line, client_id)))

    async def _say(self, seat: Seat, line: str, client_id: str) -> int:
        async with self._lock:
            known = next((each.number for each in self.said if (each.seat, each.client_id) == (seat, client_id)), None)
            if known is not None:
                return known
            times, now = self._times[seat], time.monotonic()
            if len(times) == AT_ONCE and now - times[0] < WITHIN:
                raise TooSoon(say("not so fast: wait a few seconds before you say more"))
            said = Saying(self.mark + 1, seat, self._table.name_of(seat), line, client_id)
            try:
                await asyncio.to_thread(self._keep, said)
            except TableMovedOn:  # somebody said something at another process
                await self._table.catch_up()
                said = replace(said, number=self.mark + 1)
                await asyncio.to_thread(self._keep, said)
            times.append(now)
            self.said = (*self.said, said)[-MOST:]
            self._table.bell.ring()
            return said.number

    def _keep(self, said: Saying) -> None:
        database = self._table.store.database
        with database.writing() as connection:
            keep_saying(connection, self._table.id, said)
            database.tell(connection, f"{TABLE} {self._table.id} 0")


def one_line(text: str) -> str:
    """The text without what stands around it, or a sentence about what is wrong with it."""
    line = text.strip()
    if any(unicodedata.category(each) in NEVER or each in TURNING for each in line):
        raise TableeError(say("a message is one line, without control characters"))
    if not any(each.isprintable() and not each.isspace() for each in line):
        raise TableeError(say("an empty message says nothing"))
    return line
