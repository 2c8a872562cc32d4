"""The rules of each room are made ready behind everybody's back. What is not compiled yet is compiled by a process of its own: the compiler
holds a lock that would stop every table of this one.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future

from tablee import games
from tablee.bots import warm_up


class Preparing:
    def __init__(self, keys: Sequence[str]) -> None:
        self._ready: dict[str, Future[None]] = {key: Future() for key in keys}
        self._asked_for: list[str] = []

    async def wait_for(self, key: str) -> None:
        """Returns once the room's rules are ready; its first players wait, everybody else plays on."""
        if key in self._ready and not self._ready[key].done():
            self._asked_for.append(key)
            await asyncio.shield(asyncio.wrap_future(self._ready[key]))

    def run(self) -> None:
        """One room after the other: those first that need no compiling, and then those that somebody waits for."""
        order = sorted(self._ready, key=_must_be_compiled)
        for done in range(len(order)):
            key = next(key for key in (*self._asked_for, *order) if not self._ready[key].done())
            _tell(key, done, len(self._ready))
            self._make_ready(key)
        _tell("", len(self._ready), len(self._ready))

    def _make_ready(self, key: str) -> None:
        try:
            make_ready(key)
        except Exception as error:  # whoever waits is told; the other rooms go on
            self._ready[key].set_exception(error)
        else:
            self._ready[key].set_result(None)


def _must_be_compiled(key: str) -> bool:
    try:
        return not warm_up.is_warm(games.find(key))
    except Exception:  # `make_ready` will find it again and say so to whoever waits
        return True


def make_ready(key: str) -> None:
    """Later starts find the machine code on disk and are done at once."""
    game = games.find(key)
    if not warm_up.is_warm(game):
        subprocess.run([sys.executable, "-m", "tablee.bots.warm_up", key], stderr=subprocess.DEVNULL, check=False)  # noqa: S603
    warm_up.use_every_rule(game)


def _tell(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\rpreparing the rules {done}/{total}: {what:<24}", end=end, file=sys.stderr, flush=True)  # noqa: T201
