"""What people say at a table, where its host allows it: the newest lines, beside the log and in no record. They go with the table."""

from __future__ import annotations

from dataclasses import dataclass, fields

import sqlalchemy as sql

from tablee.server.storage.schema import sayings

MOST = 100  # lines of a table; older ones are forgotten


@dataclass(frozen=True)
class Saying:
    number: int  # counted from 1, never twice
    seat: int
    name: str  # whose the seat was when it was said
    text: str
    client_id: str


AT_TABLE = sayings.c.table_id == sql.bindparam("table")
SAID = sql.select(*(sayings.c[each.name] for each in fields(Saying))).where(AT_TABLE).order_by(sayings.c.number)


def said_at(connection: sql.Connection, table: str) -> tuple[Saying, ...]:
    """The oldest first."""
    return tuple(Saying(*row) for row in connection.execute(SAID, {"table": table}))


def keep_saying(connection: sql.Connection, table: str, said: Saying) -> None:
    connection.execute(sayings.insert().values(table_id=table, **vars(said)))
    connection.execute(sayings.delete().where(sayings.c.table_id == table, sayings.c.number <= said.number - MOST))
