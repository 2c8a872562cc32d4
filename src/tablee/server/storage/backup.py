"""Backup of a data folder by SQLite's online backup API: consistent, and without stopping the server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tablee.core.i18n import msg
from tablee.server.storage.database import StoreError
from tablee.server.storage.store import DATABASE_FILE, Store


def write_backup(folder: Path, file: Path) -> int:
    """Copy the database of a folder into one file and return its number of tables.

    The copy gets its name when it is complete.
    """
    source = folder / DATABASE_FILE
    if not source.is_file():
        raise StoreError(msg("there are no games in the data folder {folder}", folder=str(folder)))
    part = file.with_name(f".{file.name}.part")
    try:
        count = _copy(source, part)
        os.replace(part, file)
    except sqlite3.Error as error:
        raise StoreError(msg("the games in {folder} cannot be copied: {reason}", folder=str(folder), reason=str(error))) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def _copy(source: Path, part: Path) -> int:
    part.unlink(missing_ok=True)
    part.touch(0o600, exist_ok=False)  # so that an error names the file
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as original, closing(sqlite3.connect(part)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # no WAL file beside the copy
        (result,) = copy.execute("PRAGMA quick_check").fetchone()
        if result != "ok":
            raise sqlite3.DatabaseError(result)
        (count,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    return int(count)


@contextmanager
def temporary_backup(folder: Path) -> Iterator[Store]:
    """Open a temporary backup of a folder, so that long reading does not disturb its server."""
    with TemporaryDirectory() as temporary:
        write_backup(folder, Path(temporary) / DATABASE_FILE)
        with closing(Store.in_folder(Path(temporary))) as store:
            yield store
