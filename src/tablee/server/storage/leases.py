"""Of several processes one thinks for the bots of a table. It says so for some seconds at a time; if it dies, another takes over."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql

from tablee.server.storage.database import Database
from tablee.server.storage.schema import leases

LEASE = 6.0  # seconds; a bot's turn is shorter


class Leases:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine: dict[str, float] = {}  # until when, by table

    async def take(self, table: str) -> bool:
        """Whether this process thinks there. Whoever is alone always does."""
        fresh = self._mine.get(table, 0.0) - time.monotonic() > LEASE / 2
        return not self._database.shared or fresh or await asyncio.to_thread(self._take, table)

    def _take(self, table: str) -> bool:
        asked = time.monotonic()
        with self._database.writing() as connection:
            got = connection.execute(self._wanted(table)).first() is not None
        if got:
            self._mine[table] = asked + LEASE
        return got

    def _wanted(self, table: str) -> sql.Executable:
        """By the clock of the database, which all processes share."""
        until = sql.func.now() + timedelta(seconds=LEASE)
        new = postgresql.insert(leases).values(table_id=table, process=self._database.me, until=until)
        free = sql.or_(leases.c.process == self._database.me, leases.c.until < sql.func.now())
        taken = {"process": self._database.me, "until": until}
        return new.on_conflict_do_update(index_elements=[leases.c.table_id], set_=taken, where=free).returning(leases.c.table_id)

    def leave(self) -> None:
        """Others need not wait."""
        self._mine.clear()
        if self._database.shared:
            with self._database.writing() as connection:
                connection.execute(leases.delete().where(leases.c.process == self._database.me))

    def let_go(self, table: str) -> None:
        self._mine.pop(table, None)
