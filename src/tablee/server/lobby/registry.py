"""The hall: every table that gathers, found by its address or by a code that is read out, until its game begins."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress

from tablee.core import fairness
from tablee.core.game import Game
from tablee.server.lobby.lobby import HOST_AWAY_AFTER, GameStarted, Lobby
from tablee.server.lobby.seats import add_seat, common_options, per_seat_options, set_colour
from tablee.server.storage.database import StoreError
from tablee.server.storage.models import StoredSeat, StoredTable, hash_token
from tablee.server.storage.schema import HUMAN, IN_LOBBY
from tablee.server.storage.store import Store
from tablee.server.table.seats import normalize_name


class LobbyRegistry:
    def __init__(self, store: Store, game: Callable[[str], Game], host_away_after: float = HOST_AWAY_AFTER) -> None:
        self._store, self._game, self._host_away_after = store, game, min(host_away_after, HOST_AWAY_AFTER)
        self._lobbies: dict[str, Lobby] = {}

    async def create(self, key: str, table: str, name: str, colour: int) -> tuple[Lobby, str]:
        """A new table that waits for people, and the token of whoever opened it: they sit in its first chair."""
        game, token = await asyncio.to_thread(self._game, key), secrets.token_urlsafe(16)
        host = hash_token(token)
        options = {option.key: option.default for option in (*common_options(game), *per_seat_options(game))}
        kept = StoredTable(
            *(table, game.key, game.rules, game.components, options, (StoredSeat(HUMAN, normalize_name(name), token_hash=host, colour=0),)),
            *(fairness.new_seed(), fairness.NEWEST),
            phase=IN_LOBBY,
            code=await asyncio.to_thread(self._store.new_code),
            host=host,
        )
        kept = add_seat(kept, game) if game.seats[-1] > 1 else kept
        kept = set_colour(kept, 0, colour) if colour >= 0 else kept
        await asyncio.to_thread(self._store.add_table, kept)
        gathering = self._lobbies[table] = Lobby(kept, game, self._store, self._host_away_after)
        return gathering, token

    async def find(self, table: str) -> Lobby | None:
        """None where there is no such table at all."""
        found = self._lobbies.get(table)
        if found is None:
            kept = await asyncio.to_thread(self._store.load, table)
            if kept is None:
                return None
            if kept.phase != IN_LOBBY:
                raise GameStarted
            if kept.unseen:
                with suppress(StoreError):
                    await asyncio.to_thread(self._store.mark_opened, table)
            game = await asyncio.to_thread(self._game, kept.game)
            found = self._lobbies.setdefault(table, Lobby(kept, game, self._store, self._host_away_after))
        if self._store.shared:  # also where it was just read: what was written meanwhile nobody has heard here
            await found.reload()
        if found.started:
            raise GameStarted
        found.presence.touch()
        return found

    @property
    def open_lobbies(self) -> Sequence[Lobby]:
        """Those that are open."""
        return list(self._lobbies.values())

    def get_open(self, table: str) -> Lobby | None:
        return self._lobbies.get(table)

    async def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """The table with this code, and whether it still gathers."""
        return await asyncio.to_thread(self._store.find_by_code, code)

    def evict(self, stale: float) -> None:
        """Those that have begun, or that nobody has looked at for so many seconds: what is kept of them is found again."""
        for table, gathering in list(self._lobbies.items()):
            if gathering.presence.idle_seconds >= stale:
                del self._lobbies[table]
