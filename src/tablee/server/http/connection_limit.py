"""Connections are bounded and none is held by silence: half a request waits some seconds for its other half, an answer for whoever asked.

The bound stays below the number of files that a process may open, so that the store and the rules always find theirs. When it is reached,
the client address with the most connections loses its oldest silent one; where nobody is silent, the newest is told that the house is full.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from tablee.server.http.fd_passing import FdPassing
from tablee.server.http.middleware.host_origin import OVER_LIMIT
from tablee.server.http.middleware.limits import client_key

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as HttpProtocol

BACKLOG = 128  # how many may be let in at one time before the first is looked at
SPARE_FILES = 2 * BACKLOG  # for those, and for the store, the rules and the styles
MAX_REFUSED = 64  # over the bound so many are answered; the others are hung up on
MAX_HEADER_BYTES = 64 * 1024
MAX_PIPELINED = 16  # requests that wait on one connection; browsers send the next when they have the answer
REQUEST_TIMEOUT, RESPONSE_TIMEOUT = 20.0, 120.0
SWEEP_INTERVAL = 1.0  # seconds between two looks at everybody


def raise_file_limit(wanted: int) -> int:
    """Raises the number of files that may be open as far as the system lets us; returns how many connections that allows."""
    try:
        import resource  # noqa: PLC0415  not on every system
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # macOS names a limit that it does not grant
            hard = soft
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, max(hard - SPARE_FILES, hard // 4))


class ConnectionLimit:
    """Everybody who is connected."""

    def __init__(self, max_connections: int, fd_passing: FdPassing | None = None) -> None:
        self.max_connections, self.fd_passing = max_connections, fd_passing
        self._by_client_key: dict[str, dict[TimedHttpProtocol, None]] = {}  # HTTP connections by `household`, the oldest first
        self._sweep_timer: asyncio.TimerHandle | None = None

    def protocol(self) -> Any:
        return partial(TimedHttpProtocol, self)

    def add(self, who: TimedHttpProtocol) -> None:
        self._by_client_key.setdefault(who.client_key, {})[who] = None
        if self._sweep_timer is None:
            self._sweep_timer = who.loop.call_later(SWEEP_INTERVAL, self._sweep, who.loop, who.connections)
        if len(who.connections) > self.max_connections and not self._make_room(who):
            if len(who.connections) > self.max_connections + MAX_REFUSED:
                who.transport.abort()
            else:
                who.app_state = who.app_state | {OVER_LIMIT: True}

    def _make_room(self, newcomer: TimedHttpProtocol) -> bool:
        """Close the oldest silent connection of the client that holds most."""
        for held in sorted(self._by_client_key.values(), key=len, reverse=True):
            found = next((each for each in held if each.is_idle and each is not newcomer), None)
            if found is not None:
                del held[found]
                found.connections.discard(found)
                found.transport.abort()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop, everybody: set[Any]) -> None:
        for who in [each for each in everybody if isinstance(each, TimedHttpProtocol)]:
            if who.is_overdue():
                who.transport.abort()
        held = {client: {who: None for who in held if who in everybody} for client, held in self._by_client_key.items()}
        self._by_client_key = {client: still for client, still in held.items() if still}
        self._sweep_timer = loop.call_later(SWEEP_INTERVAL, self._sweep, loop, everybody) if everybody else None


class TimedHttpProtocol(HttpProtocol):
    """One connection, until it becomes a socket."""

    def __init__(self, limit: ConnectionLimit, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._limit, self._header_bytes, self._fd_passing = limit, 0, limit.fd_passing
        self._stage: tuple[object, float] = (None, REQUEST_TIMEOUT)
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.client_key = client_key({"client": self.client})
        self._limit.add(self)

    def data_received(self, data: bytes) -> None:
        """The first words may be for another process."""
        if self._fd_passing:
            handing_over, self._fd_passing = self._fd_passing, None
            handing_over.offer(self.transport, data, self._receive)
        else:
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        """Headers without an end are no request."""
        before = self.cycle
        super().data_received(data)
        asking = self.cycle is before and (before is None or before.response_complete)
        self._header_bytes = self._header_bytes + len(data) if asking else 0
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
        """Whether the server waits for this client: for a request or the rest of one, or until it reads its answer."""
        working = self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete
        return self in self.connections and (not working or self.transport.get_write_buffer_size() > 0)

    def is_overdue(self) -> bool:
        """Whether it has been at the same thing for too long."""
        now, stage = self.loop.time(), (self.cycle, self._time_limit())
        if stage != self._stage:
            self._stage, self._since = stage, now
        return now - self._since > stage[1]

    def _time_limit(self) -> float:
        """How long it may be at what it is at. Between two requests uvicorn itself hangs up."""
        if self.cycle is None or self.cycle.more_body:
            return REQUEST_TIMEOUT
        if not self.cycle.response_complete:
            return RESPONSE_TIMEOUT
        return inf if self.timeout_keep_alive_task is not None and not self.transport.is_closing() else REQUEST_TIMEOUT
