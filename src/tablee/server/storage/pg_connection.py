"""PostgreSQL connections with a time-out on the client's side.

A hung server leaves its TCP connections open and does not enforce its own time-outs. So a thread shuts down the socket of a connection
that waits for too long: its call fails as if the server had closed it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

POLL_INTERVAL = 0.1  # seconds between two looks at the connections


class PgConnection(psycopg.Connection[Any]):
    waiting_since: float | None = None  # time.monotonic() when the present exchange with the server began

    @contextmanager
    def exchange(self) -> Iterator[None]:
        """Note that the server is to answer."""
        self.waiting_since = monotonic()
        try:
            yield
        finally:
            self.waiting_since = None

    def commit(self) -> None:
        with self.exchange():
            super().commit()

    def rollback(self) -> None:
        with self.exchange():
            super().rollback()


class PgCursor(psycopg.Cursor[Any]):
    connection: PgConnection

    def execute(self, *args: Any, **named: Any) -> Any:
        with self.connection.exchange():
            return super().execute(*args, **named)

    def executemany(self, *args: Any, **named: Any) -> None:
        with self.connection.exchange():
            super().executemany(*args, **named)


class PgConnections:
    """Open connections of one database, and the thread that shuts them down."""

    def __init__(self, get_timeout: Callable[[], float]) -> None:
        """Set the time-out of an exchange in seconds; it is read at every look, so that it can drop to 0 at any time."""
        self._get_timeout, self._lock = get_timeout, Lock()
        self._open = WeakSet[PgConnection]()
        self._thread: Thread | None = None

    def connect(self, **parameters: Any) -> PgConnection:
        if not self._get_timeout():
            raise psycopg.OperationalError("nobody waits for the database any more")
        connection = PgConnection.connect(**parameters, cursor_factory=PgCursor)
        with self._lock:
            self._open.add(connection)
            if self._thread is None:
                self._thread = Thread(target=self._enforce, name="database-timeouts", daemon=True)
                self._thread.start()
        return connection

    def _enforce(self) -> None:
        """Look at the connections until none is left."""
        while True:
            sleep(POLL_INTERVAL)
            with self._lock:
                connections = [each for each in self._open if not each.closed]
                if not connections:
                    self._thread = None
                    return
            for connection in connections:
                since = connection.waiting_since
                if since is not None and monotonic() - since > self._get_timeout():
                    shut_down(connection)

    def close(self) -> None:
        """Close all connections: a disposed pool leaves those in use open."""
        with self._lock:
            for connection in list(self._open):
                connection.close()


def shut_down(connection: PgConnection) -> None:
    """End the connection under the call that waits for its server."""
    with suppress(OSError, psycopg.Error), socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def is_reachable(**parameters: Any) -> bool:
    """Return whether a server accepts connections; invalid parameters count as reachable, for waiting does not help."""
    try:
        return PGconn.ping(make_conninfo(**parameters).encode()) in (Ping.OK, Ping.NO_ATTEMPT)
    except psycopg.ProgrammingError:
        return True
