"""Memory of a table and of a screen, and what remains after all clients left."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bench.load.clients import LiveTable, close_all, make_clients, open_all
from bench.load.connections import HttpConnection
from bench.load.positions import LoadProfile, prepare
from bench.load.server import MeasuredServer

HEAD = "| room | server MB | with the tables | KB per table | with the screens | KB per screen | when they have gone |\n|" + "---|" * 7


async def taken(room: LoadProfile, count: int, screens: int, idle: float) -> str:
    """Return a row; the API opens the tables first, which separates their memory from that of their screens."""
    found = await measured(room, count, screens, idle)
    cells = [f"{found[name]:.0f}" for name in ("empty", "opened", "table", "watched", "screen")] + [
        f"{found['gone']:.0f} after {idle:.0f} s"
    ]
    return f"| {room.title}, {count} tables x {screens} | {' | '.join(cells)} |"


async def measured(room: LoadProfile, count: int, screens: int, idle: float = 0.0) -> dict[str, float]:
    """Return the megabytes at each step, and the kilobytes of a `table` and of a `screen`."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, count + 1)
        server = MeasuredServer(Path(folder))
        server.start()
        try:
            return await _measured(server, make_clients(server.port, prepared, screens, ["fr"]), idle)
        finally:
            server.stop()


async def _measured(server: MeasuredServer, tables: list[LiveTable], idle: float) -> dict[str, float]:
    http, first, rest = HttpConnection(server.port), tables[0], tables[1:]
    await open_all([first])  # loads what all tables share
    close_all([first])
    await server.wait_until_idle()
    empty = server.memory()
    for table in rest:
        await http.ask("GET", table.screens[0].link.look)
    opened = server.memory()
    await open_all(rest)
    await server.wait_until_idle()
    watched = server.memory()
    close_all(rest)
    await asyncio.sleep(idle)
    await server.wait_until_idle()
    screens = sum(len(table.screens) for table in rest)
    per_table, per_screen = 1024 * (opened - empty) / len(rest), 1024 * (watched - opened) / screens
    return {"empty": empty, "opened": opened, "table": per_table, "watched": watched, "screen": per_screen, "gone": server.memory()}
