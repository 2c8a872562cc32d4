"""Group commit: one writer serves all tables, and lines that arrive during a commit share the next one.

Each table learns for itself whether its lines are committed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from tablee.core.game import Seat
from tablee.server.storage.database import REACTION
from tablee.server.storage.store import Store
from tablee.server.table.models import LogAppend, StoreError

MAX_BATCH = 64


class GroupCommitWriter:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._queue: deque[tuple[LogAppend, asyncio.Future[None]]] = deque()
        self._write_task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "writing")  # its own: asyncio's default pool may be full of slower work

    def close(self) -> None:
        """Wait for the commit under way."""
        self._thread.shutdown()

    async def wait_for_commit(self) -> None:
        """Wait for the commit under way without closing the writer."""
        await asyncio.get_running_loop().run_in_executor(self._thread, bool)

    async def append(self, entry: LogAppend) -> None:
        """Queue the lines, and return when they are on disk."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((entry, committed))
        if self._write_task is None or self._write_task.done():
            self._write_task = asyncio.get_running_loop().create_task(self._write())
        await asyncio.shield(committed)

    def announce_reaction(self, table: str, seat: Seat, sign: str) -> None:
        """Tell the other processes of a reaction, which is not stored."""
        if self.store.shared:
            asyncio.get_running_loop().run_in_executor(self._thread, self._publish, f"{REACTION} {table} {seat} {sign}")

    def _publish(self, message: str) -> None:
        with suppress(StoreError):
            self.store.database.publish([message])

    async def _write(self) -> None:
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(MAX_BATCH, len(self._queue)))]
            errors: Sequence[Exception | None]
            try:
                errors = await asyncio.get_running_loop().run_in_executor(
                    self._thread, self.store.append_all, [entry for entry, _ in batch]
                )
            except Exception as error:
                errors = [error] * len(batch)
            for (_, committed), failure in zip(batch, errors, strict=True):
                if failure is None:
                    committed.set_result(None)
                else:
                    committed.set_exception(failure)
