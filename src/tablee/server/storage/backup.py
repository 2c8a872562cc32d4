"""Copies of all data: a backup, tables as records, and the transfer between a data folder and a database server.

A backup is made by SQLite's online backup API, without stopping the server. A transfer keeps the same rows, so every link and token stays
valid; neither side may be served meanwhile, and the target receives all rows or none.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sql

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.game import Game, Outcome
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.storage.database import Database, reason_of
from tablee.server.storage.locks import is_served, lock_folder
from tablee.server.storage.migrations import migrate, require_current
from tablee.server.storage.schema import leases, metadata, schema_version, tables
from tablee.server.storage.store import DATABASE_FILE, Store, translate_errors
from tablee.server.table.log import apply_line
from tablee.server.table.models import IN_LOBBY, ConflictError, StoredTable, StoreError
from tablee.server.table.records import record_of

BATCH_ROWS = 1000  # rows in memory
TRANSFERRED_TABLES = [
    table for table in metadata.sorted_tables if table not in (schema_version, leases)
]  # each after those that it refers to


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


class DatabaseInUse(TableeError):
    """Error for a database that is being served: moves made meanwhile would stay behind."""


class NotEmpty(TableeError):
    """Error for a target that holds games, which the transfer would mix with others."""


def folder_to_server(folder: Path, address: str) -> int:
    """Transfer a data folder to a database server; return the number of tables."""
    if not (folder / DATABASE_FILE).is_file():
        raise StoreError(msg("there are no games in the data folder {folder}", folder=str(folder)))
    with _open_folder(folder) as source, _open_server(address) as target:
        return _transfer(source, target)


def server_to_folder(address: str, folder: Path) -> int:
    with _open_server(address) as source, _open_folder(folder) as target:
        return _transfer(source, target)


@contextmanager
def _open_folder(folder: Path) -> Iterator[Database]:
    with lock_folder(folder), closing(Database(f"sqlite:///{folder / DATABASE_FILE}")) as opened:
        yield opened


@contextmanager
def _open_server(address: str) -> Iterator[Database]:
    """Open a database server that no process serves."""
    with translate_errors(), closing(Database(address)) as opened:
        with opened.engine.connect() as connection:
            if is_served(connection):
                raise DatabaseInUse(msg("the database is being served; stop its servers first"))
        yield opened


def _transfer(source: Database, target: Database) -> int:
    require_current(source.engine)
    _require_empty(target)
    migrate(target.engine)
    try:
        with source.reading() as source_connection, target.writing() as target_connection:
            for table in TRANSFERRED_TABLES:
                _copy_rows(table, source_connection, target_connection)
            return int(target_connection.execute(sql.select(sql.func.count()).select_from(tables)).scalar_one())
    except (ConflictError, ValueError) as error:  # rows that refer to missing ones; a cell that is not JSON
        reason = reason_of(error.__cause__ if isinstance(error.__cause__, Exception) else error)
        raise StoreError(msg("the games cannot be moved: {reason}", reason=reason)) from error


def _require_empty(target: Database) -> None:
    with target.reading() as connection:
        present = set(sql.inspect(connection).get_table_names())
        for table in TRANSFERRED_TABLES:
            if table.name in present and connection.execute(sql.select(sql.literal(1)).select_from(table).limit(1)).first():
                raise NotEmpty(msg("games are moved only to where there are none yet; there are some already"))


def _copy_rows(table: sql.Table, source: sql.Connection, target: sql.Connection) -> None:
    convert = _row_converter(table)
    rows = source.execute(sql.select(table).execution_options(yield_per=BATCH_ROWS)).mappings()
    for batch in rows.partitions():
        target.execute(table.insert(), [convert(dict(row)) for row in batch])


def _row_converter(table: sql.Table) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that marks the times of a row as UTC, which SQLite stores without a time zone."""
    times = [column.name for column in table.c if isinstance(column.type, sql.DateTime)]

    def convert(row: dict[str, Any]) -> dict[str, Any]:
        return row | {name: _to_utc(row[name]) for name in times if row[name] is not None}

    return convert


def _to_utc(time: datetime) -> datetime:
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
