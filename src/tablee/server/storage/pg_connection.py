"""PostgreSQL connection with a time-out on the client's side.

A hung server leaves its TCP connections open and does not enforce its own time-outs, so the client must close them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping


class PgConnection(psycopg.Connection[Any]):
    get_timeout: Callable[[], float]  # seconds; called at every poll, so that it can drop to 0 at any time

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Add the time-out to an exchange with the server: a generator that psycopg resumes ten times a second."""
        return super().wait(self._with_timeout(gen), *args, **named)

    def _with_timeout(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        since, ready = monotonic(), None
        while True:
            try:
                wait_for = gen.send(ready)
            except StopIteration as done:
                return done.value
            ready = yield wait_for
            if not ready and monotonic() - since > self.get_timeout():
                self.close()
                raise psycopg.OperationalError("the database does not answer")


def open_connection(get_timeout: Callable[[], float], **parameters: Any) -> PgConnection:
    if not get_timeout():
        raise psycopg.OperationalError("nobody waits for the database any more")
    connection = PgConnection.connect(**parameters)
    connection.get_timeout = get_timeout
    return connection


def is_reachable(**parameters: Any) -> bool:
    """Return whether a server accepts connections; invalid parameters count as reachable, for waiting does not help."""
    try:
        return PGconn.ping(make_conninfo(**parameters).encode()) in (Ping.OK, Ping.NO_ATTEMPT)
    except psycopg.ProgrammingError:
        return True
