"""Who is at the screens of this process: told to the others when it changes, and again and again, so that a process that dies is not
believed for long.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from tablee.server.storage.database import MAX_NOTIFY_BYTES, Database, StoreError
from tablee.server.storage.notifications import PRESENCE
from tablee.server.table.presence import DEFAULT_PACE

POLL_INTERVAL, REPEAT_INTERVAL = 0.3, 2.5  # seconds: so often changes are noticed, and everything is told

logger = logging.getLogger(__name__)


class PresenceSource(Protocol):
    """Where people are: a table, one that gathers, or a club."""

    @property
    def id(self) -> str: ...

    def presence_summary(self) -> str | None:
        """As others are told, `pace:seat,seat`; None where nobody looks."""

    def on_peer_presence(self, process: str, pace: str, people: list[str]) -> None:
        """These are there, at another process."""


class PeerPresence:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._announced: dict[str, str] = {}
        self._announced_at = 0.0

    async def announce(self, places: Iterable[PresenceSource]) -> None:
        """As far as it is news, or long ago."""
        now = {place.id: said for place in places if (said := place.presence_summary()) is not None}
        again = time.monotonic() - self._announced_at > REPEAT_INTERVAL
        news = {place: said for place, said in now.items() if again or self._announced.get(place) != said}
        gone = {place: f"{DEFAULT_PACE}:" for place in self._announced if place not in now}
        self._announced, self._announced_at = now, time.monotonic() if again else self._announced_at
        if words := list(encode_presence(news | gone)):
            try:
                await asyncio.to_thread(self._database.publish, words)
            except StoreError as error:
                logger.info("others are not told who is here: %s", error)

    async def announce_forever(self, places: Iterable[PresenceSource]) -> None:
        while True:
            await self.announce(places)
            await asyncio.sleep(POLL_INTERVAL)


def encode_presence(news: Mapping[str, str]) -> Iterator[str]:
    """In as few words as they fit into."""
    said = ""
    for place, people in news.items():
        one = f" {place}:{people}"
        if len(said) + len(one) > MAX_NOTIFY_BYTES:
            yield PRESENCE + said
            said = ""
        said += one
    if said:
        yield PRESENCE + said


def decode_presence(word: str) -> Iterator[tuple[str, str, list[str]]]:
    """The place, the pace and the people of each."""
    for one in word.split():
        place, pace, people = one.split(":")
        yield place, pace, [each for each in people.split(",") if each]
