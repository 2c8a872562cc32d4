"""Route of the metrics as Prometheus text, and the middleware that measures requests (`tablee serve --metrics`)."""

from __future__ import annotations

import re
from time import perf_counter

from fastapi import APIRouter, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.server.ops import metrics

MOVES_PATH = re.compile(r"/api/tables/[^/]+/moves")

router = APIRouter(include_in_schema=False)


@router.get("/metrics")
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
