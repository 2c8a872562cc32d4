"""What one bad guest costs the others."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from bench.load.clients import LiveTable, Screen, sit_down
from bench.load.connections import HOST, Http, Socket
from bench.load.positions import Room, prepare
from bench.load.probes import HEAD, probing
from bench.load.protocol import SMALLEST, Link
from bench.load.server import Server, load_average

OTHERS = 60  # tables that play on meanwhile
FLOOD, BIG_FLOOD = 1000, 5000  # small messages: 19 KB and 93 KB with their frames
DRAFTS = 500
DRIP = 0.002  # seconds
NEVER_READ, HALF_SENT, POLLERS, MAKERS = 50, 500, 8, 4
LASTS = 3.0  # seconds, of what goes on and on


class Guest:
    """Somebody at one table who does not behave."""

    def __init__(self, port: int, table: LiveTable, room: Room) -> None:
        self.port, self.table, self.room = port, table, room
        self.held: list[Socket] = []
        self.writers: list[asyncio.StreamWriter] = []

    async def nothing(self) -> None:
        await asyncio.sleep(LASTS)

    async def flood(self) -> None:
        await self._write([SMALLEST] * FLOOD)

    async def big_flood(self) -> None:
        await self._write([SMALLEST] * BIG_FLOOD)

    async def drip(self) -> None:
        """One small message after the other, so that each may be answered by itself."""
        socket, until = await self._open(Link(self.table.prepared.id)), time.monotonic() + LASTS
        while time.monotonic() < until and socket.open:
            socket.say(SMALLEST)
            await asyncio.sleep(DRIP)

    async def come_and_go(self) -> None:
        """At a table where every seat has a screen, which shows who is there."""
        for screen in self.table.screens:
            await self._open(screen.link)
        until = time.monotonic() + LASTS
        while time.monotonic() < until:
            (await self._open(self.table.screens[0].link)).hang_up()

    async def drafts(self) -> None:
        """A player who tries the same move and takes it back, again and again."""
        seat, move = self.table.move
        link = Link(self.table.prepared.id, self.table.prepared.tokens[seat])
        await self._write([link.hello(n, self.table.version, (move,) if n % 2 else ()) for n in range(DRAFTS)])

    async def never_read(self) -> None:
        """Many who never read, at a table where moves are made."""
        for number in range(NEVER_READ):
            await self._open(self.table.screens[number % len(self.table.screens)].link)
        await asyncio.sleep(0.2)
        for socket in self.held:
            if socket.transport is not None:
                socket.transport.pause_reading()
        until = time.monotonic() + LASTS
        while time.monotonic() < until and self.table.left:
            await self.table.confirm()
            await asyncio.sleep(0.2)

    async def half_sent(self) -> None:
        for _ in range(HALF_SENT):
            _, writer = await asyncio.open_connection(HOST, self.port)
            writer.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Len")
            self.writers.append(writer)
        await asyncio.sleep(LASTS)

    async def polls(self) -> None:
        """Pages without a socket that ask for everything without a pause."""
        screen = self.table.screens[0]
        await self._again_and_again(POLLERS, "POST", screen.link.poll, screen.link.hello(0, 0, (), {}).encode())

    async def new_tables(self) -> None:
        seats = [{"kind": "human", "name": "Eve"}] * self.room.seats
        await self._again_and_again(MAKERS, "POST", "/api/tables", json.dumps({"game": self.room.key, "seats": seats}).encode())

    async def _again_and_again(self, count: int, method: str, path: str, body: bytes) -> None:
        until = time.monotonic() + LASTS

        async def one() -> None:
            http = Http(self.port)
            while time.monotonic() < until:
                await http.ask(method, path, body)
            http.close()

        await asyncio.gather(*(one() for _ in range(count)))

    async def _write(self, messages: list[str]) -> None:
        """All at once; what is written is made ready before."""
        socket = await self._open(Link(self.table.prepared.id))
        data = socket.frames(messages)
        await asyncio.sleep(0.5)
        if socket.transport is not None:
            socket.transport.write(data)

    async def _open(self, link: Link) -> Socket:
        screen = Screen(self.port, link, "en")
        opened = asyncio.Event()
        socket = Socket(self.port, link.socket, "en", opened.set, lambda _: None, lambda _: None, plain=True)
        await asyncio.get_running_loop().create_connection(lambda: socket, HOST, self.port)
        with suppress(TimeoutError):
            await asyncio.wait_for(opened.wait(), LASTS)
            socket.say(screen.link.hello(0, 0))
        self.held.append(socket)
        return socket

    def leave(self) -> None:
        for socket in self.held:
            socket.hang_up()
        for writer in self.writers:
            writer.close()


async def silences(room: Room) -> None:
    """Each misdeed at a fresh table, and what the others notice."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, OTHERS)
        server = Server(Path(folder))
        server.start()
        try:
            tables = sit_down(server.port, prepared, room.seats, ["en"])
            for table in tables:
                await table.confirm()  # opens it: what is done for the first time is nobody's fault
            await server.calm()
            print(f"\n## What one guest costs the others ({room.title}; load {load_average()})\n\n{HEAD}", flush=True)
            await _each(server, tables, room)
        finally:
            server.stop()


async def _each(server: Server, tables: list[LiveTable], room: Room) -> None:
    for what, name in MISDEEDS.items():
        guest = Guest(server.port, tables.pop(), room)
        deed: Callable[[], Awaitable[None]] = getattr(guest, name)
        cpu, waited = server.cpu(), server.waited()
        async with probing(server.port, tables) as probes:
            await deed()
            await probes.quiet()
        guest.leave()
        waited, cpu = server.waited() - waited, server.cpu() - cpu
        print(f"{probes.row(what)} {cpu:.1f} s | {100 * waited / (waited + cpu):.0f} % |", flush=True)
        await server.calm()
    wrong = [sentence for table in tables for sentence in table.refused]
    print(f"\nserver {server.memory():.0f} MB afterwards; {len(wrong)} moves refused {wrong[:3] or ''}", flush=True)


MISDEEDS = {
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
