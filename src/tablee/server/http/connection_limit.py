"""Limit on open connections, with timeouts for incomplete requests and unread responses.

The limit stays below the number of files that the process may open, so that the store and the rules can always open theirs. When it is
reached, the client with the most connections loses its oldest idle one; if none is idle, the newest connection gets a 503.

An asyncio protocol of ours stands between each connection and uvicorn's protocol. It passes on a few kilobytes per iteration of the event
loop: uvicorn parses whatever it is given at once, while all others wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import Scope

from tablee.server.http.middleware.limits import Limits, client_key

BACKLOG = 128  # connections that the kernel queues before the server accepts them
MAX_ACCEPTED_AT_ONCE = 16  # connections that asyncio accepts before it makes their protocols, which count them
SPARE_FILES = 2 * BACKLOG  # for the backlog, the store, the rules and static files
MAX_REFUSED = 64  # connections over the limit that get a 503; further ones are aborted
READ_BYTES = 2048  # read from one connection per iteration of the event loop: some 300 of the smallest WebSocket messages
MAX_UNREAD_BYTES = 1024 * 1024  # waiting to be sent to a client that goes on sending
MAX_PIPELINED_BYTES = 16 * 1024  # sent before the response to an earlier request; browsers and proxies wait for it
CONNECTION = "connection"  # key of the HttpConnection in a scope's state


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

    def __init__(self, limits: Limits) -> None:
        self.max_connections, self.count = limits.connections, 0
        self.request_timeout, self.response_timeout = limits.request_timeout, limits.response_timeout
        self._by_client_key: dict[str, dict[HttpConnection, None]] = {}  # without WebSockets, the oldest first

    def apply(self, config: uvicorn.Config) -> uvicorn.Config:
        """Make a server with this configuration pass its connections through this limit."""
        config.load()
        config.http_protocol_class = partial(HttpConnection, self, config.http_protocol_class)  # type: ignore[assignment]
        config.ws_protocol_class = partial(WebSocketConnection, self, config.ws_protocol_class)  # type: ignore[assignment]
        return config

    def add(self, connection: HttpConnection) -> None:
        self.count += 1
        self._by_client_key.setdefault(connection.client_key, {})[connection] = None
        if self.count > self.max_connections and not self._make_room(connection):
            connection.is_over_limit = True
            if self.count > self.max_connections + MAX_REFUSED:
                connection.transport.abort()

    def remove(self, connection: HttpConnection) -> None:
        """Stop counting a connection among those that may be evicted: it is closed, or a WebSocket from now on."""
        held = self._by_client_key.get(connection.client_key, {})
        held.pop(connection, None)
        if not held:
            self._by_client_key.pop(connection.client_key, None)

    def _make_room(self, newcomer: HttpConnection) -> bool:
        """Abort the oldest idle connection of the client that holds most; return whether there was one."""
        for held in sorted(self._by_client_key.values(), key=len, reverse=True):
            found = next((each for each in held if each.is_idle and each is not newcomer), None)
            if found is not None:
                self.remove(found)
                found.transport.abort()
                return True
        return False


class Connection(asyncio.BufferedProtocol):
    """Protocol that passes on what it receives, READ_BYTES at a time, to a protocol of uvicorn."""

    transport: asyncio.Transport

    def __init__(self, limit: ConnectionLimit, protocol: asyncio.Protocol) -> None:
        self._limit, self._protocol, self._buffer = limit, protocol, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._protocol.connection_made(transport)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        self._buffer = bytearray(READ_BYTES)
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Pass on what was read; abort a connection that sends without reading, such as pings whose answers pile up."""
        data, self._buffer = bytes(memoryview(self._buffer)[:nbytes]), bytearray()
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.transport.abort()
        else:
            self.data_received(data)

    def data_received(self, data: bytes) -> None:
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit.count -= 1
        self._protocol.connection_lost(exc)


class HttpConnection(Connection):
    """HTTP connection with timeouts, until it becomes a WebSocket."""

    def __init__(self, limit: ConnectionLimit, protocol_class: Any, *, app_state: dict[str, Any], **named: Any) -> None:
        super().__init__(limit, protocol_class(app_state=app_state | {CONNECTION: self}, **named))
        self.is_over_limit, self._is_working, self._is_lost = False, False, False
        self._timeout: asyncio.TimerHandle | None = None
        self._pipelined_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.client_key = client_key({"client": transport.get_extra_info("peername")})
        self._limit.add(self)
        self._wait(self._limit.request_timeout)

    def data_received(self, data: bytes) -> None:
        """Abort a connection that pipelines: uvicorn reads on with each request, and stores what it cannot serve yet."""
        self._pipelined_bytes += len(data) if self._is_working else 0
        if self._pipelined_bytes > MAX_PIPELINED_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    @property
    def is_idle(self) -> bool:
        """Whether the server waits for this client: for a request or the rest of one, or until it reads its response."""
        return not self._is_working or self.transport.get_write_buffer_size() > 0

    @contextmanager
    def working(self) -> Iterator[None]:
        """Limit the time for the response to a complete request, then that until the next one is complete.

        Between two requests uvicorn closes the connection much sooner.
        """
        self._is_working = True
        self._wait(self._limit.response_timeout)
        try:
            yield
        finally:
            self._is_working = False
            self._wait(self._limit.request_timeout)

    def _wait(self, seconds: float) -> None:
        self.stop_waiting()
        if not self._is_lost:
            self._timeout = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def stop_waiting(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        self.stop_waiting()
        self._limit.remove(self)
        super().connection_lost(exc)


class WebSocketConnection(Connection):
    """Connection after its upgrade to a WebSocket; uvicorn closes one that does not answer its pings."""

    def __init__(self, limit: ConnectionLimit, protocol_class: Any, *, app_state: dict[str, Any], **named: Any) -> None:
        super().__init__(limit, protocol_class(app_state=app_state, **named))
        http: HttpConnection = app_state[CONNECTION]
        http.stop_waiting()
        limit.remove(http)


def connection_of(scope: Scope) -> HttpConnection | None:
    """Return the connection of a request, None where no server of ours received it."""
    found: HttpConnection | None = scope.get("state", {}).get(CONNECTION)
    return found
