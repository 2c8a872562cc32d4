"""Executors: run tasks in this process or in several, or on a cluster (`arena/ray_executor.py`).

Results come back in the order of the tasks, so the executor never changes them.
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

D = TypeVar("D")  # a task
T = TypeVar("T")  # its result

MAX_PENDING_PER_WORKER = 4  # results of each worker that may wait for the consumer


class Executor(Protocol):
    @property
    def jobs(self) -> int:
        """Return the number of workers."""

    def map(self, make_worker: Callable[[], Callable[[D], T]], tasks: Sequence[D]) -> Iterator[T]:
        """Yield the result of each task in order. `make_worker` runs once in each worker process."""


class LocalExecutor:
    """Executor on this machine; with one job, in this process."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def map(self, make_worker: Callable[[], Callable[[D], T]], tasks: Sequence[D]) -> Iterator[T]:
        if self.jobs == 1 or len(tasks) < 2:
            yield from map(make_worker(), tasks)
            return
        context = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
        with ProcessPoolExecutor(
            min(self.jobs, len(tasks)), mp_context=context, initializer=_init_worker, initargs=(make_worker,)
        ) as workers:
            try:
                yield from ordered_results((_submit(workers, each) for each in tasks), Future.result, MAX_PENDING_PER_WORKER * self.jobs)
            finally:
                workers.shutdown(cancel_futures=True)


def _submit(workers: ProcessPoolExecutor, each: Any) -> Future[Any]:
    """Submit a task with SIGINT deferred: a worker process interrupted while it starts prints a traceback."""
    if threading.current_thread() is not threading.main_thread():
        return workers.submit(_work, each)
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        future = workers.submit(_work, each)
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt
    return future


LOCAL_EXECUTOR = LocalExecutor()


def ordered_results(futures: Iterable[D], get_result: Callable[[D], T], max_pending: int) -> Iterator[T]:
    """Yield results in order with at most `max_pending` submitted ahead of the consumer, which bounds memory."""
    waiting: deque[D] = deque()
    for future in futures:
        waiting.append(future)
        if len(waiting) > max_pending:
            yield get_result(waiting.popleft())
    while waiting:
        yield get_result(waiting.popleft())


_worker: list[Callable[[Any], Any]] = []  # in a worker process, its one worker


def _init_worker(make_worker: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _worker.append(make_worker())


def _exit_with_parent() -> None:
    """Exit when the parent ends: the worker of a killed parent would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(each: Any) -> Any:
    return _worker[0](each)
