"""Locks of a server: on a data folder, for one server at a time, and on a PostgreSQL schema, to show that it is being served.

The operating system releases the first when the process ends, PostgreSQL the second when the connection of the process ends.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg

LOCK_FILE = "tablee.lock"
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
