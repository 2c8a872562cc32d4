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

MAX_PENDING_PER_WORKER = 4  # things for each worker that may wait to be looked at


class Executor(Protocol):
    @property
    def jobs(self) -> int:
        """Workers."""

    def map(self, make_worker: Callable[[], Callable[[D], T]], tasks: Sequence[D]) -> Iterator[T]:
        """What workers make of these, in their order. A worker begins once, then works."""


class LocalExecutor:
    """This machine; with one job, this very process."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def map(self, make_worker: Callable[[], Callable[[D], T]], tasks: Sequence[D]) -> Iterator[T]:
        if self.jobs == 1 or len(tasks) < 2:
            yield from map(make_worker(), tasks)
            return
        apart = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
        with ProcessPoolExecutor(
            min(self.jobs, len(tasks)), mp_context=apart, initializer=_init_worker, initargs=(make_worker,)
        ) as workers:
            try:
                yield from ordered_results((_submit(workers, each) for each in tasks), Future.result, MAX_PENDING_PER_WORKER * self.jobs)
            finally:
                workers.shutdown(cancel_futures=True)


def _submit(workers: ProcessPoolExecutor, each: Any) -> Future[Any]:
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


LOCAL_EXECUTOR = LocalExecutor()


def ordered_results(futures: Iterable[D], get_result: Callable[[D], T], max_pending: int) -> Iterator[T]:
    """What was promised, one after the other; nobody works far ahead of whoever takes it, so that little lies about."""
    waiting: deque[D] = deque()
    for promise in futures:
        waiting.append(promise)
        if len(waiting) > max_pending:
            yield get_result(waiting.popleft())
    while waiting:
        yield get_result(waiting.popleft())


_worker: list[Callable[[Any], Any]] = []  # of a worker process


def _init_worker(make_worker: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the parent's business
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _worker.append(make_worker())


def _exit_with_parent() -> None:
    """However that may be: a worker that waits for a parent that was killed would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(each: Any) -> Any:
    return _worker[0](each)
