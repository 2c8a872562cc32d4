"""Leases: of several processes one computes the bots of a table, for some seconds at a time; if it dies, another takes over."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql

from tablee.server.storage.database import Database
from tablee.server.storage.schema import leases

LEASE_SECONDS = 6.0  # longer than a bot's turn


class Leases:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._held_until: dict[str, float] = {}  # by table, in seconds of the monotonic clock

    async def acquire(self, table: str) -> bool:
        """Return whether this process computes the bots of the table; a single process always does."""
        fresh = self._held_until.get(table, 0.0) - time.monotonic() > LEASE_SECONDS / 2
        return not self._database.shared or fresh or await asyncio.to_thread(self._acquire, table)

    def _acquire(self, table: str) -> bool:
        asked = time.monotonic()
        with self._database.writing() as connection:
            got = connection.execute(self._acquire_statement(table)).first() is not None
        if got:
            self._held_until[table] = asked + LEASE_SECONDS
        return got

    def _acquire_statement(self, table: str) -> sql.Executable:
        """Return the upsert of the lease, by the clock of the database, which all processes share."""
        until = sql.func.now() + timedelta(seconds=LEASE_SECONDS)
        new = postgresql.insert(leases).values(table_id=table, process=self._database.node_id, until=until)
        free = sql.or_(leases.c.process == self._database.node_id, leases.c.until < sql.func.now())
        taken = {"process": self._database.node_id, "until": until}
        return new.on_conflict_do_update(index_elements=[leases.c.table_id], set_=taken, where=free).returning(leases.c.table_id)

    def release_all(self) -> None:
        """Delete the leases of this process, so that others need not wait for their end."""
        self._held_until.clear()
        if self._database.shared:
            with self._database.writing() as connection:
                connection.execute(leases.delete().where(leases.c.process == self._database.node_id))

    def discard(self, table: str) -> None:
        self._held_until.pop(table, None)
