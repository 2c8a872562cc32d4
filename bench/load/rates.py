"""Open-loop load: moves at a given rate over all tables, whether or not the server keeps up.

Latencies count from the moment a move was due, so a stalling server cannot hide behind stalled clients (coordinated omission).
"""

from __future__ import annotations

import asyncio
import gc
import math
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from bench.load.clients import LiveTable, close_all, make_clients, open_all
from bench.load.positions import LoadProfile, prepare
from bench.load.server import MeasuredServer, load_average

ACKNOWLEDGED, SHOWN = 0.100, 0.250  # seconds: limits of p99
MAX_THINK_S = 0.4  # between a tap and its confirm
TIMEOUT_S = 30.0  # for moves that are still pending when a rate ends
MIN_MOVES = 30  # at each rate, however slow
COMPARED = 20.0  # moves a second: the rate for comparing rooms and versions, measured even if slower ones failed

HEAD = (
    "| moves/s | moves | tap p50 / p99 ms | ack p50 / p99 ms | screens p50 / p99 ms | server CPU ms/move | own CPU ms/move "
    "| KB/move | server MB | no core free | load | kept up |"
)


@dataclass
class Latencies:
    """Seconds from the due moment until a tap is answered, a move acknowledged, and a move shown on every screen of its table."""

    taps: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    over: bool = False

    @property
    def within_limits(self) -> bool:
        return percentile(self.acknowledged, 99) < ACKNOWLEDGED and percentile(self.shown, 99) < SHOWN


@dataclass
class RoomResult:
    """Result of one room: a row of the final table."""

    room: LoadProfile
    opened: float = 0.0  # seconds until all screens showed their table
    cpu: float = math.inf  # seconds per move, at the rate where it was lowest
    best: float = 0.0  # moves a second, highest rate within the limits
    compared: str = "not tried"

    def row(self) -> str:
        return f"| {self.room.title} | {1000 * self.cpu:.0f} ms | {self.best:g}/s | {self.compared} | {self.opened:.0f} s |"


@dataclass(frozen=True)
class LoadSettings:
    tables: int
    screens: int
    rates: Sequence[float]
    seconds: float
    languages: Sequence[str]
    failures: int
    pages: bool


def table_of(found: Sequence[RoomResult]) -> str:
    """Return the final table, a row for each room."""
    head = f"| room | CPU per move | rate with ack p99 < {1000 * ACKNOWLEDGED:.0f} and screens p99 < {1000 * SHOWN:.0f} ms "
    head += f"| ack p50 / p99 at {COMPARED:g} moves/s | screens opened in |"
    return "\n".join([head, "|---|---|---|---|---|", *(each.row() for each in found)])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the percentile of the values by the nearest-rank method; infinity if there are none."""
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)] if values else math.inf


def show(values: Sequence[float]) -> str:
    return " / ".join(f"{1000 * percentile(values, share):.0f}" for share in (50, 99))


async def ramp_up(room: LoadProfile, wanted: LoadSettings, address: str = "", processes: int = 1) -> RoomResult:
    """Raise the rate until the server (or several processes over the database at `address`) failed often enough."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(Path(folder) / "data", room, wanted.tables, address=address)
        server = MeasuredServer(Path(folder), extra_arguments=["--database", address, "--processes", str(processes)] if address else [])
        server.start()
        try:
            await server.wait_until_idle()
            return await _ramp_up(server, make_clients(server.port, prepared, wanted.screens, wanted.languages), room, wanted)
        finally:
            server.stop()


async def _ramp_up(server: MeasuredServer, tables: list[LiveTable], room: LoadProfile, wanted: LoadSettings) -> RoomResult:
    found, failures = RoomResult(room, await open_all(tables, pages=wanted.pages)), 0
    await server.wait_until_idle()
    print(f"\n## {room.title}: {len(tables)} tables x {wanted.screens} screens, {len(set(wanted.languages))} language(s)")
    print(f"all screens opened in {found.opened:.1f} s; server {server.memory():.0f} MB\n")
    print(HEAD + "\n|" + "---|" * (HEAD.count("|") - 1), flush=True)
    gc.freeze()
    for rate in wanted.rates:
        good = await measure(server, tables, rate, wanted.seconds, found)
        found.best, failures = (rate, 0) if good else (found.best, failures + 1)
        if (failures >= wanted.failures and rate >= COMPARED) or not any(table.left for table in tables):
            break
    close_all(tables)
    refused = [error for table in tables for error in table.refused]
    lost = sum(screen.losses for table in tables for screen in table.screens)
    print(f"\n{lost} screens cut off, {len(refused)} moves refused {refused[:3] or ''}", flush=True)
    return found


