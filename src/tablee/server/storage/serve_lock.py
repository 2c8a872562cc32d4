"""Advisory lock that shows whether a PostgreSQL schema is being served.

All server processes hold it in shared mode; PostgreSQL releases it when the connection of a process ends.
"""

from __future__ import annotations

import sqlalchemy as sql

SERVE_LOCK = 0x5E12ED  # first key of the advisory lock; the second is the schema
COUNT_SERVE_LOCKS = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s "
    "AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def hold_serve_lock(connection: sql.Connection) -> None:
    """Hold the lock as long as this connection lasts."""
    connection.exec_driver_sql("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (SERVE_LOCK,))


def is_served(connection: sql.Connection) -> bool:
    return bool(connection.exec_driver_sql(COUNT_SERVE_LOCKS, (SERVE_LOCK,)).scalar_one())
