"""Python looks for things that only hold each other, and halts everything while it looks: half a second where a thousand screens are open.
The whole house is looked through only when it is calm; what is young, a little at a time.
"""

from __future__ import annotations

import asyncio
import gc
import time

YOUNG, MIDDLE, NEVER = 10_000, 20, 1_000_000_000
SWEPT = 0.2  # seconds between two looks at what is young
EVERY, AT_LEAST = 60.0, 1800.0  # seconds between two looks through the whole house: not more often, and not less


class Tidying:
    def __init__(self) -> None:
        """What is there when the house opens stays."""
        self._last, self._before = time.monotonic(), gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, NEVER)

    def close(self) -> None:
        gc.unfreeze()
        gc.set_threshold(*self._before)

    @staticmethod
    async def sweep() -> None:
        """By itself Python looks when more was made than forgotten. Where old pictures go as new ones come that takes many seconds, and
        then it looks at all that was made in them: a tenth of a second."""
        while True:
            await asyncio.sleep(SWEPT)
            gc.collect(1)  # each thing once: what is still there is old

    def look_around(self, calm: bool) -> bool:
        """Whether the whole house was looked through."""
        since = time.monotonic() - self._last
        due = since >= (EVERY if calm else AT_LEAST)
        if due:
            gc.collect()
            self._last = time.monotonic()
        return due
