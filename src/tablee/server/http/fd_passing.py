"""Passing of connections to the process that owns a table (SCM_RIGHTS), so that each move is rendered in one process only.

A connection whose first request is for another process's table is passed to that process with the bytes already read; so is a WebSocket
handshake on a connection that already served other requests, as behind a proxy. Any process can serve any table, so a connection is served
where it arrived if its owner cannot be reached.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from struct import calcsize
from zlib import crc32

MAX_DATA_BYTES = 256 * 1024  # of a datagram; a connection with more data than the system sends at once is served where it arrived
MAX_ACCEPTED_AT_ONCE = 64  # connections accepted before other callbacks run
RETRY_DELAY = 0.005  # seconds before the next try with a process whose socket buffer is full
HANDOVER_TIMEOUT, BACKOFF = 1.0, 10.0  # seconds of attempts that fail; seconds without an attempt after that

REQUESTED_TABLE = re.compile(rb"[A-Z]+ /(?:t|api/tables)/([0-9a-z]+)[/? ]")

logger = logging.getLogger(__name__)


class FdPassing:
    def __init__(self, folder: Path, number: int, processes: int) -> None:
        """Create the peers; `folder` holds the Unix socket of every process, named by its number."""
        self._socket_path, self._number = folder / str(number), number
        self._peers = [PeerProcess(folder / str(other)) for other in range(processes)]

    def close(self) -> None:
        for peer in self._peers:
            peer.close()

    def offer(self, transport: asyncio.Transport, data: bytes, serve: Callable[[bytes], None]) -> None:
        """Pass the connection to the owner of the requested table; serve it here if that is this process or cannot be reached."""
        found = REQUESTED_TABLE.match(data)
        owner = crc32(found[1]) % len(self._peers) if found else self._number
        if owner == self._number or transport.get_write_buffer_size():  # a response is still being sent from here
            serve(data)
        else:
            self._peers[owner].enqueue(PendingConnection(transport, data, serve))

    @contextmanager
    def accepting(self, make_protocol: Callable[[], asyncio.Protocol]) -> Iterator[None]:
        """Accept connections that other processes pass here, with protocols from `make_protocol`."""
        loop, receiver = asyncio.get_running_loop(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        tasks = set[asyncio.Task[None]]()

        def receive() -> None:
            with suppress(BlockingIOError):
                for _ in range(MAX_ACCEPTED_AT_ONCE):
                    data, descriptors, _, _ = socket.recv_fds(receiver, MAX_DATA_BYTES, 1)
                    if descriptors:  # empty if this process cannot open more files
                        task = loop.create_task(accept(socket.socket(fileno=descriptors[0]), data, make_protocol))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)

        with receiver:
            receiver.setblocking(False)
            try:
                self._socket_path.unlink(missing_ok=True)  # left by an earlier process of this number
                receiver.bind(str(self._socket_path))
            except OSError as error:  # the other processes serve these connections
                logger.warning("connections cannot be handed over to this process: %s", error)
                yield
                return
            loop.add_reader(receiver, receive)
            try:
                yield
            finally:
                self._socket_path.unlink(missing_ok=True)
                receive()  # connections still in the socket buffer
                loop.remove_reader(receiver)


@dataclass(frozen=True)
class PendingConnection:
    transport: asyncio.Transport
    data: bytes
    serve: Callable[[bytes], None]  # in this process

    def serve_here(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self.serve(self.data)


class PeerProcess:
    """One of the other processes, with a queue of connections for the moments when its socket buffer is full."""

    def __init__(self, socket_path: Path) -> None:
        self._socket_path, self._queue = socket_path, deque[tuple[PendingConnection, float]]()
        self._backoff_until = 0.0  # monotonic time before which nothing is sent
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()

    def enqueue(self, connection: PendingConnection) -> None:
        if time.monotonic() < self._backoff_until:
            connection.serve_here()
            return
        connection.transport.pause_reading()
        self._queue.append((connection, time.monotonic() + HANDOVER_TIMEOUT))
        if len(self._queue) == 1:
            self._drain()

    def _drain(self) -> None:
        while self._queue:
            connection, until = self._queue[0]
            try:
                if not connection.transport.is_closing():
                    self._send(connection)
            except BlockingIOError:
                if time.monotonic() < until:
                    asyncio.get_running_loop().call_later(RETRY_DELAY, self._drain)
                    return
                self._backoff_until = time.monotonic() + BACKOFF
                self._serve_all_here()
            except OSError:  # the process is being restarted, or the data exceeds a datagram
                self._queue.popleft()[0].serve_here()
            else:
                self._queue.popleft()[0].transport.abort()  # closes only this copy of the descriptor

    def _serve_all_here(self) -> None:
        waiting, self._queue = self._queue, deque()
        for connection, _ in waiting:
            connection.serve_here()

    def _send(self, connection: PendingConnection) -> None:
        """Send data and descriptor with `sendmsg`, because `socket.send_fds` ignores its address."""
        descriptor = connection.transport.get_extra_info("socket").fileno()
        rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptor.to_bytes(calcsize("i"), sys.byteorder)
        self._socket.sendmsg([connection.data], [rights], 0, str(self._socket_path))


class BufferingProtocol(asyncio.Protocol):
    """Protocol of a connection that is being set up: it appends new bytes to those that the other process read."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def data_received(self, data: bytes) -> None:
        self.data += data


async def accept(connection: socket.socket, data: bytes, make_protocol: Callable[[], asyncio.Protocol]) -> None:
    with suppress(OSError):  # the client has disconnected
        transport, buffering = await asyncio.get_running_loop().connect_accepted_socket(lambda: BufferingProtocol(data), connection)
        if not transport.is_closing():
            protocol = make_protocol()
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
            protocol.data_received(buffering.data)
