"""A line to PostgreSQL on which nobody waits for ever. A server that hangs keeps its side of TCP open, and cannot keep to time-outs of its
own: only whoever waits can notice, and hang up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping


class PgConnection(psycopg.Connection[Any]):
    get_timeout: Callable[[], float]  # seconds; asked again and again, so that it can be lost at any time

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Everything that is said on a line is such a generator, which psycopg wakes ten times a second."""
        return super().wait(self._with_timeout(gen), *args, **named)

    def _with_timeout(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        since, heard = monotonic(), None
        while True:
            try:
                wanted = gen.send(heard)
            except StopIteration as done:
                return done.value
            heard = yield wanted
            if not heard and monotonic() - since > self.get_timeout():
                self.close()
                raise psycopg.OperationalError("the database does not answer")


def open_connection(get_timeout: Callable[[], float], **where: Any) -> PgConnection:
    if not get_timeout():
        raise psycopg.OperationalError("nobody waits for the database any more")
    line = PgConnection.connect(**where)
    line.get_timeout = get_timeout
    return line


def is_reachable(**where: Any) -> bool:
    """Whether a server is up and takes visitors, whoever they are; what cannot even be asked is no reason to wait."""
    try:
        return PGconn.ping(make_conninfo(**where).encode()) in (Ping.OK, Ping.NO_ATTEMPT)
    except psycopg.ProgrammingError:
        return True
