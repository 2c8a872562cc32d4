"""Schema migrations: numbered steps, each applied once, all pending ones in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.schema import metadata, schema_version

MIGRATION_LOCK = 0x7AB1EE  # the advisory lock of PostgreSQL under which one process migrates
BEGIN = {  # of two processes the second waits, however long that takes
    "sqlite": ["BEGIN IMMEDIATE"],
    "postgresql": ["SET LOCAL statement_timeout = 0", f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"],
}

Migration = Callable[[sql.Connection], None]


class NewerData(TableeError):
    """Error for data of a newer version, which this one would not understand and might damage."""


class OlderData(TableeError):
    """Error for data of an older version, in a command that only reads."""


class NoData(TableeError):
    """Error for a database without tables of Tablée."""


def require_current(engine: sql.Engine) -> None:
    """Raise unless the database is of exactly this version; nothing is created or changed."""
    with engine.connect() as connection:
        if not sql.inspect(connection).has_table("tables"):
            raise NoData(msg("no games were ever kept there"))
        found, newest = _version(connection), len(MIGRATIONS)
    _refuse_newer(found, newest)
    if found < newest:
        raise OlderData(
            msg("this data is of version {found}, and here is {newest}: `tablee serve` brings it up to date", found=found, newest=newest)
        )


def migrate(engine: sql.Engine) -> None:
    """Migrate the database to the newest version, or create its schema; of two processes the second waits and finds it done."""
    with engine.begin() as connection:
        for command in BEGIN[engine.dialect.name]:
            connection.exec_driver_sql(command)
        found, newest = _version(connection), len(MIGRATIONS)
        _refuse_newer(found, newest)
        metadata.create_all(connection)
        for step in MIGRATIONS[found:]:
            step(connection)
        connection.execute(schema_version.delete())
        connection.execute(schema_version.insert().values(version=newest))


def _refuse_newer(found: int, newest: int) -> None:
    if found > newest:
        newer = msg("this data is of version {found}, written by a newer Tablée; this one knows up to {newest}", found=found, newest=newest)
        raise NewerData(newer)


def _version(connection: sql.Connection) -> int:
    """Return the version of the schema: 0 for a database without a version number, the newest for an empty one."""
    present = sql.inspect(connection).get_table_names()
    if schema_version.name not in present:
        return 0 if "tables" in present else len(MIGRATIONS)
    return int(connection.execute(sql.select(schema_version.c.version)).scalar_one())


def _add_columns(connection: sql.Connection, table: str, *columns: tuple[str, str]) -> None:
    """Add those of these columns that are missing."""
    present = _columns(connection, table)
    for name, kind in columns:
        if name not in present:
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def _columns(connection: sql.Connection, table: str) -> Sequence[str]:
    return [column["name"] for column in sql.inspect(connection).get_columns(table)]


def _before_0_5(connection: sql.Connection) -> None:
    """Add the columns of versions before 0.5, and the kinds of the platform's lines, which were known by their last word.

    Older tables keep the first derivation of draws.
    """
    _add_columns(connection, "tables", ("derivation", "INTEGER NOT NULL DEFAULT 1"), ("rematch", "VARCHAR(16) NOT NULL DEFAULT ''"))
    _add_columns(connection, "tables", ("hints", "BOOLEAN NOT NULL DEFAULT 0"), ("outcome", "JSON"))
    _add_columns(connection, "log", ("kind", "VARCHAR(16) NOT NULL DEFAULT 'move'"))
    for kind in ("hurried", "undo"):
        update = sql.text("UPDATE log SET kind = :kind WHERE kind = 'move' AND line LIKE :ends")
        connection.execute(update, {"kind": kind, "ends": f"% {kind}"})


def _seats(connection: sql.Connection) -> None:
    """Move seats into rows of their own, and add settings, phase, code and host.

    Seats that cannot be parsed stay damaged: their table has none.
    """
    _add_columns(connection, "tables", ("settings", "JSON NOT NULL DEFAULT '{}'"), ("phase", "VARCHAR(16) NOT NULL DEFAULT 'playing'"))
    _add_columns(connection, "tables", ("code", "VARCHAR(8) NOT NULL DEFAULT ''"), ("host", "VARCHAR(64) NOT NULL DEFAULT ''"))
    _add_columns(connection, "tables", ("origin", "JSON"), ("brought", "BOOLEAN NOT NULL DEFAULT 0"), ("opened", "DATETIME"))
    connection.exec_driver_sql("CREATE INDEX IF NOT EXISTS tables_by_code ON tables (code)")
    for table, seats, hints in connection.execute(sql.text("SELECT id, seats, hints FROM tables")).all():
        for number, seat in enumerate(_parse_seats(seats)):
            row = {"table": table, "seat": number, "name": "", "level": "", "token_hash": ""} | seat
            connection.execute(sql.text(INSERT_SEAT), row)
        settings = json.dumps({"hints": bool(hints)})
        connection.execute(sql.text("UPDATE tables SET settings = :settings WHERE id = :table"), {"settings": settings, "table": table})
    for column in ("seats", "hints"):
        connection.exec_driver_sql(f"ALTER TABLE tables DROP COLUMN {column}")


INSERT_SEAT = (
    "INSERT INTO seats (table_id, seat, kind, name, colour, level, token_hash) "
    "VALUES (:table, :seat, :kind, :name, -1, :level, :token_hash)"
)


def _parse_seats(text: str) -> Sequence[dict[str, Any]]:
    try:
        found = json.loads(text)
    except ValueError:
        return []
    valid = isinstance(found, list) and all(isinstance(seat, dict) and isinstance(seat.get("kind"), str) for seat in found)
    return found if valid else []


def _revisions(connection: sql.Connection) -> None:
    """Count the changes of a lobby, so that of two simultaneous ones the second is refused."""
    _add_columns(connection, "tables", ("revision", "INTEGER NOT NULL DEFAULT 0"))


def _chat_messages(_: sql.Connection) -> None:
    """Count the version that introduced the chat: `create_all` makes its table, and a Tablée without a chat refuses the data."""


def _owners(connection: sql.Connection) -> None:
    """Add the owner of a seat that was given away, and the time since when the clocks of a table run."""
    _add_columns(connection, "tables", ("ticking", "BIGINT NOT NULL DEFAULT 0"))
    _add_columns(connection, "seats", ("owner_hash", "VARCHAR(64) NOT NULL DEFAULT ''"), ("owner_name", "TEXT NOT NULL DEFAULT ''"))


def _rename_chat_messages(connection: sql.Connection) -> None:
    """Rename the table `sayings`: move its rows into `chat_messages`, which `create_all` has just made.

    A plain rename would keep the old names of the keys on PostgreSQL.
    """
    if sql.inspect(connection).has_table("sayings"):
        columns = "table_id, number, seat, name, text, client_id"
        connection.exec_driver_sql(f"INSERT INTO chat_messages ({columns}) SELECT {columns} FROM sayings")  # noqa: S608  no input
        connection.exec_driver_sql("DROP TABLE sayings")


def _drop_checkpoints(connection: sql.Connection) -> None:
    """Drop the stored positions: a table opens by replaying its log."""
    connection.exec_driver_sql("DROP TABLE IF EXISTS checkpoints")


MIGRATIONS: tuple[Migration, ...] = (
    _before_0_5,
    _seats,
    _revisions,
    _chat_messages,
    _owners,
    _rename_chat_messages,
    _drop_checkpoints,
)
