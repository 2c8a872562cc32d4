"""Bots think in threads of their own, so that a commit or a page never waits for them. A bot that fails, or is not done in time, plays what
greedy would; the table is told.
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

PATIENCE = 4.0  # seconds from when a bot begins to think; its own budget is far less
AT_ONCE = os.cpu_count() or 1
STEPS_BACK = 10  # as `nice` counts: on a busy machine everybody else comes first

T = TypeVar("T")
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Thought:
    move: Move
    hurried: bool = False  # whether greedy had to step in


@dataclass
class _Thinking:
    """One decision under way."""

    begun: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)


class Thinkers:
    def __init__(self, patience: float = PATIENCE, at_once: int = AT_ONCE) -> None:
        self._patience = patience
        self._pool = ThreadPoolExecutor(at_once, "thinking", _let_others_pass)
        self._quick = ThreadPoolExecutor(at_once, "playing", _let_others_pass)  # for levels that do not wait for those that think

    def close(self) -> None:
        for pool in (self._pool, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)

    async def work(self, function: Callable[..., T], *args: Any) -> T:
        """A piece of work for the same threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    async def choose(self, match: Match, seat: Seat, level: str) -> Thought:
        """What the bot does here. Greedy plays for a level that looks ahead until its room is compiled: it would take minutes."""
        if level in bots.LEVELS or is_slow(match.game):
            return Thought(await self._at_once(match, seat, bots.find(level) if level in bots.LEVELS else bots.GREEDY))
        try:
            return Thought(await self._think(match, seat, bots.find(level)))
        except Exception as error:
            logger.warning("a bot of level %s at %s plays greedy's move: %s", level, match.game.key, type(error).__name__)
            return Thought(await self._at_once(match, seat, bots.GREEDY), hurried=True)

    async def _at_once(self, match: Match, seat: Seat, bot: bots.Bot) -> Move:
        return await asyncio.get_running_loop().run_in_executor(self._quick, bots.choose, match, seat, bot)

    async def _think(self, match: Match, seat: Seat, bot: bots.Bot) -> Move:
        """The time runs from when a thread is free; whoever stops waiting, by a time-out or because the table is closed, stops the bot."""
        thinking = _Thinking()
        answer = asyncio.get_running_loop().run_in_executor(self._pool, _work, thinking, match, seat, bot)
        try:
            while not thinking.begun.is_set() and not answer.done():
                await asyncio.wait({answer}, timeout=0.05)
            return await asyncio.wait_for(answer, self._patience)
        finally:
            thinking.over.set()


def _let_others_pass() -> None:
    """This thread alone steps back, where the system can do that."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), STEPS_BACK)


def _work(thinking: _Thinking, match: Match, seat: Seat, bot: bots.Bot) -> Move:
    thinking.begun.set()
    return bots.choose(match, seat, bot, thinking.over.is_set)


def is_slow(game: Game) -> bool:
    """Whether the room's loops run as plain Python for now."""
    return bool(getattr(game.kernel.loops.try_out, "runs_plain", True))
