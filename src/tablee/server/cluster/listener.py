"""PostgreSQL tells each process what the others wrote. Somebody listens in a thread of its own; when the line is lost it is taken up again,
and whoever listens hears that something may have been missed.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from tablee.server.storage.database import CHANNEL, Database, StoreError, reason_of
from tablee.server.storage.log_once import LogOnce
from tablee.server.storage.serve_lock import hold_serve_lock

STOP = "enough"  # what a process that ends tells itself
WAIT_TIMEOUT = 0.5  # seconds between two looks whether to go on, and before the line is taken up again

logger = logging.getLogger(__name__)


class Listener:
    def __init__(self, database: Database, on_message: Callable[[str, str], None], on_gap: Callable[[], None]) -> None:
        """`hear` is called with a process and its word, `missed` whenever listening begins."""
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
                await asyncio.to_thread(self._database.publish, [STOP])  # which wakes whoever listens
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stopped.is_set():
            try:
                self._listen(loop)
            except Exception as error:  # the database is away, in one of its driver's many ways
                if not self._stopped.wait(WAIT_TIMEOUT):
                    self._failures.failed(reason_of(error))

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            hold_serve_lock(connection)
            line = connection.connection.driver_connection
            assert line is not None
            self._failures.recovered()
            loop.call_soon_threadsafe(self._on_gap)
            try:
                while not self._stopped.is_set():
                    for told in line.notifies(timeout=WAIT_TIMEOUT, stop_after=1):
                        process, _, word = told.payload.partition(" ")
                        if process != self._database.node_id:
                            loop.call_soon_threadsafe(self._on_message, process, word)
            finally:
                connection.invalidate()  # nobody else shall get a line that listens
