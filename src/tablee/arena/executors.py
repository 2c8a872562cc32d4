"""Where games are played: on this machine, in one process or several, or on a cluster (`arena/cluster.py`). A place is given the way to
begin and what is to be done, and hands back what came of it in that order, so that no place changes what is found.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

D = TypeVar("D")  # what is to be done
T = TypeVar("T")  # what came of it

AHEAD = 4  # things for each worker that may wait to be looked at


class Place(Protocol):
    @property
    def jobs(self) -> int:
        """Workers."""

    def spread(self, begin: Callable[[], Callable[[D], T]], todo: Sequence[D]) -> Iterator[T]:
        """What workers make of these, in their order. A worker begins once, then works."""


class Here:
    """This machine; with one job, this very process."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def spread(self, begin: Callable[[], Callable[[D], T]], todo: Sequence[D]) -> Iterator[T]:
        if self.jobs == 1 or len(todo) < 2:
            yield from map(begin(), todo)
            return
        apart = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
        with ProcessPoolExecutor(min(self.jobs, len(todo)), mp_context=apart, initializer=_begin, initargs=(begin,)) as workers:
            try:
                yield from in_order((_hand_over(workers, each) for each in todo), Future.result, AHEAD * self.jobs)
            finally:
                workers.shutdown(cancel_futures=True)


def _hand_over(workers: ProcessPoolExecutor, each: Any) -> Future[Any]:
    """An interrupt waits meanwhile: a worker that was half started for this would complain of it."""
    if threading.current_thread() is not threading.main_thread():
        return workers.submit(_work, each)
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        promise = workers.submit(_work, each)
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt
    return promise


HERE = Here()


def in_order(promised: Iterable[D], keep: Callable[[D], T], ahead: int) -> Iterator[T]:
    """What was promised, one after the other; nobody works far ahead of whoever takes it, so that little lies about."""
    waiting: deque[D] = deque()
    for promise in promised:
        waiting.append(promise)
        if len(waiting) > ahead:
            yield keep(waiting.popleft())
    while waiting:
        yield keep(waiting.popleft())


_working: list[Callable[[Any], Any]] = []  # of a worker process


def _begin(begin: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the parent's business
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    _working.append(begin())


def _end_with_the_parent() -> None:
    """However that may be: a worker that waits for a parent that was killed would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(each: Any) -> Any:
    return _working[0](each)
