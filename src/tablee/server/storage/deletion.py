"""Permanent deletion: every row that refers to a table goes with it, and SQLite overwrites the freed space."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tablee.server.storage.database import reason_of
from tablee.server.storage.schema import metadata, tables

logger = logging.getLogger(__name__)


def delete_tables(connection: sql.Connection, table_ids: Sequence[str]) -> None:
    """Delete these tables, and every row of the schema that refers to one of them by a foreign key."""
    connection.execute(sql.select(tables.c.id).where(tables.c.id.in_(table_ids)).with_for_update())  # locks out writers
    for table in reversed(metadata.sorted_tables):
        for column in table.columns:
            if any(key.column is tables.c.id for key in column.foreign_keys):
                connection.execute(table.delete().where(column.in_(table_ids)))
    connection.execute(tables.update().where(tables.c.rematch.in_(table_ids)).values(rematch=""))
    connection.execute(tables.delete().where(tables.c.id.in_(table_ids)))


def truncate_wal(engine: sql.Engine) -> None:
    """Merge SQLite's WAL, which still holds deleted data, into the database file.

    A failure is only logged: the next checkpoint merges it.
    """
    if engine.dialect.name == "sqlite":
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        except SQLAlchemyError as error:
            logger.warning("what was deleted still stands in the journal: %s", reason_of(error))
