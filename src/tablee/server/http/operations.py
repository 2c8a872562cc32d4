"""Health check, and metrics for Prometheus (`tablee serve --metrics`).

Whether the server can save moves is tested at most once a second, however many clients ask.
"""

from __future__ import annotations

import asyncio
import re
from time import perf_counter

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.server.http.requests import registry_of
from tablee.server.ops import metrics
from tablee.server.table.models import StoreError

CHECK_INTERVAL = 1.0  # seconds
CHECK_TIMEOUT = 2.0  # seconds after which an unfinished check counts as failed

MOVES_PATH = re.compile(r"/api/tables/[^/]+/moves")

router, metrics_router = APIRouter(prefix="/api"), APIRouter(include_in_schema=False)


class Health(BaseModel):
    ready: bool = Field(description="whether the server can save moves")


@router.get(
    "/health",
    summary="Check whether the server can save moves",
    responses={503: {"model": Health, "description": "it cannot at the moment"}},
)
async def health(request: Request, response: Response) -> Health:
    ready = await _result_in_time(_latest_check(request))
    response.status_code = 200 if ready else 503
    return Health(ready=ready)


async def _result_in_time(check: asyncio.Future[bool]) -> bool:
    """Return the result of a check, or False after CHECK_TIMEOUT, so that monitoring gets a response if the database hangs."""
    try:
        return await asyncio.wait_for(asyncio.shield(check), CHECK_TIMEOUT)
    except TimeoutError:
        return False


def _latest_check(request: Request) -> asyncio.Future[bool]:
    now = request.app.state.limits.clock()
    at, check = getattr(request.app.state, "health", (0.0, None))
    if check is None or (check.done() and now - at >= CHECK_INTERVAL):
        check = asyncio.ensure_future(asyncio.to_thread(_store_is_writable, request))
        request.app.state.health = (now, check)
    found: asyncio.Future[bool] = check
    return found


def _store_is_writable(request: Request) -> bool:
    try:
        registry_of(request).store.check()
    except StoreError:
        return False
    return True


@metrics_router.get("/metrics")
def metrics_text() -> Response:
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest  # noqa: PLC0415

    return Response(generate_latest(metrics.prometheus_registry()), media_type=CONTENT_TYPE_LATEST)


class MetricsMiddleware:
    """ASGI middleware that counts requests and WebSockets, and times the answers to moves."""

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
        metrics.add_connections(1)
        try:
            await self.app(scope, receive, send)
        finally:
            metrics.add_connections(-1)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()

        async def send_counted(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                metrics.count_request(message["status"])
                if message["status"] == 200 and scope["method"] == "POST" and MOVES_PATH.fullmatch(scope["path"]):
                    metrics.observe_acknowledgement(perf_counter() - began)

        await self.app(scope, receive, send_counted)
