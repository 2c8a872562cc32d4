"""How the data of older versions becomes that of this one: numbered steps, all of them in one transaction, each made once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.schema import metadata, schema_version

MIGRATION_LOCK = 0x7AB1EE  # PostgreSQL's name for whoever migrates
BEGIN = {  # whoever comes second waits, however long that takes
    "sqlite": ["BEGIN IMMEDIATE"],
    "postgresql": ["SET LOCAL statement_timeout = 0", f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"],
}

Migration = Callable[[sql.Connection], None]


class NewerData(TableeError):
    """An older Tablée would not understand what it finds, and might spoil it."""


class OlderData(TableeError):
    """Whoever only reads brings nothing up to date."""


class NoData(TableeError):
    """Nothing was ever kept there."""


def require_current(engine: sql.Engine) -> None:
    """For whoever only reads: nothing is made or changed, so what is there must be of this very version."""
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
    """Brings the database to the newest version, or makes a new one. Of two processes the second waits and finds it done."""
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
    """Data that is older than versions is of version 0; where there is nothing yet, nothing needs to be brought anywhere."""
    present = sql.inspect(connection).get_table_names()
    if schema_version.name not in present:
        return 0 if "tables" in present else len(MIGRATIONS)
    return int(connection.execute(sql.select(schema_version.c.version)).scalar_one())


def _add_columns(connection: sql.Connection, table: str, *columns: tuple[str, str]) -> None:
    """Those columns that are not there yet."""
    present = _columns(connection, table)
    for name, kind in columns:
        if name not in present:
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def _columns(connection: sql.Connection, table: str) -> Sequence[str]:
    return [column["name"] for column in sql.inspect(connection).get_columns(table)]


def _before_0_5(connection: sql.Connection) -> None:
    """What versions before 0.5 added, and what it is for rows that are older: those tables are played on by the first derivation. The
    platform's lines were known by their last word."""
    _add_columns(connection, "tables", ("derivation", "INTEGER NOT NULL DEFAULT 1"), ("rematch", "VARCHAR(16) NOT NULL DEFAULT ''"))
    _add_columns(connection, "tables", ("hints", "BOOLEAN NOT NULL DEFAULT 0"), ("outcome", "JSON"))
    _add_columns(connection, "log", ("kind", "VARCHAR(16) NOT NULL DEFAULT 'move'"))
    for kind in ("hurried", "undo"):
        told = sql.text("UPDATE log SET kind = :kind WHERE kind = 'move' AND line LIKE :ends")
        connection.execute(told, {"kind": kind, "ends": f"% {kind}"})


def _seats(connection: sql.Connection) -> None:
    """Seats are rows of their own, and a table has settings, a phase of its life, a code and a host. Seats that nobody can read stay
    damaged: such a table has none."""
    _add_columns(connection, "tables", ("settings", "JSON NOT NULL DEFAULT '{}'"), ("phase", "VARCHAR(16) NOT NULL DEFAULT 'playing'"))
    _add_columns(connection, "tables", ("code", "VARCHAR(8) NOT NULL DEFAULT ''"), ("host", "VARCHAR(64) NOT NULL DEFAULT ''"))
    _add_columns(connection, "tables", ("origin", "JSON"), ("brought", "BOOLEAN NOT NULL DEFAULT 0"), ("opened", "DATETIME"))
    connection.exec_driver_sql("CREATE INDEX IF NOT EXISTS tables_by_code ON tables (code)")
    for table, chairs, hints in connection.execute(sql.text("SELECT id, seats, hints FROM tables")).all():
        for number, chair in enumerate(_parse_seats(chairs)):
            row = {"table": table, "seat": number, "name": "", "level": "", "token_hash": ""} | chair
            connection.execute(sql.text(INSERT_SEAT), row)
        settings = json.dumps({"hints": bool(hints)})
        connection.execute(sql.text("UPDATE tables SET settings = :settings WHERE id = :table"), {"settings": settings, "table": table})
    for column in ("seats", "hints"):
        connection.exec_driver_sql(f"ALTER TABLE tables DROP COLUMN {column}")


INSERT_SEAT = (
    "INSERT INTO seats (table_id, seat, kind, name, colour, level, token_hash) "
    "VALUES (:table, :seat, :kind, :name, -1, :level, :token_hash)"
)


def _parse_seats(chairs: str) -> Sequence[dict[str, Any]]:
    try:
        found = json.loads(chairs)
    except ValueError:
        return []
    whole = isinstance(found, list) and all(isinstance(chair, dict) and isinstance(chair.get("kind"), str) for chair in found)
    return found if whole else []


def _revisions(connection: sql.Connection) -> None:
    """A table that gathers counts its changes, so that of two who make one at once the second notices."""
    _add_columns(connection, "tables", ("revision", "INTEGER NOT NULL DEFAULT 0"))


def _chat_messages(_: sql.Connection) -> None:
    """A table may have a chat. What is kept of it has just been made, for nobody had said anything; a Tablée that knows of no such setting
    leaves the data alone."""


def _owners(connection: sql.Connection) -> None:
    """A seat that was given away knows its owner until the newcomer has moved, and a table since when its clocks run."""
    _add_columns(connection, "tables", ("ticking", "BIGINT NOT NULL DEFAULT 0"))
    _add_columns(connection, "seats", ("owner_hash", "VARCHAR(64) NOT NULL DEFAULT ''"), ("owner_name", "TEXT NOT NULL DEFAULT ''"))


MIGRATIONS: tuple[Migration, ...] = (_before_0_5, _seats, _revisions, _chat_messages, _owners)
