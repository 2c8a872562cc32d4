"""Registry of the server's tables: open them over its store, and evict those that nobody visits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from pathlib import Path

from tablee import games
from tablee.core.game import Game
from tablee.server.open_tables import OpenTables
from tablee.server.storage.locks import Leases
from tablee.server.storage.store import Store
from tablee.server.storage.writer import GroupCommitWriter
from tablee.server.table.bot_executor import BotExecutor
from tablee.server.table.config import DEFAULT_CONFIG, Services, TableConfig
from tablee.server.table.models import StoreError

SHUTDOWN_TIMEOUT = 3.0  # seconds to evict all tables at the end, on a shared database


class TableRegistry(OpenTables):
    def __init__(self, store: Store, boxes: dict[str, Path] | None = None, config: TableConfig = DEFAULT_CONFIG) -> None:
        self.store, self._bot_executor = store, BotExecutor(niceness=config.bot_niceness)
        self._writer, self._leases = GroupCommitWriter(store), Leases(store.database)
        services = Services(
            store=store,
            append=self._writer.append,
            acquire_lease=self._leases.acquire,
            announce_reaction=self._writer.announce_reaction,
            bot_executor=self._bot_executor,
        )
        super().__init__(store, services, boxes, config)

    def close(self) -> None:
        """Close the bot threads, the writer and the store."""
        self._bot_executor.close()
        self._writer.close()
        self.store.close()

    @asynccontextmanager
    async def running(self, peers: AbstractAsyncContextManager[None] | None = None) -> AsyncIterator[None]:
        """Keep `peers` entered while the context is open."""
        grace_timer = asyncio.get_running_loop().call_later(self.config.reconnect_grace, self._end_reconnect_grace)
        async with AsyncExitStack() as exit_stack:
            await exit_stack.enter_async_context(peers or nullcontext())
            try:
                yield
            finally:
                grace_timer.cancel()
                await self._shut_down(exit_stack)

    async def _shut_down(self, exit_stack: AsyncExitStack) -> None:
        """Leave the peers, evict every table and release the leases.

        A time limit holds on a shared database, which may hang: the log has everything, and leases expire.
        """
        with suppress(TimeoutError, StoreError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT if self.store.shared else None):
                await exit_stack.aclose()
                await self.evict(0.0)
                await self._writer.wait_for_commit()
                await asyncio.to_thread(self._leases.release_all)

    def _end_reconnect_grace(self) -> None:
        """Notify the tables where not everybody has reconnected: the missing count as away from now on."""
        for table in self.tables:
            if not all(table.presence.is_here(seat, include_expected=False) for seat in table.seating.people):
                table.signal.notify()

    async def evict(self, stale: float) -> None:
        """Close the tables that nobody has visited for `stale` seconds; 0 closes all."""
        for table in self.tables:
            if not stale or (table.presence.idle_seconds >= stale and not table.bot_player.busy):
                table.close()
                self._leases.discard(table.id)
                self._open_tables.pop(table.id, None)
                with suppress(StoreError):
                    await table.stop_clocks()

    @property
    def ids_in_use(self) -> set[str]:
        """Return the ids of tables that are open or being opened."""
        return {*self._open_tables, *self._opening_tasks}

    def game_with_box(self, key: str, sha256: str) -> Game | None:
        """Return the game with the box of this checksum: the server's own, or one that a stored table was started with."""
        game = self.game(key)
        if game.components.sha256 == sha256:
            return game
        box = self.store.load_box(sha256)
        return games.open_box(key, box) if box else None
