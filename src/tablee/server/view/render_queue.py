"""One page is drawn at a time; between two pages moves are heard and acknowledged. Whoever touched something comes first, but not always:
after some of those one of the others has a turn, so that nobody can keep the house from being drawn.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MAX_URGENT_IN_A_ROW = 3  # of those who touched something, while others wait


class RenderQueue:
    def __init__(self) -> None:
        self._busy = False
        self._last_used = time.monotonic()
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._normal: deque[asyncio.Future[None]] = deque()
        self._urgent_in_a_row = 0

    @property
    def idle_seconds(self) -> float:
        """For how many seconds nothing was drawn."""
        return time.monotonic() - self._last_used

    @asynccontextmanager
    async def slot(self, urgent: bool) -> AsyncIterator[None]:
        """`urgent` is whether somebody at this screen waits for what their own finger did."""
        await self._wait(self._urgent if urgent else self._normal)
        try:
            yield
        finally:
            self._last_used = time.monotonic()
            asyncio.get_running_loop().call_soon(self._next)  # everything else that is ready goes first

    async def _wait(self, queue: deque[asyncio.Future[None]]) -> None:
        if not self._busy:
            self._busy = True
            return
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._next()
            raise

    def _next(self) -> None:
        queues = [self._urgent, self._normal]
        for queue in queues if self._urgent_in_a_row < MAX_URGENT_IN_A_ROW else reversed(queues):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    self._urgent_in_a_row = self._urgent_in_a_row + 1 if queue is self._urgent else 0
                    waiting.set_result(None)
                    return
        self._busy = False
