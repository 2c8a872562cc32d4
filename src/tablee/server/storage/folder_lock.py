"""File lock on a data folder, for one server at a time; the operating system releases it when the process ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tablee.core.errors import TableeError
from tablee.core.i18n import msg

LOCK_FILE = "tablee.lock"


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
