"""Database access: SQLite for one process or PostgreSQL for several, and everything that the two do differently."""

from __future__ import annotations

import logging
import math
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.table.models import ConflictError, StoreError

CHANNEL = "tablee"  # of PostgreSQL's NOTIFY, by which every process learns what another one wrote
DRIVER = "postgresql+psycopg"
MAX_NOTIFY_BYTES = 7_500  # per notification; PostgreSQL's limit is 8,000
BUSY_TIMEOUT, BUSY_INTERVAL = 5.0, 0.01  # seconds for which SQLite waits for a lock; and between two attempts to switch its log

# Kinds of notifications, which are hints to read the database; only presence and reactions, which are not stored, travel in them.
TABLE_CHANGED = "table"  # ID VERSION: the length of its log; 0 where something else changed
LOBBY_CHANGED = "gathered"  # ID: a seat changed, or its game begins
TABLE_DELETED = "gone"  # ID
CLUB_CHANGED = "club"  # ID: its members, places or pause changed
PRESENCE = "here"  # ID:PACE:WHO,WHO ...: the people connected to each of these tables, lobbies and clubs
REACTION = "sign"  # ID SEAT REACTION

# PostgreSQL may hang, and its machine or the network may vanish silently: players read about it after some seconds.
RESPONSE_TIMEOUT = 4.0  # seconds after which this side closes the connection
STATEMENT_TIMEOUT = "-c statement_timeout=3s"  # shorter, so that no statement waits for a lock there after its caller has given up here
CONNECT_OPTIONS = {  # the URL may override each of them
    "connect_timeout": "3",  # seconds
    "keepalives_idle": "5",  # seconds of silence after which a connection, such as the listener's, is probed
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "5000",  # milliseconds within which sent data must be acknowledged
}

logger = logging.getLogger(__name__)


class NotStorable(TableeError):
    """Text that PostgreSQL refuses: with a zero byte, or longer than its column."""


