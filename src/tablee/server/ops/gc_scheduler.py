"""Python looks for things that only hold each other, and halts everything while it looks: half a second where a thousand screens are open.
The whole house is looked through only when it is calm; what is young, a little at a time.
"""

from __future__ import annotations

import asyncio
import gc
import time

GEN0_THRESHOLD, GEN1_THRESHOLD, GEN2_THRESHOLD = 10_000, 20, 1_000_000_000
YOUNG_INTERVAL = 0.2  # seconds between two looks at what is young
FULL_INTERVAL_IDLE, FULL_INTERVAL_BUSY = 60.0, 1800.0  # seconds between two looks through the whole house: not more often, and not less


class GcScheduler:
    def __init__(self) -> None:
        """What is there when the house opens stays."""
        self._last_full, self._original_thresholds = time.monotonic(), gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(GEN0_THRESHOLD, GEN1_THRESHOLD, GEN2_THRESHOLD)

    def close(self) -> None:
        gc.unfreeze()
        gc.set_threshold(*self._original_thresholds)

    @staticmethod
    async def collect_young() -> None:
        """By itself Python looks when more was made than forgotten. Where old pictures go as new ones come that takes many seconds, and
        then it looks at all that was made in them: a tenth of a second."""
        while True:
            await asyncio.sleep(YOUNG_INTERVAL)
            gc.collect(1)  # each thing once: what is still there is old

    def collect_if_due(self, calm: bool) -> bool:
        """Whether the whole house was looked through."""
        since = time.monotonic() - self._last_full
        due = since >= (FULL_INTERVAL_IDLE if calm else FULL_INTERVAL_BUSY)
        if due:
            gc.collect()
            self._last_full = time.monotonic()
        return due
