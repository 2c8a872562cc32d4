"""Limit on open connections, with timeouts for incomplete requests and unread responses.

The limit stays below the number of files that the process may open, so that the store and the rules can always open theirs. When it is
reached, the client with the most connections loses its oldest idle one; if none is idle, the newest connection gets a 503.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from tablee.server.http.middleware.host_origin import OVER_LIMIT
from tablee.server.http.middleware.limits import client_key

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as HttpProtocol

BACKLOG = 128  # connections that the kernel queues before the server accepts them
SPARE_FILES = 2 * BACKLOG  # for the backlog, the store, the rules and static files
MAX_REFUSED = 64  # connections over the limit that get a 503; further ones are aborted
MAX_HEADER_BYTES = 64 * 1024
MAX_PIPELINED = 16  # queued requests per connection; browsers wait for the response before the next request
REQUEST_TIMEOUT, RESPONSE_TIMEOUT = 20.0, 120.0  # seconds
SWEEP_INTERVAL = 1.0  # seconds between two sweeps


def raise_file_limit(wanted: int) -> int:
    """Raise the limit on open files as far as the system permits; return how many connections that allows."""
    try:
        import resource  # noqa: PLC0415  not on every system
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # macOS reports a hard limit that it does not grant
            hard = soft
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, max(hard - SPARE_FILES, hard // 4))


class ConnectionLimit:
    """All open connections of the process, bounded in number."""

    def __init__(self, max_connections: int) -> None:
        self.max_connections = max_connections
        self._by_client_key: dict[str, dict[TimedHttpProtocol, None]] = {}  # HTTP connections by client key, the oldest first
        self._sweep_timer: asyncio.TimerHandle | None = None

    def protocol(self) -> Any:
        return partial(TimedHttpProtocol, self)

    def add(self, connection: TimedHttpProtocol) -> None:
        self._by_client_key.setdefault(connection.client_key, {})[connection] = None
        if self._sweep_timer is None:
            self._sweep_timer = connection.loop.call_later(SWEEP_INTERVAL, self._sweep, connection.loop, connection.connections)
        if len(connection.connections) > self.max_connections and not self._make_room(connection):
            if len(connection.connections) > self.max_connections + MAX_REFUSED:
                connection.transport.abort()
            else:
                connection.app_state = connection.app_state | {OVER_LIMIT: True}

    def _make_room(self, newcomer: TimedHttpProtocol) -> bool:
        """Abort the oldest idle connection of the client that holds most; return whether there was one."""
        for held in sorted(self._by_client_key.values(), key=len, reverse=True):
            found = next((each for each in held if each.is_idle and each is not newcomer), None)
            if found is not None:
                del held[found]
                found.connections.discard(found)
                found.transport.abort()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop, connections: set[Any]) -> None:
        for connection in [each for each in connections if isinstance(each, TimedHttpProtocol)]:
            if connection.is_overdue():
                connection.transport.abort()
        held = {
            client: {connection: None for connection in held if connection in connections} for client, held in self._by_client_key.items()
        }
        self._by_client_key = {client: still for client, still in held.items() if still}
        self._sweep_timer = loop.call_later(SWEEP_INTERVAL, self._sweep, loop, connections) if connections else None


class TimedHttpProtocol(HttpProtocol):
    """HTTP connection with timeouts, until it becomes a WebSocket."""

    def __init__(self, limit: ConnectionLimit, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._limit, self._header_bytes = limit, 0
        self._stage: tuple[object, float] = (None, REQUEST_TIMEOUT)
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.client_key = client_key({"client": self.client})
        self._limit.add(self)

    def data_received(self, data: bytes) -> None:
        """Abort the connection when its unfinished headers exceed MAX_HEADER_BYTES."""
        before = self.cycle
        super().data_received(data)
        in_headers = self.cycle is before and (before is None or before.response_complete)
        self._header_bytes = self._header_bytes + len(data) if in_headers else 0
        if self._header_bytes > MAX_HEADER_BYTES:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """Close a connection that pipelines: uvicorn queues its requests without bound."""
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            self.pipeline.clear()
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the queued requests: the protocol and its cycles hold each other until the next garbage collection."""
        super().connection_lost(exc)
        getattr(self, "pipeline", deque()).clear()  # h11 has none

    @property
    def is_idle(self) -> bool:
        """Whether the server waits for this client: for a request or the rest of one, or until it reads its response."""
        working = self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete
        return self in self.connections and (not working or self.transport.get_write_buffer_size() > 0)

    def is_overdue(self) -> bool:
        """Return whether the connection has been in the same stage for too long."""
        now, stage = self.loop.time(), (self.cycle, self._time_limit())
        if stage != self._stage:
            self._stage, self._since = stage, now
        return now - self._since > stage[1]

    def _time_limit(self) -> float:
        """Return the time limit of the current stage in seconds; between two requests uvicorn's own timeout applies."""
        if self.cycle is None or self.cycle.more_body:
            return REQUEST_TIMEOUT
        if not self.cycle.response_complete:
            return RESPONSE_TIMEOUT
        return inf if self.timeout_keep_alive_task is not None and not self.transport.is_closing() else REQUEST_TIMEOUT
