"""Executor for bots: they think in threads of their own, so that no commit or page waits for them.

A bot that fails or exceeds its time plays greedy's move, and the log says so.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tablee import bots
from tablee.core.game import Game, Move, Seat
from tablee.core.match import Match

BOT_TIMEOUT = 4.0  # seconds from when a bot begins to think; its own budget is far less
MAX_CONCURRENT_BOTS = os.cpu_count() or 1

T = TypeVar("T")
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BotDecision:
    move: Move
    is_fallback: bool = False  # whether greedy's move replaces the bot's own


@dataclass
class _PendingDecision:
    """Flags shared with the thread of one decision."""

    started: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)


class BotExecutor:
    def __init__(self, timeout: float = BOT_TIMEOUT, max_concurrent: int = MAX_CONCURRENT_BOTS, niceness: int = 0) -> None:
        """Start no thread yet; `niceness` is that of the threads, as for the command `nice`."""
        self._timeout, self._alone = timeout, asyncio.Semaphore(1)
        self._pool = ThreadPoolExecutor(max_concurrent, "thinking", _set_niceness, (niceness,))
        # Levels without search have a pool of their own and never queue behind a search.
        self._quick_pool = ThreadPoolExecutor(max_concurrent, "playing", _set_niceness, (niceness,))

    def close(self) -> None:
        for pool in (self._pool, self._quick_pool):
            pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function in the bots' threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    async def run_alone(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function that anybody may ask for in the bots' threads, one such at a time, so that bots go on."""
        async with self._alone:
            return await self.run(function, *args)

    async def choose(self, match: Match, seat: Seat, level: str) -> BotDecision:
        """Return the bot's decision.

        Until the room is compiled, greedy plays for levels that search: a search in plain Python would take minutes.
        """
        if level in bots.KERNEL_LEVELS or is_uncompiled(match.game):
            return BotDecision(await self._choose_quickly(match, seat, bots.find(level) if level in bots.KERNEL_LEVELS else bots.GREEDY))
        try:
            return BotDecision(await self._choose_with_timeout(match, seat, bots.find(level)))
        except Exception as error:
            logger.warning("a bot of level %s at %s plays greedy's move: %s", level, match.game.key, type(error).__name__)
            return BotDecision(await self._choose_quickly(match, seat, bots.GREEDY), is_fallback=True)

    async def _choose_quickly(self, match: Match, seat: Seat, bot: bots.Bot) -> Move:
        return await asyncio.get_running_loop().run_in_executor(self._quick_pool, bots.choose, match, seat, bot)

    async def _choose_with_timeout(self, match: Match, seat: Seat, bot: bots.Bot) -> Move:
        """Choose within the timeout, which runs from when a thread is free; a timeout or cancellation stops the bot."""
        pending = _PendingDecision()
        future = asyncio.get_running_loop().run_in_executor(self._pool, _choose_in_thread, pending, match, seat, bot)
        try:
            while not pending.started.is_set() and not future.done():
                await asyncio.wait({future}, timeout=0.05)
            return await asyncio.wait_for(future, self._timeout)
        finally:
            pending.cancelled.set()


def _set_niceness(niceness: int) -> None:
    """Lower the priority of this thread alone, where the system allows it."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def _choose_in_thread(pending: _PendingDecision, match: Match, seat: Seat, bot: bots.Bot) -> Move:
    pending.started.set()
    return bots.choose(match, seat, bot, pending.cancelled.is_set)


def is_uncompiled(game: Game) -> bool:
    """Return whether the room's loops still run as plain Python."""
    return bool(getattr(game.kernel.loops.rollout, "uses_python", True))
