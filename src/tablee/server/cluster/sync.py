"""Synchronisation with peer processes: reactions to what another process has written or announces.

A missed notification is repaired by the next one, by a client that knows a newer version, and by the regular `resync`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.club.club import ClubRegistry, catch_up_tables
from tablee.server.cluster.listener import Listener
from tablee.server.cluster.presence import PeerPresence, PresenceSource, decode_presence
from tablee.server.lobby.registry import LobbyRegistry
from tablee.server.registry import TableRegistry
from tablee.server.storage.database import CLUB_CHANGED, LOBBY_CHANGED, PRESENCE, REACTION, TABLE_CHANGED, TABLE_DELETED

logger = logging.getLogger(__name__)


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
