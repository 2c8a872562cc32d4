"""Synchronisation with peer processes that share the database: what they write, and who is connected to them.

A missed notification is repaired by the next one, by a client that knows a newer version, and by the regular `resync`. Presence is
announced when it changes, and repeated regularly, so that the presence of a dead process soon expires. A single process has no peers.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.club.club import ClubRegistry, catch_up_tables
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.registry import TableRegistry
from tablee.server.storage.database import (
    CHANNEL,
    CLUB_CHANGED,
    LOBBY_CHANGED,
    MAX_NOTIFY_BYTES,
    PRESENCE,
    REACTION,
    TABLE_CHANGED,
    TABLE_DELETED,
    Database,
    LogOnce,
    reason_of,
)
from tablee.server.storage.locks import hold_serve_lock
from tablee.server.table.models import StoreError
from tablee.server.table.presence import DEFAULT_PACE

STOP = "enough"  # notification by which a process wakes its own listener to end it
WAIT_TIMEOUT = 0.5  # seconds between two polls of the stop flag, and before a reconnection

logger = logging.getLogger(__name__)
POLL_INTERVAL, REPEAT_INTERVAL = 0.3, 2.5  # seconds between two checks for changes, and between two full announcements


class Listener:
    def __init__(self, database: Database, on_message: Callable[[str, str], None], on_gap: Callable[[], None]) -> None:
        """Call `on_message` with the sender and its message, and `on_gap` whenever listening begins."""
        self._database, self._on_message, self._on_gap = database, on_message, on_gap
        self._stopped = threading.Event()
        self._failures = LogOnce(logger, "other processes are not heard just now", "other processes are heard again")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        thread = threading.Thread(target=self._run, args=[asyncio.get_running_loop()], daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            with suppress(StoreError):
                await asyncio.to_thread(self._database.publish, [STOP])  # wakes the listener
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stopped.is_set():
            try:
                self._listen(loop)
            except Exception as error:  # the driver raises many kinds when the database is away
                if not self._stopped.wait(WAIT_TIMEOUT):
                    self._failures.failed(reason_of(error))

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            hold_serve_lock(connection)
            driver_connection = connection.connection.driver_connection
            assert driver_connection is not None
            self._failures.recovered()
            loop.call_soon_threadsafe(self._on_gap)
            try:
                self._forward(driver_connection, loop)
            finally:
                connection.invalidate()  # the pool must not reuse a connection that listens

    def _forward(self, connection: Any, loop: asyncio.AbstractEventLoop) -> None:
        """Forward the peers' notifications to the event loop until the listener is stopped."""
        while not self._stopped.is_set():
            for notification in connection.notifies(timeout=WAIT_TIMEOUT, stop_after=1):
                process, _, message = notification.payload.partition(" ")
                if process != self._database.node_id:
                    loop.call_soon_threadsafe(self._on_message, process, message)


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


class PeerSync:
    def __init__(self, registry: TableRegistry, lobbies: LobbyRegistry, clubs: ClubRegistry) -> None:
        self._registry, self._lobbies, self._clubs = registry, lobbies, clubs
        self._database = registry.store.database
        self._presence = PeerPresence(self._database)
        self._tasks: set[asyncio.Task[None]] = set()
        self._handlers: dict[str, Callable[[str, str], None]] = {
            TABLE_CHANGED: self._on_table_changed,
            LOBBY_CHANGED: self._on_lobby_changed,
            TABLE_DELETED: self._on_table_deleted,
            CLUB_CHANGED: self._on_club_changed,
            PRESENCE: self._on_presence,
            REACTION: self._on_reaction,
        }

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Exchange notifications with the peers while the context is open."""
        if not self._database.shared:
            yield
            return
        async with Listener(self._database, self._dispatch, self._resync_everything).listening():
            announcing = asyncio.get_running_loop().create_task(self._presence.announce_forever(self))
            try:
                yield
            finally:
                announcing.cancel()
                await self._presence.announce(())

    def __iter__(self) -> Iterator[PresenceSource]:
        """Iterate over all open tables, lobbies and clubs of this process."""
        yield from self._registry.tables
        yield from self._lobbies.open_lobbies
        yield from self._clubs.open_clubs

    async def resync(self) -> None:
        """Catch up with changes whose notifications were missed."""
        if self._database.shared:
            await self._resync_tables()
            await self._resync_lobbies()
            await self._resync_clubs()

    async def _resync_tables(self) -> None:
        if tables := self._registry.tables:
            newest = await asyncio.to_thread(self._registry.store.versions, [table.id for table in tables])
            for table in tables:
                if newest.get(table.id, 0) != table.version:
                    await table.catch_up()

    async def _resync_lobbies(self) -> None:
        if lobbies := [lobby for lobby in self._lobbies.open_lobbies if not lobby.started]:
            newest = await asyncio.to_thread(self._registry.store.revisions, [lobby.id for lobby in lobbies])
            for lobby in lobbies:
                if newest.get(lobby.id) != lobby.stored.revision:
                    self._spawn(lobby.reload())

    async def _resync_clubs(self) -> None:
        for club in self._clubs.open_clubs:
            self._spawn(club.reload())
        if of_clubs := [table for table in self._registry.tables if table.settings.club]:
            paused = await asyncio.to_thread(self._clubs.store.paused, {table.settings.club for table in of_clubs})
            for table in of_clubs:
                if table.club_paused != (table.settings.club in paused):
                    await table.catch_up()

    def _dispatch(self, process: str, message: str) -> None:
        """Call the handler of a message; kinds that only a newer version knows are ignored."""
        kind, _, rest = message.partition(" ")
        if kind in self._handlers:
            self._handlers[kind](process, rest)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_ignoring_errors(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _resync_everything(self) -> None:
        for table in self._registry.tables:
            self._spawn(table.catch_up())
        for lobby in self._lobbies.open_lobbies:
            self._spawn(lobby.reload())
        for club in self._clubs.open_clubs:
            self._spawn(club.reload())

    def _on_table_changed(self, _: str, message: str) -> None:
        name, version = message.split()
        table = self._registry.get_open(name)
        if table is not None and (version == "0" or int(version) > table.version):
            self._spawn(table.catch_up())

    def _on_lobby_changed(self, _: str, name: str) -> None:
        lobby = self._lobbies.get_open(name)
        if lobby is not None:
            self._spawn(lobby.reload())

    def _on_table_deleted(self, _: str, name: str) -> None:
        self._registry.mark_deleted(name, msg("this table was deleted"))

    def _on_club_changed(self, _: str, name: str) -> None:
        club = self._clubs.get_open(name)
        if club is not None:
            self._spawn(club.reload())
        self._spawn(catch_up_tables(self._registry, name))

    def _on_presence(self, process: str, message: str) -> None:
        places = {place.id: place for place in self}
        for name, pace, people in decode_presence(message):
            if name in places:
                places[name].on_peer_presence(process, pace, people)

    def _on_reaction(self, _: str, message: str) -> None:
        name, seat, reaction = message.split()
        table = self._registry.get_open(name)
        if table is not None:
            table.reactions.show(Seat(int(seat)), reaction)


async def _ignoring_errors(work: Coroutine[Any, Any, None]) -> None:
    """Do the work and ignore Tablée's errors: the next resync repeats what failed."""
    with suppress(TableeError):
        await work
