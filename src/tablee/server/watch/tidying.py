"""Python looks for things that only hold each other, and halts everything while it looks: half a second where a thousand screens are open.
What is young is looked through as ever; the whole house only when it is calm.
"""

from __future__ import annotations

import gc
import time

YOUNG, MIDDLE, NEVER = 10_000, 20, 1_000_000_000
EVERY, AT_LEAST = 60.0, 1800.0  # seconds: not more often, and not less


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

    def look_around(self, calm: bool) -> bool:
        """Whether the whole house was looked through."""
        since = time.monotonic() - self._last
        due = since >= (EVERY if calm else AT_LEAST)
        if due:
            gc.collect()
            self._last = time.monotonic()
        return due
