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
from tablee.server.storage.log_once import Trouble
from tablee.server.storage.serve_lock import say_served

ENOUGH = "enough"  # what a process that ends tells itself
PATIENCE = 0.5  # seconds between two looks whether to go on, and before the line is taken up again

logger = logging.getLogger(__name__)


class Listener:
    def __init__(self, database: Database, hear: Callable[[str, str], None], missed: Callable[[], None]) -> None:
        """`hear` is called with a process and its word, `missed` whenever listening begins."""
        self._database, self._hear, self._missed = database, hear, missed
        self._ended = threading.Event()
        self._trouble = Trouble(logger, "other processes are not heard just now", "other processes are heard again")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        thread = threading.Thread(target=self._run, args=[asyncio.get_running_loop()], daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            with suppress(StoreError):
                await asyncio.to_thread(self._database.whisper, [ENOUGH])  # which wakes whoever listens
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._ended.is_set():
            try:
                self._listen(loop)
            except Exception as error:  # the database is away, in one of its driver's many ways
                if not self._ended.wait(PATIENCE):
                    self._trouble.met(reason_of(error))

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            say_served(connection)
            line = connection.connection.driver_connection
            assert line is not None
            self._trouble.over()
            loop.call_soon_threadsafe(self._missed)
            try:
                while not self._ended.is_set():
                    for told in line.notifies(timeout=PATIENCE, stop_after=1):
                        process, _, word = told.payload.partition(" ")
                        if process != self._database.me:
                            loop.call_soon_threadsafe(self._hear, process, word)
            finally:
                connection.invalidate()  # nobody else shall get a line that listens
