"""Forgetting is for good: whatever names a table goes with it, and SQLite writes over the place where it stood."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql

from tablee.server.kept.schema import metadata, tables


def forget_tables(connection: sql.Connection, gone: Sequence[str]) -> None:
    """These tables with their seats, lines and everything else that is kept of them, in whichever part of the schema that stands."""
    write_over(connection)
    for kept in reversed(metadata.sorted_tables):
        for column in kept.columns:
            if any(key.column is tables.c.id for key in column.foreign_keys):
                connection.execute(kept.delete().where(column.in_(gone)))
    connection.execute(tables.update().where(tables.c.rematch.in_(gone)).values(rematch=""))
    connection.execute(tables.delete().where(tables.c.id.in_(gone)))


def write_over(connection: sql.Connection) -> None:
    """What is deleted from here on cannot be read in the file either."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")


def empty_the_journal(engine: sql.Engine) -> None:
    """SQLite's journal still holds what was deleted, until it is brought into the file."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
