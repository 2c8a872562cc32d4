"""One clerk writes for all tables: whatever has come in while the last lines went to disk goes with the next ones, in one commit. Each
table hears for itself whether its lines are kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tablee.server.storage.models import Entry
from tablee.server.storage.store import Store

AT_ONCE = 64


class Clerk:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: deque[tuple[Entry, asyncio.Future[None]]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "writing")  # its own: asyncio's default pool may be full of slower work

    def close(self) -> None:
        """Wait for the commit under way."""
        self._thread.shutdown()

    async def finish(self) -> None:
        """Wait for the commit under way, and go on after it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, bool)

    async def append(self, entry: Entry) -> None:
        """Returns when the lines are on disk."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, kept))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write())
        await asyncio.shield(kept)

    async def _write(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
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
