"""Rung whenever something changed that a screen may show. Nothing is handed over: whoever hears it looks at the table as it is then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class ChangeSignal:
    def __init__(self) -> None:
        self.generation = 0  # counts every change, also those that are not in the log
        self._listeners: set[asyncio.Event] = set()

    def notify(self) -> None:
        self.generation += 1
        for ear in self._listeners:
            ear.set()

    @contextmanager
    def subscribed(self, listener: asyncio.Event) -> Iterator[None]:
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)
