"""The database: one file of SQLite for one process, or PostgreSQL for as many as one likes. What the two do differently stands here."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Lock
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from tablee.core.errors import TableeError
from tablee.core.words import say

CHANNEL = "tablee"  # on which PostgreSQL tells every process what another one wrote
DRIVER = "postgresql+psycopg"
A_WORD = 7_500  # bytes; PostgreSQL carries fewer than 8,000


class StoreError(TableeError):
    """The line could not be written: nothing has happened, and the same request may be sent again."""


class TableMovedOn(TableeError):
    """Somebody else's line took this position."""


class NotKeepable(TableeError):
    """PostgreSQL keeps no text with a zero byte in it, and nothing longer than its column."""


class Database:
    def __init__(self, url: str) -> None:
        address = sql.make_url(url)
        if address.drivername in ("postgres", "postgresql"):
            address = address.set(drivername=DRIVER)
        self.engine = sql.create_engine(address, hide_parameters=True, pool_pre_ping=True)  # a reason that is told names nobody
        self.shared = self.engine.dialect.name == "postgresql"  # whether other processes may write to it too
        self.me = secrets.token_hex(4)  # this process, among those
        if not self.shared:
            sql.event.listen(self.engine, "connect", _durable)
        self._one_pen = nullcontext() if self.shared else Lock()
        self._as_of_now = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.shared else self.engine

    def close(self) -> None:
        """On SQLite everything is in the one file then, and a copy of it is whole."""
        if not self.shared:
            with suppress(SQLAlchemyError), self.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self.engine.dispose()

    def reading(self) -> Transaction:
        """Everything that is read in it is of one moment."""
        return Transaction(self._as_of_now)

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """SQLite lets in one at a time, and whoever is turned away sleeps: here they stand in line."""
        with self._one_pen, Transaction(self.engine) as connection:
            yield connection

    def tell(self, connection: sql.Connection, *words: str) -> None:
        """Every other process hears these when the transaction is done: see `neighbours.py`."""
        if self.shared and words:
            told = [{"channel": CHANNEL, "word": f"{self.me} {word}"} for word in words]
            connection.execute(sql.text("SELECT pg_notify(:channel, :word)"), told)

    def whisper(self, words: Iterable[str]) -> None:
        """What is kept nowhere."""
        if self.shared:
            with self.reading() as connection:
                self.tell(connection, *words)


class Transaction:
    """A transaction whose failures are sentences: a taken position, a full disk, a locked file, a database that is away."""

    def __init__(self, engine: sql.Engine) -> None:
        self._begin = engine.begin()

    def __enter__(self) -> sql.Connection:
        try:
            return self._begin.__enter__()
        except SQLAlchemyError as error:
            raise StoreError(say("the table cannot be saved just now: {reason}", reason=reason_of(error))) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._begin.__exit__(kind, error, trace)
        except SQLAlchemyError as late:
            error = late
        if isinstance(error, IntegrityError):
            raise TableMovedOn(say("the game has moved on")) from error
        if isinstance(error, DataError):
            raise NotKeepable(say("this cannot be kept: {reason}", reason=reason_of(error))) from error
        if isinstance(error, SQLAlchemyError):
            raise StoreError(say("the table cannot be saved just now: {reason}", reason=reason_of(error))) from error


def _durable(connection: Any, _: Any) -> None:
    """SQLite: acknowledged means on disk."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def reason_of(error: Exception) -> str:
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).splitlines()[0]
