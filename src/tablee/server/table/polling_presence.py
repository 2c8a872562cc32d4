"""Presence of polling clients, and of clients of other processes: each expires unless it polls or is reported again in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence

from tablee.server.table.presence import DEFAULT_PACE, POLL_TIMEOUT, Presence


class PollingPresence:
    def __init__(self, presence: Presence, changed: Callable[[], None]) -> None:
        """Track presence; `changed` is called when a client comes or expires."""
        self._presence, self._changed = presence, changed
        self._timers: dict[Collection[Hashable], asyncio.TimerHandle] = {}  # by the presence keys of a client, or by peer process

    def poll(self, keys: Sequence[Hashable], pace: str = DEFAULT_PACE) -> None:
        """Record a poll by a client with these presence keys."""
        if keys:
            self._restart_timer(frozenset(keys))
            if self._presence.poll(keys, pace):
                self._changed()

    def update_from_peer(self, process: str, keys: Sequence[Hashable], pace: str) -> None:
        """Record which presence keys another process reports as connected to it."""
        self._restart_timer((process,))
        if self._presence.update_from_peer(process, keys, pace):
            self._changed()

    def _restart_timer(self, keys: Collection[Hashable]) -> None:
        if keys in self._timers:
            self._timers.pop(keys).cancel()
        self._timers[keys] = asyncio.get_running_loop().call_later(POLL_TIMEOUT, self._expire, keys)

    def _expire(self, keys: Collection[Hashable]) -> None:
        del self._timers[keys]
        self._changed()

    def stop(self) -> None:
        for each in self._timers.values():
            each.cancel()
