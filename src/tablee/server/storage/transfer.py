"""Transfer of all data from a data folder to a database server, or back: the same rows, so every link and token stays valid.

Neither may be served meanwhile, and the target receives all rows or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.database import Database, reason_of
from tablee.server.storage.locks import is_served, lock_folder
from tablee.server.storage.migrations import migrate, require_current
from tablee.server.storage.schema import leases, metadata, schema_version, tables
from tablee.server.storage.store import DATABASE_FILE, translate_errors
from tablee.server.table.models import ConflictError, StoreError

BATCH_ROWS = 1000  # rows in memory
TRANSFERRED_TABLES = [
    table for table in metadata.sorted_tables if table not in (schema_version, leases)
]  # each after those that it refers to


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
                _copy(table, source_connection, target_connection)
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


def _copy(table: sql.Table, source: sql.Connection, target: sql.Connection) -> None:
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
