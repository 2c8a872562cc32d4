"""What the server measures of itself, as Prometheus text at /metrics where its keeper asks for it (`tablee serve --metrics`).

Several processes at one port count together, in files of a folder that they share, and whichever is asked tells of all.
One line each for those who have something to tell; unless measuring was begun, they cost nothing. A label is a game or a kind of answer,
never a person, a table or a token.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SAMPLE_INTERVAL = 0.25  # seconds between two looks at the loop
MULTIPROC_DIR = "PROMETHEUS_MULTIPROC_DIR"  # names the folder of those who count together; prometheus_client reads it when it is loaded
MOVES_PATH = re.compile(r"/api/tables/[^/]+/moves")

router = APIRouter(include_in_schema=False)
_metrics: Metrics | None = None


class Metrics:
    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram  # noqa: PLC0415  loaded only where it is wanted

        self.registry: CollectorRegistry = CollectorRegistry()
        kept: dict[str, Any] = {"registry": self.registry}
        timed: dict[str, Any] = {"registry": self.registry, "buckets": BUCKETS}
        self.moves = Counter("tablee_moves", "Moves that were kept, of people and bots", ["game"], **kept)
        self.requests = Counter("tablee_requests", "Requests answered", ["status"], **kept)
        self.reports = Counter("tablee_reports", "Faults that were written down", **kept)
        now: dict[str, Any] = {"registry": self.registry, "multiprocess_mode": "livesum"}  # what a dead process had is gone
        self.connections = Gauge("tablee_screens", "Sockets that are open", **now)
        self.tables = Gauge("tablee_tables", "Tables that are in memory", **now)
        self.acknowledgement_seconds = Histogram("tablee_acknowledgement_seconds", "From a move's arrival to its answer", **timed)
        self.rendering_seconds = Histogram("tablee_drawing_seconds", "Drawing a page, or what changed on it", ["game"], **timed)
        self.loop_delay_seconds = Histogram("tablee_loop_delay_seconds", "How late the event loop was", **timed)


def enable() -> None:
    """From now on what is told is kept, from nothing."""
    global _metrics  # noqa: PLW0603  one process is measured as one
    _metrics = Metrics()


def disable() -> None:
    global _metrics  # noqa: PLW0603
    _metrics = None


def count_move(game: str) -> None:
    """A move was kept."""
    if _metrics is not None:
        _metrics.moves.labels(game).inc()


def observe_acknowledgement(seconds: float) -> None:
    """A move was answered, so long after it arrived."""
    if _metrics is not None:
        _metrics.acknowledgement_seconds.observe(seconds)


@contextmanager
def time_rendering(game: str) -> Iterator[None]:
    """Around the drawing of a page, or of what changed on it."""
    began = perf_counter()
    try:
        yield
    finally:
        if _metrics is not None:
            _metrics.rendering_seconds.labels(game).observe(perf_counter() - began)


def add_connections(more: int) -> None:
    """So many sockets were opened, or closed where it is negative."""
    if _metrics is not None:
        _metrics.connections.inc(more)


def set_open_tables(count: int) -> None:
    """So many tables are in memory."""
    if _metrics is not None:
        _metrics.tables.set(count)


def count_report() -> None:
    """A fault was written down."""
    if _metrics is not None:
        _metrics.reports.inc()


def remove_process(process: int, folder: str | None) -> None:
    """A process has ended that counted together with others in this folder: what it counted stays, what it had does not."""
    if folder is not None:
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415

        mark_process_dead(process, folder)  # type: ignore[no-untyped-call]


async def measure_loop_delay() -> None:
    """Sleeps, and looks how much too late it wakes up."""
    loop = asyncio.get_running_loop()
    while _metrics is not None:
        due = loop.time() + SAMPLE_INTERVAL
        await asyncio.sleep(SAMPLE_INTERVAL)
        _metrics.loop_delay_seconds.observe(max(0.0, loop.time() - due))


@router.get("/metrics")
def metrics() -> Response:
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest  # noqa: PLC0415

    return Response(generate_latest(_registry()), media_type=CONTENT_TYPE_LATEST)


def _registry() -> CollectorRegistry:
    """By this process, or by all who count together."""
    from prometheus_client import CollectorRegistry  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    assert _metrics is not None
    if MULTIPROC_DIR not in os.environ:
        return _metrics.registry
    everybody = CollectorRegistry()
    MultiProcessCollector(everybody)  # type: ignore[no-untyped-call]
    return everybody


class MetricsMiddleware:
    """What can be seen of requests and sockets from outside."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        add_connections(1)
        try:
            await self.app(scope, receive, send)
        finally:
            add_connections(-1)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()

        async def note(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start" and _metrics is not None:
                _metrics.requests.labels(f"{message['status'] // 100}xx").inc()
                if message["status"] == 200 and scope["method"] == "POST" and MOVES_PATH.fullmatch(scope["path"]):
                    observe_acknowledgement(perf_counter() - began)

        await self.app(scope, receive, note)
