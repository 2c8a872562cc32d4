"""Housekeeping: in an endless loop, close what nobody visits, resync with other processes and delete expired tables."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tablee.server.cluster import PeerSync
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.ops import metrics
from tablee.server.ops.error_reports import report
from tablee.server.registry import TableRegistry
from tablee.server.table.models import StoreError

INTERVAL = 10.0  # seconds between two rounds
EVICT_AFTER = 120.0  # seconds without a visit after which a table or a lobby is closed

logger = logging.getLogger(__name__)


class Housekeeping:
    def __init__(self, registry: TableRegistry, lobbies: LobbyRegistry, peers: PeerSync, retention: int, interval: float) -> None:
        """Set it up; a table with no game in progress is deleted after `retention` days without a visit, never if 0."""
        self._registry, self._lobbies, self._peers, self._retention, self._interval = registry, lobbies, peers, retention, interval

    async def run(self) -> None:
        """Run round after round; report errors and continue."""
        while True:
            metrics.set_open_tables(len(self._registry.tables))
            await asyncio.sleep(self._interval)
            try:
                await self._run_once()
            except Exception as error:
                report(error)

    async def _run_once(self) -> None:
        await self._registry.evict(EVICT_AFTER)
        self._lobbies.evict(EVICT_AFTER)
        with suppress(StoreError):
            await self._peers.resync()
        if self._retention:
            await self._delete_expired()

    async def _delete_expired(self) -> None:
        since = datetime.now(UTC) - timedelta(days=self._retention)
        in_use = self._registry.ids_in_use | {lobby.id for lobby in self._lobbies.open_lobbies}
        try:
            deleted = await asyncio.to_thread(self._registry.store.delete_idle, since, in_use)
        except StoreError as error:
            logger.warning("old tables are not removed: %s", error)
            return
        level = logging.INFO if deleted else logging.DEBUG
        logger.log(level, "tables removed after %d days without a visitor: %d", self._retention, deleted)
