"""Screens without a socket, and those of other processes: each counts as here until it has not asked, or was not told of, for a while, and
everybody hears of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence

from tablee.server.table.presence import GLIMPSE, USUAL, Attendance


class Glimpses:
    def __init__(self, attendance: Attendance, changed: Callable[[], None]) -> None:
        """`changed` is called when somebody has come, or has gone."""
        self._attendance, self._changed = attendance, changed
        self._ends: dict[Collection[Hashable], asyncio.TimerHandle] = {}  # by who is at the screen

    def ask(self, who: Sequence[Hashable], pace: str = USUAL) -> None:
        """Somebody asks how the table stands."""
        if who:
            self._expect(frozenset(who))
            if self._attendance.glimpse(who, pace):
                self._changed()

    def hear_of(self, process: str, who: Sequence[Hashable], pace: str) -> None:
        """Another process says who is at its screens."""
        self._expect((process,))
        if self._attendance.hear_of(process, who, pace):
            self._changed()

    def _expect(self, who: Collection[Hashable]) -> None:
        """To hear of them again in time."""
        if who in self._ends:
            self._ends.pop(who).cancel()
        self._ends[who] = asyncio.get_running_loop().call_later(GLIMPSE, self._end, who)

    def _end(self, who: Collection[Hashable]) -> None:
        del self._ends[who]
        self._changed()

    def stop(self) -> None:
        for each in self._ends.values():
            each.cancel()
