"""Of several processes on one machine each has tables of its own, so that a move is drawn in one of them and not in all: a connection whose
first words ask for another's table is handed over to it, with what was said; a socket too that comes by a connection which asked for
something else before, as a proxy's do. Any process serves any table, so whoever cannot be reached is stood in for.
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

MAX_DATA_BYTES = 256 * 1024  # bytes that were said; who says more than the system carries at once is served where they came
MAX_ACCEPTED_AT_ONCE = 64  # that are taken before anything else is looked at
RETRY_DELAY = 0.005  # seconds before the next try with one whose hands are full,
HANDOVER_TIMEOUT, BACKOFF = 1.0, 10.0  # for so long; then it is not asked for a while

REQUESTED_TABLE = re.compile(rb"[A-Z]+ /(?:t|api/tables)/([0-9a-z]+)[/? ]")

logger = logging.getLogger(__name__)


class FdPassing:
    def __init__(self, folder: Path, number: int, processes: int) -> None:
        """`folder` is where all of them are found, by their numbers."""
        self._socket_path, self._number = folder / str(number), number
        self._peers = [PeerProcess(folder / str(other)) for other in range(processes)]

    def close(self) -> None:
        for way in self._peers:
            way.close()

    def offer(self, transport: asyncio.Transport, said: bytes, serve: Callable[[bytes], None]) -> None:
        """To the process whose table is asked for; it is served here where that is this one, or nobody there takes it."""
        found = REQUESTED_TABLE.match(said)
        owner = crc32(found[1]) % len(self._peers) if found else self._number
        if owner == self._number or transport.get_write_buffer_size():  # what is still being answered is ours
            serve(said)
        else:
            self._peers[owner].enqueue(PendingConnection(transport, said, serve))

    @contextmanager
    def accepting(self, made: Callable[[], asyncio.Protocol]) -> Iterator[None]:
        """What others hand over is taken as if it had come here; `made` is a protocol for it."""
        loop, ear = asyncio.get_running_loop(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        coming = set[asyncio.Task[None]]()

        def take() -> None:
            with suppress(BlockingIOError):
                for _ in range(MAX_ACCEPTED_AT_ONCE):
                    said, handles, _, _ = socket.recv_fds(ear, MAX_DATA_BYTES, 1)
                    if handles:  # there is none where no more files can be opened
                        task = loop.create_task(accept(socket.socket(fileno=handles[0]), said, made))
                        coming.add(task)
                        task.add_done_callback(coming.discard)

        with ear:
            ear.setblocking(False)
            try:
                self._socket_path.unlink(missing_ok=True)  # of whoever had this number before
                ear.bind(str(self._socket_path))
            except OSError as error:  # the others stand in
                logger.warning("connections cannot be handed over to this process: %s", error)
                yield
                return
            loop.add_reader(ear, take)
            try:
                yield
            finally:
                self._socket_path.unlink(missing_ok=True)
                take()  # who was on the way
                loop.remove_reader(ear)


@dataclass(frozen=True)
class PendingConnection:
    transport: asyncio.Transport
    data: bytes
    serve: Callable[[bytes], None]  # here

    def serve_here(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self.serve(self.data)


class PeerProcess:
    """To one of the others. Where its hands are full, visitors stand in line for a moment."""

    def __init__(self, place: Path) -> None:
        self._socket_path, self._queue = place, deque[tuple[PendingConnection, float]]()
        self._backoff_until = 0.0  # until then it is not asked
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()

    def enqueue(self, visitor: PendingConnection) -> None:
        if time.monotonic() < self._backoff_until:
            visitor.serve_here()
            return
        visitor.transport.pause_reading()
        self._queue.append((visitor, time.monotonic() + HANDOVER_TIMEOUT))
        if len(self._queue) == 1:
            self._drain()

    def _drain(self) -> None:
        while self._queue:
            visitor, until = self._queue[0]
            try:
                if not visitor.transport.is_closing():
                    self._send(visitor)
            except BlockingIOError:
                if time.monotonic() < until:
                    asyncio.get_running_loop().call_later(RETRY_DELAY, self._drain)
                    return
                self._backoff_until = time.monotonic() + BACKOFF
                self._serve_all_here()
            except OSError:  # it is just being replaced, or this is too much to carry
                self._queue.popleft()[0].serve_here()
            else:
                self._queue.popleft()[0].transport.abort()  # this end of it; the connection itself is the other's

    def _serve_all_here(self) -> None:
        everybody, self._queue = self._queue, deque()
        for visitor, _ in everybody:
            visitor.serve_here()

    def _send(self, visitor: PendingConnection) -> None:
        """`socket.send_fds` forgets the address."""
        connection = visitor.transport.get_extra_info("socket").fileno()
        handle = socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(calcsize("i"), sys.byteorder)
        self._socket.sendmsg([visitor.data], [handle], 0, str(self._socket_path))


class BufferingProtocol(asyncio.Protocol):
    """A connection that is being set up: what it hears comes after what was said to the other process."""

    def __init__(self, said: bytes) -> None:
        self.data = said

    def data_received(self, data: bytes) -> None:
        self.data += data


async def accept(connection: socket.socket, said: bytes, made: Callable[[], asyncio.Protocol]) -> None:
    with suppress(OSError):  # it is gone again
        transport, arriving = await asyncio.get_running_loop().connect_accepted_socket(lambda: BufferingProtocol(said), connection)
        if not transport.is_closing():
            protocol = made()
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
            protocol.data_received(arriving.data)
