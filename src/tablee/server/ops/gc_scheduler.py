"""Scheduling of the cyclic garbage collector, which stops the world: half a second with a thousand clients.

Full collections run only when the server is idle, those of young objects often and in small portions.
"""

from __future__ import annotations

import asyncio
import gc
import time

GEN0_THRESHOLD, GEN1_THRESHOLD, GEN2_THRESHOLD = 10_000, 20, 1_000_000_000
YOUNG_INTERVAL = 0.2  # seconds between two collections of young objects
FULL_INTERVAL_IDLE, FULL_INTERVAL_BUSY = 60.0, 1800.0  # seconds between two full collections: at least, and at most


class GcScheduler:
    def __init__(self) -> None:
        """Exempt all present objects from collection, and switch off automatic full collections."""
        self._last_full, self._original_thresholds = time.monotonic(), gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(GEN0_THRESHOLD, GEN1_THRESHOLD, GEN2_THRESHOLD)

    def close(self) -> None:
        gc.unfreeze()
        gc.set_threshold(*self._original_thresholds)

    @staticmethod
    async def collect_young() -> None:
        """Collect young objects regularly.

        Python would wait until allocations exceed deallocations. Where new views replace old ones that takes many seconds, and the
        collection then takes a tenth of a second.
        """
        while True:
            await asyncio.sleep(YOUNG_INTERVAL)
            gc.collect(1)  # scans each object once: survivors join generation 2

    def collect_if_due(self, idle: bool) -> bool:
        """Run a full collection if one is due, and return whether it ran."""
        since = time.monotonic() - self._last_full
        due = since >= (FULL_INTERVAL_IDLE if idle else FULL_INTERVAL_BUSY)
        if due:
            gc.collect()
            self._last_full = time.monotonic()
        return due
