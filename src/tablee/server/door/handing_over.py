"""Of several processes on one machine each has tables of its own, so that a move is drawn in one of them and not in all: a connection whose
first words ask for another's table is handed over to it, with what was said; a socket too that comes by a connection which asked for
something else before, as a proxy's do. Any process serves any table, so whoever cannot be reached is stood in for.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import calcsize
from zlib import crc32

MOST_BYTES = 256 * 1024  # of what was said: as many as are heard at once
TRIES, PAUSE = 200, 0.005  # of one whose hands are full, and seconds between them

ASKED_FOR = re.compile(rb"[A-Z]+ /(?:t|api/tables)/([0-9a-z]+)[/? ]")


class Arriving(asyncio.Protocol):
    """What was said to the other process is heard before anything else."""

    def __init__(self, made: Callable[[], asyncio.Protocol], said: bytes) -> None:
        self._made, self._said = made, said

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        protocol = self._made()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        protocol.data_received(self._said)


class HandingOver:
    def __init__(self, folder: Path, number: int, processes: int) -> None:
        """`folder` is where all of them are found, by their numbers."""
        self._folder, self._number, self._processes = folder, number, processes
        self._mouth = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._mouth.setblocking(False)

    def close(self) -> None:
        self._mouth.close()

    def offer(self, transport: asyncio.Transport, said: bytes, serve: Callable[[bytes], None], tries: int = TRIES) -> None:
        """To the process whose table is asked for; it is served here where that is this one, or nobody there takes it."""
        owner = self._owner(said)
        if transport.is_closing():
            return
        if owner != self._number:
            try:
                self._hand_over(transport.get_extra_info("socket").fileno(), said, owner)
            except BlockingIOError:
                if tries:
                    transport.pause_reading()
                    asyncio.get_running_loop().call_later(PAUSE, self.offer, transport, said, serve, tries - 1)
                    return
            except OSError:  # it is just being replaced
                pass
            else:
                transport.abort()  # this end of it; the connection itself is the other's
                return
        transport.resume_reading()
        serve(said)

    def _hand_over(self, connection: int, said: bytes, owner: int) -> None:
        """`socket.send_fds` forgets the address."""
        handle = socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(calcsize("i"), sys.byteorder)
        self._mouth.sendmsg([said], [handle], 0, str(self._folder / str(owner)))

    def _owner(self, said: bytes) -> int:
        """Whoever cannot be told from the first words is served where they came."""
        found = ASKED_FOR.match(said)
        return crc32(found[1]) % self._processes if found else self._number

    @contextmanager
    def taking(self, made: Callable[[], asyncio.Protocol]) -> Iterator[None]:
        """What others hand over is taken as if it had come here; `made` is a protocol for it."""
        loop, place, coming = asyncio.get_running_loop(), self._folder / str(self._number), set[asyncio.Task[None]]()

        async def welcome(connection: socket.socket, said: bytes) -> None:
            with suppress(OSError):  # it is gone again
                await loop.connect_accepted_socket(lambda: Arriving(made, said), connection)

        def take() -> None:
            with suppress(BlockingIOError):
                while True:
                    said, handles, _, _ = socket.recv_fds(ear, MOST_BYTES, 1)
                    task = loop.create_task(welcome(socket.socket(fileno=handles[0]), said))
                    coming.add(task)
                    task.add_done_callback(coming.discard)

        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            place.unlink(missing_ok=True)  # of whoever had this number before
            ear.bind(str(place))
            ear.setblocking(False)
            loop.add_reader(ear, take)
            try:
                yield
            finally:
                loop.remove_reader(ear)
                place.unlink(missing_ok=True)
