"""Whether this server can serve, for whoever watches over it. However many ask at once, the store is looked at once a second."""

from __future__ import annotations

import asyncio
from time import monotonic

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from tablee.server.http.api import registry_of
from tablee.server.storage.database import StoreError

CHECK_INTERVAL = 1.0  # seconds
CHECK_TIMEOUT = 2.0  # seconds after which a look that is not done has found that they cannot

router = APIRouter(prefix="/api")


class Health(BaseModel):
    ready: bool = Field(description="whether moves can be kept")


@router.get("/health", summary="Whether moves can be kept", responses={503: {"model": Health, "description": "they cannot just now"}})
async def health(request: Request, response: Response) -> Health:
    ready = await _result_in_time(_latest_check(request))
    response.status_code = 200 if ready else 503
    return Health(ready=ready)


async def _result_in_time(look: asyncio.Future[bool]) -> bool:
    """Whoever watches over it is answered though the database hangs."""
    try:
        return await asyncio.wait_for(asyncio.shield(look), CHECK_TIMEOUT)
    except TimeoutError:
        return False


def _latest_check(request: Request) -> asyncio.Future[bool]:
    at, look = getattr(request.app.state, "health", (0.0, None))
    if look is None or (look.done() and monotonic() - at >= CHECK_INTERVAL):
        look = asyncio.ensure_future(asyncio.to_thread(_store_is_writable, request))
        request.app.state.health = (monotonic(), look)
    found: asyncio.Future[bool] = look
    return found


def _store_is_writable(request: Request) -> bool:
    try:
        registry_of(request).store.check()
    except StoreError:
        return False
    return True
