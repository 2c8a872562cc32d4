"""Backup of a data folder by SQLite's online backup API, without stopping the server; export of tables as records."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import Game, Outcome
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.storage.store import DATABASE_FILE, Store
from tablee.server.table.log import apply_line
from tablee.server.table.models import IN_LOBBY, StoredTable, StoreError
from tablee.server.table.records import record_of


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


def export_records(store: Store, unfinished: bool) -> Iterator[tuple[str, dict[str, Any] | TableeError]]:
    """Yield a name and a record for each table, or its id and the error; an unfinished game as a spectator may see it."""
    for table in store.ids():
        try:
            stored = store.load(table)
            if stored is None or stored.phase == IN_LOBBY:
                continue
            game = games.open_box(stored.game, stored.box)
            stored = replace(stored, outcome=stored.outcome or _replayed_outcome(stored, game))
            if stored.outcome or stored.brought or unfinished:
                yield f"{stored.game}-{table}", record_of(stored, game, None)
        except TableeError as error:
            yield table, error


def _replayed_outcome(stored: StoredTable, game: Game) -> Outcome | None:
    """Return the outcome by replaying the log: earlier versions did not store it."""
    if stored.rules != game.rules:
        return None
    match = Match(game, len(stored.seats), stored.options, stored.seed or None, stored.derivation, stored.origin)
    for row in stored.lines:
        match = apply_line(match, row)
    return match.outcome