class Database:
    def __init__(self, url: str, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Make the engine; calls to PostgreSQL fail as soon as `is_cancelled` returns True."""
        self._is_cancelled, full_url = is_cancelled, _with_timeouts(url)
        pool_options: dict[str, Any] = {"pool_timeout": RESPONSE_TIMEOUT, "pool_pre_ping": True} if full_url.drivername == DRIVER else {}
        self.engine = sql.create_engine(full_url, hide_parameters=True, **pool_options)  # no name of a player reaches the log
        self.shared = self.engine.dialect.name == "postgresql"  # whether other processes may write to it too
        self.node_id = secrets.token_hex(4)  # of this process, among those that share the database
        self.timeout = math.inf  # seconds to wait for an answer; unlimited until the schema is up to date
        self._read_failures = LogOnce(logger, "games cannot be read just now", "games can be read again")
        self._write_failures = LogOnce(logger, "games cannot be saved just now", "games can be saved again")
        if self.shared:
            from tablee.server.storage.pg_connection import PgConnections  # noqa: PLC0415  SQLite runs without the driver

            self._connections = PgConnections(lambda: 0.0 if self._is_cancelled() else self.timeout)
            sql.event.listen(self.engine, "do_connect", lambda _dialect, _record, _args, named: self._connections.connect(**named))
        else:
            sql.event.listen(self.engine, "connect", _set_pragmas)
        self._write_lock = nullcontext() if self.shared else Lock()
        self._snapshot_engine = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.shared else self.engine

    def close(self) -> None:
        """Close all connections; on SQLite the WAL is merged first, so that a copy of the one file is complete."""
        self.truncate_wal()
        self.engine.dispose()
        if self.shared:
            self._connections.close()

    def truncate_wal(self) -> None:
        """Merge SQLite's WAL, which still holds deleted data, into the database file; a failure is only logged."""
        if not self.shared:
            try:
                with self.engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            except SQLAlchemyError as error:
                logger.warning("what was deleted still stands in the journal: %s", reason_of(error))

    def cancel_waits(self) -> None:
        """Make every pending call to PostgreSQL fail, at shutdown."""
        self.timeout = 0.0

    def reading(self) -> Transaction:
        """Open a transaction whose reads all see one snapshot."""
        return Transaction(self._snapshot_engine, self._read_failures)

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """Open a transaction for writing.

        SQLite admits one writer at a time and makes the others sleep and retry, so they queue at a lock here.
        """
        with self._write_lock, Transaction(self.engine, self._write_failures) as connection:
            yield connection

    def notify(self, connection: sql.Connection, *messages: str) -> None:
        """Notify the other processes when the transaction commits: see `cluster.py`."""
        if self.shared and messages:
            payloads = [{"channel": CHANNEL, "payload": f"{self.node_id} {message}"} for message in messages]
            connection.execute(sql.text("SELECT pg_notify(:channel, :payload)"), payloads)

    def publish(self, messages: Iterable[str]) -> None:
        """Notify the other processes without writing anything."""
        if self.shared:
            with self.reading() as connection:
                self.notify(connection, *messages)


class Transaction:
    """Transaction that translates database errors: a log position already taken, a full disk, a locked file, a lost server.

    Players read one sentence; the reason, which may name the database, goes to the log.
    """

    def __init__(self, engine: sql.Engine, failures: LogOnce) -> None:
        self._begin, self._failures = engine.begin(), failures

    def __enter__(self) -> sql.Connection:
        try:
            return self._begin.__enter__()
        except SQLAlchemyError as error:
            raise self._failed(error) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._begin.__exit__(kind, error, trace)
        except SQLAlchemyError as late:
            error = late
        if isinstance(error, IntegrityError):
            raise ConflictError(msg("the game has moved on")) from error
        if isinstance(error, DataError):
            raise NotStorable(msg("this cannot be saved: {reason}", reason=reason_of(error))) from error
        if isinstance(error, SQLAlchemyError):
            raise self._failed(error) from error
        self._failures.recovered()

    def _failed(self, error: Exception) -> StoreError:
        self._failures.failed(reason_of(error))
        return StoreError(msg("games cannot be read or saved just now; try again in a moment"))


def is_up(url: str) -> bool:
    """Return whether the database server answers; an invalid URL counts as up, and fails when it is opened."""
    address = _with_timeouts(url)
    if address.drivername != DRIVER:
        return True
    from tablee.server.storage.pg_connection import is_reachable  # noqa: PLC0415

    return is_reachable(**address.get_dialect()().create_connect_args(address)[1])


def _with_timeouts(url: str) -> sql.URL:
    """Return the URL with our default time-outs, which its own options override."""
    address = sql.make_url(url)
    if address.drivername not in ("postgres", "postgresql", DRIVER):
        return address
    own = address.query.get("options", "")
    options = [STATEMENT_TIMEOUT, *([own] if isinstance(own, str) else own)]
    return address.set(drivername=DRIVER, query={**CONNECT_OPTIONS, **address.query, "options": " ".join(options).strip()})


def _set_pragmas(connection: sqlite3.Connection, _: Any) -> None:
    """Make SQLite sync every commit and overwrite deleted data, which not every build does by default."""
    for pragma in (f"busy_timeout={BUSY_TIMEOUT * 1000:.0f}", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    _use_write_ahead_log(connection)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging, if it is not; while another connection writes, SQLite refuses that without its time-out."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(BUSY_INTERVAL)
        else:
            return


def reason_of(error: Exception) -> str:
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).splitlines()[0]


class LogOnce:
    """Log of a lasting failure: one line when it begins, and one when it ends."""

    def __init__(self, logger: logging.Logger, failure_text: str, recovery_text: str) -> None:
        """Set the message logged when failures begin, to which the reason is appended, and the one logged at recovery."""
        self._logger, self._failure_text, self._recovery_text = logger, failure_text, recovery_text
        self._is_failing = False

    def failed(self, reason: str) -> None:
        if not self._is_failing:
            self._is_failing = True
            self._logger.warning("%s: %s", self._failure_text, reason)

    def recovered(self) -> None:
        if self._is_failing:
            self._is_failing = False
            self._logger.warning(self._recovery_text)
