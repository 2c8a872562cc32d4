"""Probes of the latency for uninvolved users: the start page and moves at other tables, every few milliseconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from bench.load.clients import LiveTable
from bench.load.connections import HttpConnection
from bench.load.rates import percentile

INTERVAL_S = 0.010
LATE_AFTER_S = 0.050  # shorter waits are not noticeable
RECOVERY_S = 3.0  # without a late answer, after which a disturbance counts as over
MAX_RECOVERY_S = 20.0  # to wait for that


@dataclass
class Probes:
    """Latencies in seconds, by kind of request."""

    page: list[float] = field(default_factory=list)
    move: list[float] = field(default_factory=list)
    waited_at: float = field(default_factory=time.monotonic)  # time of the last late answer
    over: bool = False

    async def keep_asking(self, ask: Callable[[], Awaitable[object]], took: list[float]) -> None:
        while not self.over:
            begun = time.monotonic()
            await ask()
            took.append(time.monotonic() - begun)
            if took[-1] > LATE_AFTER_S:
                self.waited_at = time.monotonic()
            await asyncio.sleep(max(0.0, INTERVAL_S - took[-1]))

    async def quiet(self, seconds: float = RECOVERY_S) -> None:
        """Wait until no answer was late for some seconds."""
        deadline = time.monotonic() + MAX_RECOVERY_S
        await asyncio.sleep(seconds)
        while time.monotonic() < min(deadline, self.waited_at + seconds):
            await asyncio.sleep(INTERVAL_S)

    def row(self, what: str) -> str:
        cells = [" / ".join(f"{1000 * percentile(took, share):.0f}" for share in (50, 99, 100)) for took in (self.page, self.move)]
        return f"| {what} | {' | '.join(cells)} |"


HEAD = (
    "| what somebody does | GET / p50 / p99 / longest ms | a move elsewhere p50 / p99 / longest ms | server CPU | no core free |\n"
    "|---|---|---|---|---|"
)


@asynccontextmanager
async def probing(port: int, others: list[LiveTable]) -> Any:
    """Probe the start page and moves at these tables in rotation for the duration of the block."""
    probes, http, turns = Probes(), HttpConnection(port), _in_turn(others)
    tasks = [
        asyncio.create_task(probes.keep_asking(lambda: http.ask("GET", "/"), probes.page)),
        asyncio.create_task(probes.keep_asking(lambda: next(turns).confirm(), probes.move)),
    ]
    try:
        yield probes
    finally:
        probes.over = True
        await asyncio.gather(*tasks)
        http.close()


def _in_turn(tables: list[LiveTable]) -> Iterator[LiveTable]:
    return (table for table in cycle(tables) if table.left)