async def measure(server: MeasuredServer, tables: list[LiveTable], rate: float, seconds: float, found: RoomResult) -> bool:
    """Measure one rate with Poisson arrivals, the tables in rotation; return whether the server kept up."""
    rng, tally, due = random.Random(rate), Latencies(), time.monotonic() + 1.0
    moves, end = list[asyncio.Task[None]](), due + max(seconds, MIN_MOVES / rate)
    cpu, own, waited, received = server.cpu(), time.process_time(), server.cpu_wait(), _bytes_received(tables)
    rotation = cycle(rng.sample(tables, len(tables)))
    think = min(MAX_THINK_S, len(tables) / rate / 2)
    counts = {id(table): table.left for table in tables}
    while (due := due + rng.expovariate(rate)) < end and any(counts.values()):
        table = next(table for table in rotation if counts[id(table)])
        counts[id(table)] -= 1
        moves.append(asyncio.create_task(play(table, due, think, tally)))
    if not moves:
        return False
    await asyncio.wait(moves, timeout=max(0.0, end - time.monotonic()) + TIMEOUT_S)
    tally.over = True
    await asyncio.gather(*moves)
    settled = await _settle(server, tables)
    cpu, own, waited = server.cpu() - cpu, (time.process_time() - own) / len(moves), server.cpu_wait() - waited
    starved, cpu = waited / (waited + cpu), cpu / len(moves)
    received = _bytes_received(tables) - received
    found.cpu = min(found.cpu, cpu)
    found.compared = f"{show(tally.acknowledged)} ms" if rate == COMPARED else found.compared
    row = [f"{rate:g}", len(moves), show(tally.taps), show(tally.acknowledged), show(tally.shown), f"{1000 * cpu:.1f}", f"{1000 * own:.1f}"]
    row += [f"{received / len(moves) / 1024:.1f}", f"{server.memory():.0f}", f"{100 * starved:.0f} %", load_average()]
    print("| " + " | ".join(map(str, row)) + f" | {'yes' if tally.within_limits and settled else 'no'} |", flush=True)
    return tally.within_limits and settled


def _bytes_received(tables: list[LiveTable]) -> int:
    """Return the bytes that all screens received so far, before compression."""
    return sum(screen.bytes for table in tables for screen in table.screens)


async def _settle(server: MeasuredServer, tables: list[LiveTable]) -> bool:
    """Wait until every screen shows the last version; return whether all do."""
    deadline = time.monotonic() + TIMEOUT_S
    while any(table.waiting for table in tables) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    settled = not any(table.waiting for table in tables)
    await server.wait_until_idle(TIMEOUT_S)
    for table in tables:
        for each in list(table.waiting):
            table.waiting.remove(each)
            each.shown()
    return settled


async def play(table: LiveTable, due: float, think: float, tally: Latencies) -> None:
    """Tap, think and confirm; the table's next move waits until this one is acknowledged."""
    async with table.free:
        await asyncio.sleep(max(0.0, due - think - time.monotonic()))
        if tally.over or not table.left:
            tally.acknowledged.append(time.monotonic() - due)
            tally.shown.append(time.monotonic() - due)
            return
        (seat, move), version = table.move, table.prepared.next_of(table.version + 1)
        tapped = time.monotonic()
        table.screens[seat].tap(move, table.version, lambda: tally.taps.append(time.monotonic() - tapped))
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        table.when_shown(version, lambda: tally.shown.append(time.monotonic() - due))
        if await table.confirm():
            tally.acknowledged.append(time.monotonic() - due)
