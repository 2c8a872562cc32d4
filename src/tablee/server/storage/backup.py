"""A copy of a data folder's games, by SQLite's own online backup: whole, and whoever plays meanwhile does not notice."""

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
    """Returns how many tables the copy holds. It appears under its name when it is whole, and is one file."""
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
    part.touch(0o600, exist_ok=False)  # an error names the file
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as kept, closing(sqlite3.connect(part)) as copy:
        kept.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # nothing beside the one file
        (found,) = copy.execute("PRAGMA quick_check").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        (count,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    return int(count)


@contextmanager
def temporary_backup(folder: Path) -> Iterator[Store]:
    """The games of a folder to read at leisure, without touching what a server is writing."""
    with TemporaryDirectory() as place:
        write_backup(folder, Path(place) / DATABASE_FILE)
        with closing(Store.in_folder(Path(place))) as store:
            yield store
