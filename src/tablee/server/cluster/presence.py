"""Who is at the screens of this process: told to the others when it changes, and again and again, so that a process that dies is not
believed for long.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from tablee.server.storage.database import A_WORD, Database, StoreError
from tablee.server.storage.notifications import HERE
from tablee.server.table.presence import USUAL

LOOK, AGAIN = 0.3, 2.5  # seconds: so often changes are noticed, and everything is told

logger = logging.getLogger(__name__)


class Place(Protocol):
    """Where people are: a table, one that gathers, or a club."""

    @property
    def id(self) -> str: ...

    def who(self) -> str | None:
        """As others are told, `pace:seat,seat`; None where nobody looks."""

    def heard_of(self, process: str, pace: str, people: list[str]) -> None:
        """These are there, at another process."""


class Presence:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._told: dict[str, str] = {}
        self._when = 0.0

    async def announce(self, places: Iterable[Place]) -> None:
        """As far as it is news, or long ago."""
        now = {place.id: said for place in places if (said := place.who()) is not None}
        again = time.monotonic() - self._when > AGAIN
        news = {place: said for place, said in now.items() if again or self._told.get(place) != said}
        gone = {place: f"{USUAL}:" for place in self._told if place not in now}
        self._told, self._when = now, time.monotonic() if again else self._when
        if words := list(in_words(news | gone)):
            try:
                await asyncio.to_thread(self._database.whisper, words)
            except StoreError as error:
                logger.info("others are not told who is here: %s", error)

    async def keep_announcing(self, places: Iterable[Place]) -> None:
        while True:
            await self.announce(places)
            await asyncio.sleep(LOOK)


def in_words(news: Mapping[str, str]) -> Iterator[str]:
    """In as few words as they fit into."""
    said = ""
    for place, people in news.items():
        one = f" {place}:{people}"
        if len(said) + len(one) > A_WORD:
            yield HERE + said
            said = ""
        said += one
    if said:
        yield HERE + said


def heard(word: str) -> Iterator[tuple[str, str, list[str]]]:
    """The place, the pace and the people of each."""
    for one in word.split():
        place, pace, people = one.split(":")
        yield place, pace, [each for each in people.split(",") if each]
