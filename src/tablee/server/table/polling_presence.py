"""Screens without a socket, and those of other processes: each counts as here until it has not asked, or was not told of, for a while, and
everybody hears of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence

from tablee.server.table.presence import DEFAULT_PACE, POLL_TIMEOUT, Presence


class PollingPresence:
    def __init__(self, presence: Presence, changed: Callable[[], None]) -> None:
        """`changed` is called when somebody has come, or has gone."""
        self._presence, self._changed = presence, changed
        self._timers: dict[Collection[Hashable], asyncio.TimerHandle] = {}  # by who is at the screen

    def poll(self, who: Sequence[Hashable], pace: str = DEFAULT_PACE) -> None:
        """Somebody asks how the table stands."""
        if who:
            self._restart_timer(frozenset(who))
            if self._presence.poll(who, pace):
                self._changed()

    def update_from_peer(self, process: str, who: Sequence[Hashable], pace: str) -> None:
        """Another process says who is at its screens."""
        self._restart_timer((process,))
        if self._presence.update_from_peer(process, who, pace):
            self._changed()

    def _restart_timer(self, who: Collection[Hashable]) -> None:
        """To hear of them again in time."""
        if who in self._timers:
            self._timers.pop(who).cancel()
        self._timers[who] = asyncio.get_running_loop().call_later(POLL_TIMEOUT, self._expire, who)

    def _expire(self, who: Collection[Hashable]) -> None:
        del self._timers[who]
        self._changed()

    def stop(self) -> None:
        for each in self._timers.values():
            each.cancel()
