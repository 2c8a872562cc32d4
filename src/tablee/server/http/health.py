"""Whether this server can serve, for whoever watches over it. However many ask at once, the store is looked at once a second."""

from __future__ import annotations

import asyncio
from time import monotonic

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from tablee.server.http.api import house_of
from tablee.server.storage.database import StoreError

FRESH = 1.0  # seconds
IN_TIME = 2.0  # seconds after which a look that is not done has found that they cannot

router = APIRouter(prefix="/api")


class Health(BaseModel):
    ready: bool = Field(description="whether moves can be kept")


@router.get("/health", summary="Whether moves can be kept", responses={503: {"model": Health, "description": "they cannot just now"}})
async def health(request: Request, response: Response) -> Health:
    ready = await _in_time(_newest_look(request))
    response.status_code = 200 if ready else 503
    return Health(ready=ready)


async def _in_time(look: asyncio.Future[bool]) -> bool:
    """Whoever watches over it is answered though the database hangs."""
    try:
        return await asyncio.wait_for(asyncio.shield(look), IN_TIME)
    except TimeoutError:
        return False


def _newest_look(request: Request) -> asyncio.Future[bool]:
    at, look = getattr(request.app.state, "health", (0.0, None))
    if look is None or (look.done() and monotonic() - at >= FRESH):
        look = asyncio.ensure_future(asyncio.to_thread(_can_be_written, request))
        request.app.state.health = (monotonic(), look)
    found: asyncio.Future[bool] = look
    return found


def _can_be_written(request: Request) -> bool:
    try:
        house_of(request).store.check()
    except StoreError:
        return False
    return True
