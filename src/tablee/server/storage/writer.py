"""One clerk writes for all tables: whatever has come in while the last lines went to disk goes with the next ones, in one commit. Each
table hears for itself whether its lines are kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tablee.server.storage.models import LogAppend
from tablee.server.storage.store import Store

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
        """Wait for the commit under way, and go on after it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, bool)

    async def append(self, entry: LogAppend) -> None:
        """Returns when the lines are on disk."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((entry, kept))
        if self._write_task is None or self._write_task.done():
            self._write_task = asyncio.get_running_loop().create_task(self._write())
        await asyncio.shield(kept)

    async def _write(self) -> None:
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(MAX_BATCH, len(self._queue)))]
            found: Sequence[Exception | None]
            try:
                found = await asyncio.get_running_loop().run_in_executor(self._thread, self.store.append_all, [entry for entry, _ in batch])
            except Exception as error:
                found = [error] * len(batch)
            for (_, kept), wrong in zip(batch, found, strict=True):
                if wrong is None:
                    kept.set_result(None)
                else:
                    kept.set_exception(wrong)
