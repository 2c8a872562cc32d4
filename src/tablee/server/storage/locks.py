"""Locks of a server: on a data folder, for one server at a time, and on a PostgreSQL schema, to show that it is being served.

The operating system releases the first when the process ends, PostgreSQL the second when the connection of the process ends. Leases of
tables expire by themselves: of several processes one computes the bots of a table, and if it dies, another takes over.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.database import Database
from tablee.server.storage.schema import leases

LOCK_FILE = "tablee.lock"
LEASE_SECONDS = 6.0  # longer than a bot's turn
SERVE_LOCK = 0x5E12ED  # first key of the advisory lock; the second is the schema
COUNT_SERVE_LOCKS = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class FolderInUse(TableeError):
    """Error for a folder that another server uses: the two would not see each other's moves."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder; one that cannot be written to is left for the store to report."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / LOCK_FILE).open("ab")
    except OSError:
        yield
        return
    with lock:
        if not _try_lock(lock):
            raise FolderInUse(
                msg("another server is using the data folder {folder}; stop it, or choose another folder with --data", folder=str(folder))
            )
        yield


if sys.platform == "win32":
    import msvcrt

    def _try_lock(lock: IO[bytes]) -> bool:
        lock.seek(0)
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(lock: IO[bytes]) -> bool:
        """Return whether the lock was free; a file system without locks counts as free."""
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return not isinstance(error, BlockingIOError)
        return True


def hold_serve_lock(connection: sql.Connection) -> None:
    """Hold the advisory lock of the schema, shared with other server processes, as long as this connection lasts."""
    connection.exec_driver_sql("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (SERVE_LOCK,))


def is_served(connection: sql.Connection) -> bool:
    return bool(connection.exec_driver_sql(COUNT_SERVE_LOCKS, (SERVE_LOCK,)).scalar_one())


class Leases:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._held_until: dict[str, float] = {}  # by table, in seconds of the monotonic clock

    async def acquire(self, table: str) -> bool:
        """Return whether this process computes the bots of the table; a single process always does."""
        fresh = self._held_until.get(table, 0.0) - time.monotonic() > LEASE_SECONDS / 2
        return not self._database.shared or fresh or await asyncio.to_thread(self._acquire, table)

    def _acquire(self, table: str) -> bool:
        asked = time.monotonic()
        with self._database.writing() as connection:
            got = connection.execute(self._acquire_statement(table)).first() is not None
        if got:
            self._held_until[table] = asked + LEASE_SECONDS
        return got

    def _acquire_statement(self, table: str) -> sql.Executable:
        """Return the upsert of the lease, by the clock of the database, which all processes share."""
        until = sql.func.now() + timedelta(seconds=LEASE_SECONDS)
        new = postgresql.insert(leases).values(table_id=table, process=self._database.node_id, until=until)
        free = sql.or_(leases.c.process == self._database.node_id, leases.c.until < sql.func.now())
        taken = {"process": self._database.node_id, "until": until}
        return new.on_conflict_do_update(index_elements=[leases.c.table_id], set_=taken, where=free).returning(leases.c.table_id)

    def release_all(self) -> None:
        """Delete the leases of this process, so that others need not wait for their end."""
        self._held_until.clear()
        if self._database.shared:
            with self._database.writing() as connection:
                connection.execute(leases.delete().where(leases.c.process == self._database.node_id))

    def discard(self, table: str) -> None:
        self._held_until.pop(table, None)
