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

LONGEST = 256 * 1024  # bytes that were said; who says more than the system carries at once is served where they came
AT_ONCE = 64  # that are taken before anything else is looked at
PAUSE = 0.005  # seconds before the next try with one whose hands are full,
PATIENCE, DISTRUST = 1.0, 10.0  # for so long; then it is not asked for a while

ASKED_FOR = re.compile(rb"[A-Z]+ /(?:t|api/tables)/([0-9a-z]+)[/? ]")

logger = logging.getLogger(__name__)


class HandingOver:
    def __init__(self, folder: Path, number: int, processes: int) -> None:
        """`folder` is where all of them are found, by their numbers."""
        self._place, self._number = folder / str(number), number
        self._ways = [Way(folder / str(other)) for other in range(processes)]

    def close(self) -> None:
        for way in self._ways:
            way.close()

    def offer(self, transport: asyncio.Transport, said: bytes, serve: Callable[[bytes], None]) -> None:
        """To the process whose table is asked for; it is served here where that is this one, or nobody there takes it."""
        found = ASKED_FOR.match(said)
        owner = crc32(found[1]) % len(self._ways) if found else self._number
        if owner == self._number or transport.get_write_buffer_size():  # what is still being answered is ours
            serve(said)
        else:
            self._ways[owner].take(Visitor(transport, said, serve))

    @contextmanager
    def taking(self, made: Callable[[], asyncio.Protocol]) -> Iterator[None]:
        """What others hand over is taken as if it had come here; `made` is a protocol for it."""
        loop, ear = asyncio.get_running_loop(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        coming = set[asyncio.Task[None]]()

        def take() -> None:
            with suppress(BlockingIOError):
                for _ in range(AT_ONCE):
                    said, handles, _, _ = socket.recv_fds(ear, LONGEST, 1)
                    if handles:  # there is none where no more files can be opened
                        task = loop.create_task(welcome(socket.socket(fileno=handles[0]), said, made))
                        coming.add(task)
                        task.add_done_callback(coming.discard)

        with ear:
            ear.setblocking(False)
            try:
                self._place.unlink(missing_ok=True)  # of whoever had this number before
                ear.bind(str(self._place))
            except OSError as error:  # the others stand in
                logger.warning("connections cannot be handed over to this process: %s", error)
                yield
                return
            loop.add_reader(ear, take)
            try:
                yield
            finally:
                self._place.unlink(missing_ok=True)
                take()  # who was on the way
                loop.remove_reader(ear)


@dataclass(frozen=True)
class Visitor:
    transport: asyncio.Transport
    said: bytes
    serve: Callable[[bytes], None]  # here

    def stay(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self.serve(self.said)


class Way:
    """To one of the others. Where its hands are full, visitors stand in line for a moment."""

    def __init__(self, place: Path) -> None:
        self._place, self._line = place, deque[tuple[Visitor, float]]()
        self._distrusted = 0.0  # until then it is not asked
        self._mouth = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._mouth.setblocking(False)

    def close(self) -> None:
        self._mouth.close()

    def take(self, visitor: Visitor) -> None:
        if time.monotonic() < self._distrusted:
            visitor.stay()
            return
        visitor.transport.pause_reading()
        self._line.append((visitor, time.monotonic() + PATIENCE))
        if len(self._line) == 1:
            self._go_on()

    def _go_on(self) -> None:
        while self._line:
            visitor, until = self._line[0]
            try:
                if not visitor.transport.is_closing():
                    self._hand_over(visitor)
            except BlockingIOError:
                if time.monotonic() < until:
                    asyncio.get_running_loop().call_later(PAUSE, self._go_on)
                    return
                self._distrusted = time.monotonic() + DISTRUST
                self._send_back()
            except OSError:  # it is just being replaced, or this is too much to carry
                self._line.popleft()[0].stay()
            else:
                self._line.popleft()[0].transport.abort()  # this end of it; the connection itself is the other's

    def _send_back(self) -> None:
        everybody, self._line = self._line, deque()
        for visitor, _ in everybody:
            visitor.stay()

    def _hand_over(self, visitor: Visitor) -> None:
        """`socket.send_fds` forgets the address."""
        connection = visitor.transport.get_extra_info("socket").fileno()
        handle = socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(calcsize("i"), sys.byteorder)
        self._mouth.sendmsg([visitor.said], [handle], 0, str(self._place))


class Arriving(asyncio.Protocol):
    """A connection that is being set up: what it hears comes after what was said to the other process."""

    def __init__(self, said: bytes) -> None:
        self.said = said

    def data_received(self, data: bytes) -> None:
        self.said += data


async def welcome(connection: socket.socket, said: bytes, made: Callable[[], asyncio.Protocol]) -> None:
    with suppress(OSError):  # it is gone again
        transport, arriving = await asyncio.get_running_loop().connect_accepted_socket(lambda: Arriving(said), connection)
        if not transport.is_closing():
            protocol = made()
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
            protocol.data_received(arriving.said)
