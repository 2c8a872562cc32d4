"""Whether somebody serves a database: each process holds a lock there together with all others, and PostgreSQL lets go of it when the line
to that process breaks, however it ended. Schemas of one database are served apart.
"""

from __future__ import annotations

import sqlalchemy as sql

SERVE_LOCK = 0x5E12ED  # PostgreSQL's name for those locks
COUNT_SERVE_LOCKS = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def hold_serve_lock(connection: sql.Connection) -> None:
    """As long as this connection lasts."""
    connection.exec_driver_sql("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (SERVE_LOCK,))


def is_served(connection: sql.Connection) -> bool:
    return bool(connection.exec_driver_sql(COUNT_SERVE_LOCKS, (SERVE_LOCK,)).scalar_one())
