"""What a table and a screen take in memory, and what is left when all have gone."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bench.load.positions import Room, prepare
from bench.load.screens import LiveTable, close_all, open_all, sit_down
from bench.load.server import Server
from bench.load.wire import Http

HEAD = "| room | server MB | with the tables | KB per table | with the screens | KB per screen | when they have gone |\n|" + "---|" * 7


async def taken(room: Room, count: int, screens: int, idle: float) -> str:
    """A row: the tables are opened by the API first, so that they are told from their screens."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, count + 1)
        server = Server(Path(folder))
        server.start()
        try:
            return await _taken(server, sit_down(server.port, prepared, screens, ["fr"]), room, idle)
        finally:
            server.stop()


async def _taken(server: Server, tables: list[LiveTable], room: Room, idle: float) -> str:
    http, first, rest = Http(server.port), tables[0], tables[1:]
    await open_all([first])  # what the first table brings with it, every later one shares
    close_all([first])
    await server.calm()
    sizes = [server.memory()]
    for table in rest:
        await http.ask("GET", table.screens[0].link.look)
    sizes.append(server.memory())
    await open_all(rest)
    await server.calm()
    sizes.append(server.memory())
    close_all(rest)
    await asyncio.sleep(idle)
    await server.calm()
    empty, opened, watched, gone = (*sizes, server.memory())
    screens = sum(len(table.screens) for table in rest)
    each, own = 1024 * (opened - empty) / len(rest), 1024 * (watched - opened) / screens
    cells = [f"{empty:.0f}", f"{opened:.0f}", f"{each:.0f}", f"{watched:.0f}", f"{own:.0f}", f"{gone:.0f} after {idle:.0f} s"]
    return f"| {room.title}, {len(rest)} tables x {screens // len(rest)} | {' | '.join(cells)} |"
