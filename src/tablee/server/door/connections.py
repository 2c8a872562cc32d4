"""Connections are bounded and none is held by silence: half a request waits some seconds for its other half, an answer for whoever asked.

The bound stays below the number of files that a process may open, so that the store and the rules always find theirs. When it is reached,
the connection that has been silent longest makes room; where nobody is silent, the newest is told that the house is full.
"""

from __future__ import annotations

import asyncio
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from tablee.server.door.door import CROWDED
from tablee.server.door.handing_over import HandingOver

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Spoken
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as Spoken

BACKLOG = 128  # how many may be let in at one time before the first is looked at
SPARE_FILES = 2 * BACKLOG  # for those, and for the store, the rules and the styles
TOLD = 64  # over the bound so many are answered; the others are hung up on
MOST_HEADER_BYTES = 64 * 1024
SECONDS_TO_ASK, SECONDS_TO_ANSWER = 20.0, 120.0
SWEEP = 1.0  # seconds between two looks at everybody


def open_files(wanted: int) -> int:
    """Raises the number of files that may be open as far as the system lets us; returns how many connections that allows."""
    try:
        import resource  # noqa: PLC0415  not on every system
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # macOS names a limit that it does not grant
            hard = soft
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, max(hard - SPARE_FILES, hard // 4))


class Crowd:
    """Everybody who is connected."""

    def __init__(self, most: int, handing_over: HandingOver | None = None) -> None:
        self.most, self.handing_over = most, handing_over
        self._silent: dict[Patient, None] = {}  # the one who came first stands first
        self._sweeping: asyncio.TimerHandle | None = None

    def protocol(self) -> Any:
        return partial(Patient, self)

    def enter(self, who: Patient) -> None:
        self._silent[who] = None
        if self._sweeping is None:
            self._sweeping = who.loop.call_later(SWEEP, self._sweep, who.loop, who.connections)
        if len(who.connections) > self.most and not self._make_room(who):
            if len(who.connections) > self.most + TOLD:
                who.transport.abort()
            else:
                who.app_state = who.app_state | {CROWDED: True}

    def _make_room(self, newcomer: Patient) -> bool:
        """Hangs up on the one who has said nothing for the longest time."""
        while self._silent:
            first = next(iter(self._silent))
            if first is newcomer:
                return False
            del self._silent[first]
            if first.silent:
                first.connections.discard(first)
                first.transport.abort()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop, everybody: set[Any]) -> None:
        for who in [each for each in everybody if isinstance(each, Patient)]:
            if who.overdue():
                who.transport.abort()
        self._silent = {who: None for who in self._silent if who.silent}
        self._sweeping = loop.call_later(SWEEP, self._sweep, loop, everybody) if everybody else None


class Patient(Spoken):
    """One connection, until it becomes a socket."""

    def __init__(self, crowd: Crowd, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._crowd, self._heard, self._handing_over = crowd, 0, crowd.handing_over
        self._stage: tuple[object, float] = (None, SECONDS_TO_ASK)
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._crowd.enter(self)

    def data_received(self, data: bytes) -> None:
        """The first words may be for another process."""
        if self._handing_over:
            handing_over, self._handing_over = self._handing_over, None
            handing_over.offer(self.transport, data, self._take)
        else:
            self._take(data)

    def _take(self, data: bytes) -> None:
        """Headers without an end are no request."""
        before = self.cycle
        super().data_received(data)
        asking = self.cycle is before and (before is None or before.response_complete)
        self._heard = self._heard + len(data) if asking else 0
        if self._heard > MOST_HEADER_BYTES:
            self.transport.abort()

    @property
    def silent(self) -> bool:
        """Whether it is still here and has asked for nothing yet."""
        return self.cycle is None and self in self.connections

    def overdue(self) -> bool:
        """Whether it has been at the same thing for too long."""
        now, stage = self.loop.time(), (self.cycle, self._patience())
        if stage != self._stage:
            self._stage, self._since = stage, now
        return now - self._since > stage[1]

    def _patience(self) -> float:
        """How long it may be at what it is at. Between two requests uvicorn itself hangs up."""
        if self.cycle is None or self.cycle.more_body:
            return SECONDS_TO_ASK
        if not self.cycle.response_complete:
            return SECONDS_TO_ANSWER
        return SECONDS_TO_ASK if self.timeout_keep_alive_task is None else inf
