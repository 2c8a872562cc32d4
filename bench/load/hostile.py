"""Latency for other users while one client attacks the server."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from bench.load.clients import LiveTable, LoadClient, make_clients
from bench.load.connections import HOST, HttpConnection, RawWebSocket
from bench.load.positions import LoadProfile, prepare
from bench.load.probes import HEAD, probing
from bench.load.protocol import SMALLEST, SeatLink
from bench.load.server import MeasuredServer, load_average

OTHERS = 60  # tables in play during the attacks
FLOOD, BIG_FLOOD = 1000, 5000  # small messages: 19 KB and 93 KB with their frames
DRAFTS = 500
DRIP = 0.002  # seconds between two messages
NEVER_READ, HALF_SENT, POLLERS, MAKERS = 50, 500, 8, 4
ATTACK_SECONDS = 3.0  # duration of the continuous attacks


class HostileClient:
    """Attacker at one table; each attack is a method."""

    def __init__(self, port: int, table: LiveTable, room: LoadProfile) -> None:
        self.port, self.table, self.room = port, table, room
        self.held: list[RawWebSocket] = []
        self.writers: list[asyncio.StreamWriter] = []

    async def nothing(self) -> None:
        await asyncio.sleep(ATTACK_SECONDS)

    async def flood(self) -> None:
        await self._write([SMALLEST] * FLOOD)

    async def big_flood(self) -> None:
        await self._write([SMALLEST] * BIG_FLOOD)

    async def drip(self) -> None:
        """Send small messages one by one, so that each may get its own answer."""
        socket, until = await self._open(SeatLink(self.table.prepared.id)), time.monotonic() + ATTACK_SECONDS
        while time.monotonic() < until and socket.open:
            socket.send(SMALLEST)
            await asyncio.sleep(DRIP)

    async def come_and_go(self) -> None:
        """Connect and disconnect at a table where every seat has a screen that shows who is present."""
        for screen in self.table.screens:
            await self._open(screen.link)
        until = time.monotonic() + ATTACK_SECONDS
        while time.monotonic() < until:
            (await self._open(self.table.screens[0].link)).abort()

    async def drafts(self) -> None:
        """Send and clear the same draft many times."""
        seat, move = self.table.move
        link = SeatLink(self.table.prepared.id, self.table.prepared.tokens[seat])
        await self._write([link.hello(n, self.table.version, (move,) if n % 2 else ()) for n in range(DRAFTS)])

    async def never_read(self) -> None:
        """Open sockets that never read, at a table where moves are made."""
        for number in range(NEVER_READ):
            await self._open(self.table.screens[number % len(self.table.screens)].link)
        await asyncio.sleep(0.2)
        for socket in self.held:
            if socket.transport is not None:
                socket.transport.pause_reading()
        until = time.monotonic() + ATTACK_SECONDS
        while time.monotonic() < until and self.table.left:
            await self.table.confirm()
            await asyncio.sleep(0.2)

    async def half_sent(self) -> None:
        for _ in range(HALF_SENT):
            _, writer = await asyncio.open_connection(HOST, self.port)
            writer.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Len")
            self.writers.append(writer)
        await asyncio.sleep(ATTACK_SECONDS)

    async def polls(self) -> None:
        """Poll the whole page from several connections without a pause."""
        screen = self.table.screens[0]
        await self._again_and_again(POLLERS, "POST", screen.link.poll, screen.link.hello(0, 0, (), {}).encode())

    async def new_tables(self) -> None:
        seats = [{"kind": "human", "name": "Eve"}] * self.room.seats
        await self._again_and_again(MAKERS, "POST", "/api/tables", json.dumps({"game": self.room.key, "seats": seats}).encode())

    async def _again_and_again(self, count: int, method: str, path: str, body: bytes) -> None:
        until = time.monotonic() + ATTACK_SECONDS

        async def one() -> None:
            http = HttpConnection(self.port)
            while time.monotonic() < until:
                await http.ask(method, path, body)
            http.close()

        await asyncio.gather(*(one() for _ in range(count)))

    async def _write(self, messages: list[str]) -> None:
        """Write all messages at once, encoded beforehand."""
        socket = await self._open(SeatLink(self.table.prepared.id))
        data = socket.frames(messages)
        await asyncio.sleep(0.5)
        if socket.transport is not None:
            socket.transport.write(data)

    async def _open(self, link: SeatLink) -> RawWebSocket:
        screen = LoadClient(self.port, link, "en")
        opened = asyncio.Event()
        socket = RawWebSocket(self.port, link.socket, "en", opened.set, lambda _: None, lambda _: None, plain=True)
        await asyncio.get_running_loop().create_connection(lambda: socket, HOST, self.port)
        with suppress(TimeoutError):
            await asyncio.wait_for(opened.wait(), ATTACK_SECONDS)
            socket.send(screen.link.hello(0, 0))
        self.held.append(socket)
        return socket

    def leave(self) -> None:
        for socket in self.held:
            socket.abort()
        for writer in self.writers:
            writer.close()


async def longest_waits(room: LoadProfile) -> None:
    """Run each attack at a fresh table and print the latencies of the others."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, OTHERS)
        server = MeasuredServer(Path(folder))
        server.start()
        try:
            tables = make_clients(server.port, prepared, room.seats, ["en"])
            for table in tables:
                await table.confirm()  # opens the table: first-time costs do not belong to the attack
            await server.wait_until_idle()
            print(f"\n## Cost of one hostile client for the others ({room.title}; load {load_average()})\n\n{HEAD}", flush=True)
            await _each(server, tables, room)
        finally:
            server.stop()


async def _each(server: MeasuredServer, tables: list[LiveTable], room: LoadProfile) -> None:
    for what, name in ATTACKS.items():
        attacker = HostileClient(server.port, tables.pop(), room)
        attack: Callable[[], Awaitable[None]] = getattr(attacker, name)
        cpu, waited = server.cpu(), server.cpu_wait()
        async with probing(server.port, tables) as probes:
            await attack()
            await probes.quiet()
        attacker.leave()
        waited, cpu = server.cpu_wait() - waited, server.cpu() - cpu
        print(f"{probes.row(what)} {cpu:.1f} s | {100 * waited / (waited + cpu):.0f} % |", flush=True)
        await server.wait_until_idle()
    refused = [error for table in tables for error in table.refused]
    print(f"\nserver {server.memory():.0f} MB afterwards; {len(refused)} moves refused {refused[:3] or ''}", flush=True)


ATTACKS = {
    "nothing": "nothing",
    f"one spectator writes {FLOOD} small messages at once (19 KB)": "flood",
    f"one spectator writes {BIG_FLOOD} (93 KB)": "big_flood",
    f"one spectator says something every {1000 * DRIP:.0f} ms": "drip",
    "one player comes and goes without a pause": "come_and_go",
    f"one player writes {DRAFTS} changing drafts at once": "drafts",
    f"{NEVER_READ} sockets at one table never read while moves are made there": "never_read",
    f"{HALF_SENT} half-sent requests": "half_sent",
    f"{POLLERS} pages poll without a pause": "polls",
    f"{MAKERS} connections make tables without a pause": "new_tables",
}
