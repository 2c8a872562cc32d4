"""Outage after a kill: how long clients are disconnected when a server with many tables in play is killed and restarted."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bench.load.clients import LoadClient, close_all, make_clients, open_all
from bench.load.connections import HttpConnection
from bench.load.positions import LoadProfile, prepare
from bench.load.rates import percentile
from bench.load.server import MeasuredServer, load_average

TIMEOUT_S = 180.0
PLAY_SECONDS = 20.0
DRAIN_SECONDS = 0.1  # for messages sent before the kill


async def restarted(room: LoadProfile, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, count)
        server = MeasuredServer(Path(folder))
        server.start()
        try:
            await server.wait_until_idle()
            tables = make_clients(server.port, prepared, 1, ["fr"], careful=True)
            opened = await open_all(tables, at_once=16)
            await server.wait_until_idle()
            print(f"\n## Restart: {count} tables of {room.title}, one screen each (load {load_average()})")
            print(f"opened in {opened:.1f} s; server {server.memory():.0f} MB", flush=True)
            await asyncio.sleep(PLAY_SECONDS)  # so that the tables have been in play for a while
            await server.wait_until_idle()
            await _restart(server, [table.screens[0] for table in tables])
            close_all(tables)
        finally:
            server.stop()


async def _restart(server: MeasuredServer, screens: list[LoadClient]) -> None:
    killed = time.monotonic()
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(DRAIN_SECONDS)
    for screen in screens:
        screen.back_at = None
    probe = asyncio.create_task(_ask_for_a_page(server.port, screens, killed + TIMEOUT_S))
    await asyncio.to_thread(server.start)
    listens = time.monotonic() - killed
    while any(screen.back_at is None for screen in screens) and time.monotonic() < killed + TIMEOUT_S:
        await asyncio.sleep(DRAIN_SECONDS)
    back = [TIMEOUT_S if screen.back_at is None else screen.back_at - killed for screen in screens]
    first, longest = await probe
    print(f"listens again after {listens:.1f} s; screens back after {percentile(back, 50):.1f} s (median), {max(back):.1f} s (worst);")
    print(f"a plain page: first answer {first - killed:.1f} s after the kill, longest wait of one request {longest:.2f} s;")
    print(f"server CPU {server.cpu():.1f} s, {server.cpu_wait():.1f} s without a free core, {server.memory():.0f} MB; ", end="")
    print(f"load {load_average()}", flush=True)


async def _ask_for_a_page(port: int, screens: list[LoadClient], until: float) -> tuple[float, float]:
    """Return the time of the start page's first answer, and the longest duration of one request for it."""
    first, longest = 0.0, 0.0
    while time.monotonic() < until and (not first or any(screen.back_at is None for screen in screens)):
        begun, http = time.monotonic(), HttpConnection(port)
        try:
            await http.ask("GET", "/")
            first, longest = first or time.monotonic(), max(longest, time.monotonic() - begun)
        except (OSError, asyncio.IncompleteReadError):
            pass
        http.close()
        await asyncio.sleep(0.05)
    return first, longest
