"""Benchmark of several processes over PostgreSQL and one process over SQLite, on one machine; input of `bench/capacity.py`.

Measures the sustained moves a second, the delay until another process's screen shows a move, and the outage when a process is killed.

python -m bench.multi_process [--game rolling-village] [--tables 50] [--screens 10] [--rates 10,20,30,40,60] [--seconds 5] [--out FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import signal
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from bench.load.__main__ import rates
from bench.load.clients import close_all, make_clients, open_all
from bench.load.memory import measured
from bench.load.positions import ROOMS, LoadProfile, prepare
from bench.load.rates import LoadSettings, percentile, ramp_up
from bench.load.server import MeasuredServer, database, load_average
from tablee.server.storage.store import Store
from tablee.server.table.models import LogAppend, LogLine
from tests.server.process import ServerProcess

MOVES = 60  # timed from one process to another
COMMITS = 400
SCREENS = 2  # at each table in `cut_off`
POLL_INTERVAL_S, TIMEOUT_S = 0.02, 60.0


async def sustained_rate(room: LoadProfile, wanted: LoadSettings) -> list[dict[str, Any]]:
    rows = []
    for engine, processes in (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2)):
        print(f"\n# {engine}, {processes} process(es)", flush=True)
        if engine == "SQLite":
            found = await ramp_up(room, wanted)
        else:
            with database() as address:
                found = await ramp_up(room, wanted, address, processes)
        rows.append({"engine": engine, "processes": processes, "moves_per_second": found.best, "cpu_ms_per_move": 1000 * found.cpu})
    return rows


def commits(engine: str) -> float:
    """Return the lines a second that one writer commits sequentially."""
    with tempfile.TemporaryDirectory() as folder, database() as address:
        (table, *_) = prepare(Path(folder), ROOMS["rolling-village"], 1, address=address if engine == "PostgreSQL" else "")
        with closing(Store.at(address) if engine == "PostgreSQL" else Store.in_folder(Path(folder))) as store:
            begun = time.monotonic()
            for number in range(COMMITS):
                store.append_all([LogAppend(table.id, table.played + number, (LogLine("0 x", None),))])
            return COMMITS / (time.monotonic() - begun)


def seen_elsewhere(address: str) -> list[float]:
    """Return the seconds from sending a move to one process until a screen of another shows it."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = (ServerProcess(Path(folder) / name, extra_arguments=["--database", address]) for name in "ab")
        for server in (here, there):
            server.folder.mkdir()
            server.start()
        try:
            return _times(here, there)
        finally:
            here.stop()
            there.stop()


def _times(here: ServerProcess, there: ServerProcess) -> list[float]:
    made = here.create("rolling-village", ["Ada", "Bo", "Cy", "Di"])
    path, found = f"/api/tables/{made['table']}", list[float]()
    with connect(f"{there.address.replace('http', 'ws')}{path}/ws") as screen:
        screen.send("{}")
        screen.recv()
        while len(found) < MOVES:
            for seat in made["seats"]:
                seen = here.ask("GET", path, token=seat["token"])
                if not seen["legal"]:
                    continue
                sent = time.monotonic()
                body = {"move": seen["legal"][0], "at": seen["version"], "id": f"{seat['seat']}-{seen['version']}"}
                version = here.ask("POST", f"{path}/moves", body, seat["token"])["version"]
                while json.loads(screen.recv(timeout=TIMEOUT_S))["version"] < version:
                    pass
                found.append(time.monotonic() - sent)
            if here.ask("GET", path)["status"] == "over":
                break
    return found


async def cut_off(room: LoadProfile, address: str, tables: int) -> dict[str, float]:
    """Kill one of two processes; return how long its screens take to reconnect to the other."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, tables, address=address)
        server = MeasuredServer(Path(folder), extra_arguments=["--database", address, "--processes", "2"])
        server.start()
        try:
            await server.wait_until_idle()
            live = make_clients(server.port, prepared, SCREENS, ["fr"], careful=True)
            await open_all(live)
            await server.wait_until_idle()
            screens = [screen for table in live for screen in table.screens]
            first = next(iter(server.children))
            killed = time.monotonic()
            os.kill(first, signal.SIGKILL)
            await asyncio.sleep(0.1)
            lost = [screen for screen in screens if screen.losses]
            for screen in lost:
                screen.back_at = None
            while any(screen.back_at is None for screen in lost) and time.monotonic() < killed + TIMEOUT_S:
                await asyncio.sleep(POLL_INTERVAL_S)
            back = [TIMEOUT_S if screen.back_at is None else screen.back_at - killed for screen in lost]
            close_all(live)
            return {"screens": len(screens), "lost": len(lost), "median": percentile(back, 50), "worst": max(back, default=0.0)}
        finally:
            server.stop()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.multi_process", description="Several processes beside one.")
    parser.add_argument("--game", choices=list(ROOMS), default="rolling-village")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--screens", type=int, default=10, help="at each table, at least one for each seat")
    parser.add_argument("--rates", type=rates, default=rates("10,20,30,40,60"))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--out", type=Path, help="also as JSON")
    return parser.parse_args()


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    given = arguments()
    room = ROOMS[given.game]
    found: dict[str, Any] = {
        "made": f"{datetime.now(UTC):%F}, Python {platform.python_version()}, {os.cpu_count()} cores, load {load_average()} at the start",
        "room": room.title,
        "tables": given.tables,
        "screens": given.screens,
    }
    found["rates"] = asyncio.run(
        sustained_rate(room, LoadSettings(given.tables, given.screens, given.rates, given.seconds, ["fr"], 1, False))
    )
    found["commits"] = {engine: commits(engine) for engine in ("SQLite", "PostgreSQL")}
    found["memory"] = asyncio.run(measured(room, given.tables, given.screens))
    with database() as address:
        times = seen_elsewhere(address)
    found["elsewhere"] = {f"p{share}": 1000 * percentile(times, share) for share in (50, 99)}
    with database() as address:
        found["cut_off"] = asyncio.run(cut_off(room, address, given.tables))
    print(json.dumps(found, indent=2))
    if given.out:
        given.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
