"""Options for the executor of a command's games: `--jobs` and `--cluster`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager

from tablee.arena import Executor, LocalExecutor
from tablee.cli.arguments import bounded_int
from tablee.core.errors import TableeError
from tablee.core.i18n import msg

LOCAL = "local"
LOCAL_JOBS = 2
ADDRESS = re.compile(r"ray://[^\s/@?#]+:\d{1,5}")


def add_executor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", metavar="J", type=bounded_int(1, 256), help=f"processes (default: 1; with --cluster {LOCAL}: {LOCAL_JOBS})"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", type=cluster_address, help=f"a Ray cluster, ray://HOST:PORT, or {LOCAL}: one of its own"
    )


def cluster_address(text: str) -> str:
    if text == LOCAL or ADDRESS.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"must be ray://HOST:PORT or {LOCAL}, not {text!r}")


@contextmanager
def open_executor(args: argparse.Namespace) -> Iterator[Executor]:
    """Open the executor that plays the games; a cluster is connected before anything is written."""
    if args.cluster is None:
        yield LocalExecutor(args.jobs or 1)
        return
    if args.jobs and args.cluster != LOCAL:
        raise TableeError(msg("a cluster knows itself how many workers it has; --jobs is for this machine"))
    try:
        from tablee.arena import ray_executor  # noqa: PLC0415  an optional dependency
    except ImportError:
        raise TableeError(msg("--cluster needs Ray: pip install 'tablee[cluster]'")) from None
    with ray_executor.connect(args.cluster, args.jobs or LOCAL_JOBS) as executor:
        yield executor
