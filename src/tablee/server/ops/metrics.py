"""Metrics of the server (`tablee serve --metrics`); `http/operations.py` serves and measures requests.

Processes that share a port write their counts to files in a shared folder, and each reports the totals. Unless `enable` was called, the
functions here do nothing. A label is a game or a class of status codes, never a person, a table or a token.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SAMPLE_INTERVAL = 0.25  # seconds between two samples of the loop's delay
MULTIPROC_DIR = "PROMETHEUS_MULTIPROC_DIR"  # environment variable with the shared folder; prometheus_client reads it when imported

_metrics: Metrics | None = None


class Metrics:
    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram  # noqa: PLC0415  imported only where it is used

        self.registry: CollectorRegistry = CollectorRegistry()
        counted: dict[str, Any] = {"registry": self.registry}
        timed: dict[str, Any] = {"registry": self.registry, "buckets": BUCKETS}
        self.moves = Counter("tablee_moves", "Moves committed, of people and bots", ["game"], **counted)
        self.requests = Counter("tablee_requests", "Requests answered", ["status"], **counted)
        self.reports = Counter("tablee_reports", "Error reports written", **counted)
        current: dict[str, Any] = {"registry": self.registry, "multiprocess_mode": "livesum"}  # without dead processes
        self.connections = Gauge("tablee_screens", "Open WebSockets", **current)
        self.tables = Gauge("tablee_tables", "Tables in memory", **current)
        self.acknowledgement_seconds = Histogram("tablee_acknowledgement_seconds", "From a move's arrival to its answer", **timed)
        self.rendering_seconds = Histogram("tablee_drawing_seconds", "Rendering a page, or what changed on it", ["game"], **timed)
        self.loop_delay_seconds = Histogram("tablee_loop_delay_seconds", "Delay of the event loop", **timed)


def enable() -> None:
    """Start measuring from zero."""
    global _metrics  # noqa: PLW0603  one set for the process
    _metrics = Metrics()


def disable() -> None:
    global _metrics  # noqa: PLW0603
    _metrics = None


def count_move(game: str) -> None:
    """Count a committed move."""
    if _metrics is not None:
        _metrics.moves.labels(game).inc()


def observe_acknowledgement(seconds: float) -> None:
    """Record the seconds from the arrival of a move to its answer."""
    if _metrics is not None:
        _metrics.acknowledgement_seconds.observe(seconds)


@contextmanager
def time_rendering(game: str) -> Iterator[None]:
    """Measure the rendering of a page, or of what changed on it."""
    began = perf_counter()
    try:
        yield
    finally:
        if _metrics is not None:
            _metrics.rendering_seconds.labels(game).observe(perf_counter() - began)


def add_connections(more: int) -> None:
    """Add to the number of open WebSockets; negative where some were closed."""
    if _metrics is not None:
        _metrics.connections.inc(more)


def set_open_tables(count: int) -> None:
    if _metrics is not None:
        _metrics.tables.set(count)


def count_report() -> None:
    if _metrics is not None:
        _metrics.reports.inc()


def remove_process(process: int, folder: str | None) -> None:
    """Remove the gauges of an ended process from the shared folder; its counters stay."""
    if folder is not None:
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415

        mark_process_dead(process, folder)  # type: ignore[no-untyped-call]


async def measure_loop_delay() -> None:
    """Record regularly how late the event loop wakes up a sleeping task."""
    loop = asyncio.get_running_loop()
    while _metrics is not None:
        due = loop.time() + SAMPLE_INTERVAL
        await asyncio.sleep(SAMPLE_INTERVAL)
        _metrics.loop_delay_seconds.observe(max(0.0, loop.time() - due))


def count_request(status: int) -> None:
    """Count an answered request by the class of its status."""
    if _metrics is not None:
        _metrics.requests.labels(f"{status // 100}xx").inc()


def prometheus_registry() -> CollectorRegistry:
    """Return the registry of this process, or of all processes that share a folder."""
    from prometheus_client import CollectorRegistry  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    assert _metrics is not None
    if MULTIPROC_DIR not in os.environ:
        return _metrics.registry
    combined = CollectorRegistry()
    MultiProcessCollector(combined)  # type: ignore[no-untyped-call]
    return combined
