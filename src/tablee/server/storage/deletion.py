"""Forgetting is for good: whatever names a table goes with it, and SQLite writes over the place where it stood."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tablee.server.storage.database import reason_of
from tablee.server.storage.schema import metadata, tables

logger = logging.getLogger(__name__)


def delete_tables(connection: sql.Connection, gone: Sequence[str]) -> None:
    """These tables with their seats, lines and everything else that is kept of them, in whichever part of the schema that stands."""
    connection.execute(sql.select(tables.c.id).where(tables.c.id.in_(gone)).with_for_update())  # nobody writes to them meanwhile
    for kept in reversed(metadata.sorted_tables):
        for column in kept.columns:
            if any(key.column is tables.c.id for key in column.foreign_keys):
                connection.execute(kept.delete().where(column.in_(gone)))
    connection.execute(tables.update().where(tables.c.rematch.in_(gone)).values(rematch=""))
    connection.execute(tables.delete().where(tables.c.id.in_(gone)))


def truncate_wal(engine: sql.Engine) -> None:
    """SQLite's journal still holds what was deleted, until it is brought into the file: now, or else by whoever tries next."""
    if engine.dialect.name == "sqlite":
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        except SQLAlchemyError as error:
            logger.warning("what was deleted still stands in the journal: %s", reason_of(error))
