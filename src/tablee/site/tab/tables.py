"""Open tables of the device: what another tab has written is read before a table is opened."""

from __future__ import annotations

from tablee.server.open_tables import OpenTables
from tablee.server.table.config import Services, TableConfig
from tablee.server.table.models import StoredTable
from tablee.server.table.table import Table
from tablee.site.tab.storage import DeviceStorage
from tablee.site.tab.thinking import TabExecutor, UseLoops


class DeviceTables(OpenTables):
    def __init__(self, storage: DeviceStorage, config: TableConfig, executor: TabExecutor, use_loops: UseLoops) -> None:
        self.storage, self._executor, self._use_loops = storage, executor, use_loops
        services = Services(
            store=storage,
            append=storage.append,
            acquire_lease=storage.acquire,
            announce_reaction=lambda table, seat, sign: None,
            bot_executor=executor,
        )
        super().__init__(storage, services, None, config)

    async def peek(self, table: str) -> Table:
        if self.get_open(table) is None:
            await self.storage.fetch(table)
        return await super().peek(table)

    async def open_new(self, stored: StoredTable) -> Table:
        """Open a new table once it is on the device."""
        await self.storage.flush()
        return await super().open_new(stored)

    def _build(self, stored: StoredTable) -> Table:
        built = super()._build(stored)
        self._use_loops(built.game)
        return built

    async def table(self, table: str) -> Table:
        """Return the table; the worker that thinks for bots and hints starts while the page is read."""
        found = await super().table(table)
        if not found.settings.lesson:
            self._executor.prepare()
        return found

    async def refresh(self, table: str) -> None:
        """Read what another tab wrote to a table."""
        found = self.get_open(table)
        if await self.storage.fetch(table) and found is not None:
            await found.catch_up()
