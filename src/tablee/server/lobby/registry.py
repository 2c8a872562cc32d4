"""Registry of the lobbies: create them, find them by address or code, and evict them when idle."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress

from tablee.core import fairness
from tablee.core.game import Game
from tablee.server.lobby.lobby import GameStarted, Lobby
from tablee.server.lobby.seats import add_seat, common_options, per_seat_options, set_colour
from tablee.server.table.config import DEFAULT_CONFIG, TableConfig
from tablee.server.table.models import HUMAN, IN_LOBBY, NoSuchTable, StoredSeat, StoredTable, StoreError, TableStore, hash_token, new_id
from tablee.server.table.seats import normalize_name


class LobbyRegistry:
    def __init__(self, store: TableStore, game: Callable[[str], Game], config: TableConfig = DEFAULT_CONFIG) -> None:
        self._store, self._game, self._config = store, game, config
        self._lobbies: dict[str, Lobby] = {}

    async def create(self, key: str, name: str, colour: int) -> tuple[Lobby, str]:
        """Create a lobby with its host on the first seat; return it and the host's token."""
        game, token = await asyncio.to_thread(self._game, key), secrets.token_urlsafe(16)
        host = hash_token(token)
        options = {option.key: option.default for option in (*common_options(game), *per_seat_options(game))}
        stored = StoredTable(
            id=new_id(),
            game=game.key,
            rules=game.rules,
            box=game.components,
            options=options,
            seats=(StoredSeat(HUMAN, normalize_name(name), token_hash=host, colour=0),),
            seed=fairness.new_seed(),
            derivation=fairness.NEWEST,
            phase=IN_LOBBY,
            code=await asyncio.to_thread(self._store.new_code),
            host=host,
        )
        stored = add_seat(stored, game) if game.seats[-1] > 1 else stored
        stored = set_colour(stored, 0, colour) if colour >= 0 else stored
        await asyncio.to_thread(self._store.add_table, stored)
        lobby = self._lobbies[stored.id] = Lobby(stored, game, self._store, self._config)
        return lobby, token

    async def lobby(self, table: str) -> Lobby:
        """Return the lobby, loaded if necessary."""
        found = self._lobbies.get(table)
        if found is None:
            stored = await asyncio.to_thread(self._store.load, table)
            if stored is None:
                raise NoSuchTable(table)
            if stored.phase != IN_LOBBY:
                raise GameStarted
            if stored.unseen:
                with suppress(StoreError):
                    await asyncio.to_thread(self._store.mark_opened, table)
            game = await asyncio.to_thread(self._game, stored.game)
            found = self._lobbies.setdefault(table, Lobby(stored, game, self._store, self._config))
        if self._store.shared:  # even if just loaded: no notification came for changes written meanwhile
            await found.reload()
        if found.started:
            raise GameStarted
        found.presence.touch()
        return found

    @property
    def open_lobbies(self) -> Sequence[Lobby]:
        return list(self._lobbies.values())

    def get_open(self, table: str) -> Lobby | None:
        return self._lobbies.get(table)

    async def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """Return the id of the table with this code and whether it is still a lobby."""
        return await asyncio.to_thread(self._store.find_by_code, code)

    def evict(self, stale: float) -> None:
        """Drop the lobbies that have been idle for `stale` seconds; the store still has them."""
        for table, lobby in list(self._lobbies.items()):
            if lobby.presence.idle_seconds >= stale:
                del self._lobbies[table]
