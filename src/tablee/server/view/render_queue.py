"""Queue that renders one page at a time; between two pages the event loop receives and acknowledges moves.

A person's own action comes first, but after MAX_URGENT_IN_A_ROW of those another waiting page is rendered, so that none starves.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MAX_URGENT_IN_A_ROW = 3  # while others wait


class RenderQueue:
    def __init__(self) -> None:
        self._busy = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._normal: deque[asyncio.Future[None]] = deque()
        self._urgent_in_a_row = 0

    @asynccontextmanager
    async def slot(self, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn to render; `urgent` is whether a person waits for the result of their own action."""
        loop = asyncio.get_running_loop()
        if self._busy:
            turn = loop.create_future()
            (self._urgent if urgent else self._normal).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            loop.call_soon(self._next)  # after all callbacks that are ready

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
