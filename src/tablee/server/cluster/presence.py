"""Presence of people connected to this process, announced to its peers.

It is announced when it changes, and repeated regularly, so that the presence of a dead process soon expires.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from tablee.server.storage.database import MAX_NOTIFY_BYTES, PRESENCE, Database
from tablee.server.table.models import StoreError
from tablee.server.table.presence import DEFAULT_PACE

POLL_INTERVAL, REPEAT_INTERVAL = 0.3, 2.5  # seconds between two checks for changes, and between two full announcements

logger = logging.getLogger(__name__)


class PresenceSource(Protocol):
    """Place where people are: a table, a lobby or a club."""

    @property
    def id(self) -> str: ...

    def presence_summary(self) -> str | None:
        """Return the people connected to this process as `pace:seat,seat`, with the bots' pace that they want; None if there are none."""

    def on_peer_presence(self, process: str, pace: str, people: list[str]) -> None:
        """Record the people connected to this place through another process, and the pace at which they want bots to play."""


class PeerPresence:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._announced: dict[str, str] = {}
        self._announced_at = 0.0

    async def announce(self, places: Iterable[PresenceSource]) -> None:
        """Announce changes of presence to the peers; if the last full announcement is too old, announce all presence."""
        now = {place.id: summary for place in places if (summary := place.presence_summary()) is not None}
        repeat = time.monotonic() - self._announced_at > REPEAT_INTERVAL
        changed = {place: summary for place, summary in now.items() if repeat or self._announced.get(place) != summary}
        gone = {place: f"{DEFAULT_PACE}:" for place in self._announced if place not in now}
        self._announced, self._announced_at = now, time.monotonic() if repeat else self._announced_at
        if messages := list(encode_presence(changed | gone)):
            try:
                await asyncio.to_thread(self._database.publish, messages)
            except StoreError as error:
                logger.info("presence is not announced to other processes: %s", error)

    async def announce_forever(self, places: Iterable[PresenceSource]) -> None:
        while True:
            await self.announce(places)
            await asyncio.sleep(POLL_INTERVAL)


def encode_presence(summaries: Mapping[str, str]) -> Iterator[str]:
    """Yield the presence at these places in as few messages as possible."""
    message = ""
    for place, people in summaries.items():
        entry = f" {place}:{people}"
        if len(message) + len(entry) > MAX_NOTIFY_BYTES:
            yield PRESENCE + message
            message = ""
        message += entry
    if message:
        yield PRESENCE + message


def decode_presence(message: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the place, the pace of bots and the people of each entry in a presence message."""
    for entry in message.split():
        place, pace, people = entry.split(":")
        yield place, pace, [each for each in people.split(",") if each]
