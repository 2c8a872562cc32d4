"""Change signal of a table: subscribers wake and read the present state; nothing is passed along."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class ChangeSignal:
    def __init__(self) -> None:
        self.generation = 0  # number of changes, including those that are not in the log
        self._listeners: set[asyncio.Event] = set()

    def notify(self) -> None:
        self.generation += 1
        for listener in self._listeners:
            listener.set()

    @contextmanager
    def subscribed(self, listener: asyncio.Event) -> Iterator[None]:
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)
