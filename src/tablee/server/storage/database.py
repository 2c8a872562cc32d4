"""The database: one file of SQLite for one process, or PostgreSQL for as many as one likes. What the two do differently stands here."""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Lock
from typing import Any
from weakref import WeakSet

import sqlalchemy as sql
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.log_once import LogOnce

CHANNEL = "tablee"  # on which PostgreSQL tells every process what another one wrote
DRIVER = "postgresql+psycopg"
MAX_NOTIFY_BYTES = 7_500  # bytes; PostgreSQL carries fewer than 8,000

# PostgreSQL may hang, its machine or the network vanish without a word: whoever plays hears so after some seconds.
RESPONSE_TIMEOUT = 4.0  # seconds after which this side hangs up
STATEMENT_TIMEOUT = "-c statement_timeout=3s"  # before that, so that nobody waits for a lock there who has been sent away here
CONNECT_OPTIONS = {  # what an address says of its own counts instead
    "connect_timeout": "3",  # seconds
    "keepalives_idle": "5",  # a line on which nothing is said, as that for tidings, notices within so many seconds
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "5000",  # milliseconds in which what was sent has arrived
}

logger = logging.getLogger(__name__)


class StoreError(TableeError):
    """The line could not be written: nothing has happened, and the same request may be sent again."""


class ConflictError(TableeError):
    """Somebody else's line took this position."""


class NotStorable(TableeError):
    """PostgreSQL keeps no text with a zero byte in it, and nothing longer than its column."""


class Database:
    def __init__(self, url: str, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """`ended` says whether nobody waits for it any more."""
        self._is_cancelled, address = is_cancelled, _with_timeouts(url)
        away: dict[str, Any] = {"pool_timeout": RESPONSE_TIMEOUT, "pool_pre_ping": True} if address.drivername == DRIVER else {}
        self.engine = sql.create_engine(address, hide_parameters=True, **away)  # a reason that is logged names nobody
        self.shared = self.engine.dialect.name == "postgresql"  # whether other processes may write to it too
        self.node_id = secrets.token_hex(4)  # this process, among those
        self.timeout = math.inf  # seconds to wait for an answer: whoever makes or migrates tables has time
        self._read_failures = LogOnce(logger, "games cannot be read just now", "games can be read again")
        self._write_failures = LogOnce(logger, "games cannot be saved just now", "games can be saved again")
        if self.shared:
            sql.event.listen(self.engine, "do_connect", self._connect)
            self._connections = WeakSet[Any]()  # those that a pool which was disposed of would leave open
        else:
            sql.event.listen(self.engine, "connect", _set_pragmas)
        self._write_lock = nullcontext() if self.shared else Lock()
        self._snapshot_engine = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.shared else self.engine

    def close(self) -> None:
        """On SQLite everything is in the one file then, and a copy of it is whole."""
        if not self.shared:
            with suppress(SQLAlchemyError), self.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self.engine.dispose()
        if self.shared:
            for line in list(self._connections):
                line.close()

    def _connect(self, dialect: Any, record: Any, args: Any, where: dict[str, Any]) -> Any:  # noqa: ARG002  as SQLAlchemy calls it
        from tablee.server.storage.pg_connection import open_connection  # noqa: PLC0415  SQLite needs no driver of PostgreSQL's

        line = open_connection(lambda: 0.0 if self._is_cancelled() else self.timeout, **where)
        self._connections.add(line)
        return line

    def cancel_waits(self) -> None:
        """Nobody waits any more: whatever is under way fails."""
        self.timeout = 0.0

    def reading(self) -> Transaction:
        """Everything that is read in it is of one moment."""
        return Transaction(self._snapshot_engine, self._read_failures)

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """SQLite lets in one at a time, and whoever is turned away sleeps: here they stand in line."""
        with self._write_lock, Transaction(self.engine, self._write_failures) as connection:
            yield connection

    def notify(self, connection: sql.Connection, *messages: str) -> None:
        """Every other process hears these when the transaction is done: see `cluster/sync.py`."""
        if self.shared and messages:
            told = [{"channel": CHANNEL, "word": f"{self.node_id} {word}"} for word in messages]
            connection.execute(sql.text("SELECT pg_notify(:channel, :word)"), told)

    def publish(self, messages: Iterable[str]) -> None:
        """What is kept nowhere."""
        if self.shared:
            with self.reading() as connection:
                self.notify(connection, *messages)


class Transaction:
    """A transaction whose failures are sentences: a taken position, a full disk, a locked file, a database that is away. Why, and where the
    database is, is nobody's business who plays: that is in the log."""

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
    """Whether there is anybody to ask; what is wrong with the address is told to whoever opens it."""
    address = _with_timeouts(url)
    if address.drivername != DRIVER:
        return True
    from tablee.server.storage.pg_connection import is_reachable  # noqa: PLC0415

    return is_reachable(**address.get_dialect()().create_connect_args(address)[1])


def _with_timeouts(url: str) -> sql.URL:
    """With our time-outs, as far as it has none of its own."""
    address = sql.make_url(url)
    if address.drivername not in ("postgres", "postgresql", DRIVER):
        return address
    own = address.query.get("options", "")
    options = [STATEMENT_TIMEOUT, *([own] if isinstance(own, str) else own)]
    return address.set(drivername=DRIVER, query={**CONNECT_OPTIONS, **address.query, "options": " ".join(options).strip()})


def _set_pragmas(connection: Any, _: Any) -> None:
    """SQLite: acknowledged means on disk, and deleted means overwritten. Not every build does the latter by default."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def reason_of(error: Exception) -> str:
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).splitlines()[0]
