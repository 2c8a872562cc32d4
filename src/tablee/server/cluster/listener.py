"""Listener for PostgreSQL's notifications, in a thread of its own.

It reconnects when the connection is lost, and reports that notifications may have been missed.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from tablee.server.storage.database import CHANNEL, Database, LogOnce, reason_of
from tablee.server.storage.locks import hold_serve_lock
from tablee.server.table.models import StoreError

STOP = "enough"  # notification by which a process wakes its own listener to end it
WAIT_TIMEOUT = 0.5  # seconds between two polls of the stop flag, and before a reconnection

logger = logging.getLogger(__name__)


class Listener:
    def __init__(self, database: Database, on_message: Callable[[str, str], None], on_gap: Callable[[], None]) -> None:
        """Call `on_message` with the sender and its message, and `on_gap` whenever listening begins."""
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
                await asyncio.to_thread(self._database.publish, [STOP])  # wakes the listener
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stopped.is_set():
            try:
                self._listen(loop)
            except Exception as error:  # the driver raises many kinds when the database is away
                if not self._stopped.wait(WAIT_TIMEOUT):
                    self._failures.failed(reason_of(error))

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            hold_serve_lock(connection)
            driver_connection = connection.connection.driver_connection
            assert driver_connection is not None
            self._failures.recovered()
            loop.call_soon_threadsafe(self._on_gap)
            try:
                while not self._stopped.is_set():
                    for notification in driver_connection.notifies(timeout=WAIT_TIMEOUT, stop_after=1):
                        process, _, message = notification.payload.partition(" ")
                        if process != self._database.node_id:
                            loop.call_soon_threadsafe(self._on_message, process, message)
            finally:
                connection.invalidate()  # the pool must not reuse a connection that listens
