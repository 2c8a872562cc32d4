"""Whether somebody serves a database: each process holds a lock there together with all others, and PostgreSQL lets go of it when the line
to that process breaks, however it ended. Schemas of one database are served apart.
"""

from __future__ import annotations

import sqlalchemy as sql

LOCK = f"{0x5E12ED}, hashtext(current_schema())"


def say_served(connection: sql.Connection) -> None:
    """As long as this connection lasts. Nobody waits: where all is being moved just now, that goes on."""
    connection.exec_driver_sql(f"SELECT pg_try_advisory_lock_shared({LOCK})")


def is_served(connection: sql.Connection) -> bool:
    """If nobody serves it, nobody will be asked to until this transaction is over."""
    return not connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({LOCK})").scalar_one()
