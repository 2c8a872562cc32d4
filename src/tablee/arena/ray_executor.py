"""Executor on a Ray cluster whose machines have Tablée installed.

Ray retries the tasks of a dead worker elsewhere. The results are the same, because a game depends only on its plan and its number.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import secrets
import socket
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tablee import games
from tablee.arena.executors import MAX_PENDING_PER_WORKER, ordered_results
from tablee.core.errors import TableeError
from tablee.core.i18n import msg

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no telemetry
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # otherwise Ray prints a line to stdout for every worker that died
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # otherwise Ray prints a deprecation warning
os.environ.setdefault("RAY_worker_niceness", "0")  # the same priority as a worker of `--jobs`

import ray
from ray.exceptions import RayError, RayTaskError

D = TypeVar("D")
T = TypeVar("T")

LOCAL = "local"
STAMPED_SUFFIXES = (".py", ".toml", ".json")  # rules, boxes, learned weights
MAX_RETRIES = 8  # workers that may die on one task before the task itself is the suspect
CONNECT_TIMEOUT_S = 10
SHORT_TEMP_DIR = "/tmp"  # noqa: S108  Ray makes its own folder in it; the path of a Unix socket has at most 107 bytes


class RayExecutor:
    """Executor on the Ray cluster that this process is connected to."""

    def __init__(self, address: str) -> None:
        self.address, self.jobs = address, max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(self, make_worker: Callable[[], Callable[[D], T]], tasks: Sequence[D]) -> Iterator[T]:
        with self._translate_errors():
            task = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(_work)
            packed = ray.put(pickle.dumps(make_worker))
            futures = (task.remote(_version(), packed, each) for each in tasks)
            yield from ordered_results(futures, _get, MAX_PENDING_PER_WORKER * self.jobs)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except (RayError, ConnectionError) as error:
            if isinstance(error, RayTaskError) and isinstance(error.cause, TableeError):
                raise error.cause from None
            reason = _reason(error)
            raise TableeError(msg("the cluster {address} does not go on: {reason}", address=self.address, reason=reason)) from error


@contextmanager
def connect(address: str, jobs: int) -> Iterator[RayExecutor]:
    """Connect to a running cluster, or start a local one with `jobs` workers that ends with this process."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    with TemporaryDirectory(
        prefix="tablee-", dir=SHORT_TEMP_DIR if os.path.isdir(SHORT_TEMP_DIR) else None, ignore_cleanup_errors=True
    ) as folder:
        try:
            _start(address, jobs, folder)
            yield RayExecutor(address)
        finally:
            ray.shutdown()


def _start(address: str, jobs: int, folder: str) -> None:
    try:
        with warnings.catch_warnings(action="ignore"):  # the error below says it
            _start_local(jobs, folder) if address == LOCAL else _connect_remote(address)
    except (OSError, RuntimeError, ValueError) as error:
        raise TableeError(msg("the cluster {address} cannot be reached: {reason}", address=address, reason=_reason(error))) from None


def _start_local(jobs: int, folder: str) -> None:
    """Start a local cluster that only this process can use.

    The token is passed in the environment; Ray by itself would write one to a file in the home directory that everybody can read.
    """
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    ray.init(LOCAL, num_cpus=jobs, include_dashboard=False, configure_logging=False, log_to_driver=False, _temp_dir=folder)


def _connect_remote(address: str) -> None:
    """Connect to a cluster after a plain TCP connection succeeded: Ray itself waits long for a closed port."""
    url = urlsplit(address)
    socket.create_connection((url.hostname, url.port or 0), CONNECT_TIMEOUT_S).close()
    ray.init(address, configure_logging=False, log_to_driver=False)


def _reason(error: Exception) -> str:
    """Return the last line of an error message, which may be a page long."""
    return getattr(error, "strerror", None) or str(error).strip().rpartition("\n")[2] or type(error).__name__


@cache
def _version() -> str:
    """Return Tablée's version with a stamp of its sources: two checkouts with one version number may play differently."""
    package = Path(__file__).parent.parent
    sources = {package / name for name in ("core", "bots", "games", "arena")} | {games.folder(key) for key in games.known()}
    return f"{metadata.version('tablee')} ({stamp(sorted(sources))})"


def stamp(folders: Iterable[Path]) -> str:
    """Return the checksum of all sources, data and weights in these folders, tests excepted."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.suffix in STAMPED_SUFFIXES and "tests" not in file.relative_to(folder).parts:
                digest.update(f"\n{file.relative_to(folder).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def _get(future: Any) -> Any:
    return ray.get(future)


def _work(version: str, packed: bytes, each: Any) -> Any:
    return _make_worker(version, packed)(each)


@cache
def _make_worker(version: str, packed: bytes) -> Callable[[Any], Any]:
    """Create the worker, once in each worker process."""
    if version != _version():
        raise TableeError(msg("a worker has Tablée {theirs}, and here is {ours}", theirs=_version(), ours=version))
    make_worker: Callable[[], Callable[[Any], Any]] = pickle.loads(packed)  # noqa: S301  users of the cluster may run any code there
    return make_worker()
