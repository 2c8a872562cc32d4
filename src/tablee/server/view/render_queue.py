"""One page is drawn at a time; between two pages moves are heard and acknowledged. Whoever touched something comes first, but not always:
after some of those one of the others has a turn, so that nobody can keep the house from being drawn.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

IN_A_ROW = 3  # of those who touched something, while others wait


class Easel:
    def __init__(self) -> None:
        self._busy = False
        self._used = time.monotonic()
        self._touched: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()
        self._in_a_row = 0

    @property
    def idle(self) -> float:
        """For how many seconds nothing was drawn."""
        return time.monotonic() - self._used

    @asynccontextmanager
    async def turn(self, touched: bool) -> AsyncIterator[None]:
        """`touched` is whether somebody at this screen waits for what their own finger did."""
        await self._wait(self._touched if touched else self._others)
        try:
            yield
        finally:
            self._used = time.monotonic()
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
        queues = [self._touched, self._others]
        for queue in queues if self._in_a_row < IN_A_ROW else reversed(queues):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    self._in_a_row = self._in_a_row + 1 if queue is self._touched else 0
                    waiting.set_result(None)
                    return
        self._busy = False
