"""TCP proxy that simulates a bad network: it drops, delays, doubles, half-closes, falls silent and answers 502."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 19\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>"
FAULTS = ("none", "none", "drop", "delay", "double", "half-close", "silence", "bad gateway")
MAX_CONNECTION_S = 2.5  # seconds that a connection lasts at most while the network is bad


class BadNetwork(threading.Thread):
    """Proxy thread between browsers and a server; `port` is where it listens."""

    def __init__(self, to: int, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self._to, self._rng = to, rng
        self.port, self.bad = 0, False
        self.met: Counter[str] = Counter()  # number of connections by fault
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._listening = threading.Event()

    def __enter__(self) -> BadNetwork:
        self.start()
        self._listening.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        for writer in self._open:
            writer.transport.abort()
        server.close()
        self._loop.run_until_complete(asyncio.sleep(0.05))
        self._loop.close()

    def worsen(self) -> None:
        """Cut every open connection, and inject faults into new ones."""
        self.bad = True
        for writer in list(self._open):
            self._loop.call_soon_threadsafe(writer.transport.abort)

    def heal(self) -> None:
        """Inject no more faults; a silent connection stays silent, and its client has to notice."""
        self.bad = False

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self._rng.choice(FAULTS) if self.bad else "none"
        self.met[fault] += 1
        self._open.add(writer)
        if fault == "drop":
            return writer.transport.abort()
        if fault == "bad gateway":
            with suppress(OSError):
                await reader.read(1)
                writer.write(BAD_GATEWAY)
                await writer.drain()
            return writer.close()
        return await self._forward(fault, reader, writer)

    async def _forward(self, fault: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._open.add(back)
        late = self._rng.random() * 0.4 if fault == "delay" else 0.0
        directions = [self._copy(reader, back, late, self._doubled if fault == "double" else None)]
        if fault not in ("half-close", "silence"):
            directions.append(self._copy(there, writer, late))
        tasks = [asyncio.ensure_future(direction) for direction in directions]
        if fault == "half-close":
            writer.write_eof()
        await asyncio.wait(tasks, timeout=MAX_CONNECTION_S * self._rng.random() if self.bad else None, return_when=asyncio.FIRST_COMPLETED)
        if fault == "silence":
            await asyncio.wait(tasks)  # the connection is never closed
        for each in tasks:
            each.cancel()
        for end in (writer, back):
            end.transport.abort()

    @staticmethod
    async def _copy(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, late: float, also: Callable[[bytes], None] | None = None
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await asyncio.sleep(late)
                writer.write(data)
                await writer.drain()
                if also:
                    also(data)

    def _doubled(self, data: bytes) -> None:
        """Send a request that changes something once more, over a connection of its own."""
        if data.startswith(b"POST ") and b"/moves " in data:
            self._sending = self._loop.create_task(self._send(data))

    async def _send(self, data: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._open.add(writer)
        writer.write(data)
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(reader.read(65536), 2)
        writer.close()
