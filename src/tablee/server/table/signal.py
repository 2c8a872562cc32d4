"""Rung whenever something changed that a screen may show. Nothing is handed over: whoever hears it looks at the table as it is then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Bell:
    def __init__(self) -> None:
        self.pulse = 0  # counts every change, also those that are not in the log
        self._ears: set[asyncio.Event] = set()

    def ring(self) -> None:
        self.pulse += 1
        for ear in self._ears:
            ear.set()

    @contextmanager
    def heard_by(self, ear: asyncio.Event) -> Iterator[None]:
        self._ears.add(ear)
        try:
            yield
        finally:
            self._ears.discard(ear)
