"""Health check: whether the server can save moves. It tests the store at most once a second, however many clients ask."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from tablee.server.http.api import registry_of
from tablee.server.table.models import StoreError

CHECK_INTERVAL = 1.0  # seconds
CHECK_TIMEOUT = 2.0  # seconds after which an unfinished check counts as failed

router = APIRouter(prefix="/api")


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
