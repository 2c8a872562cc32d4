"""Where the games of a command are played: `--jobs` and `--cluster`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager

from tablee.arena import Here, Place
from tablee.cli.arguments import whole
from tablee.core.errors import TableeError
from tablee.core.i18n import say

LOCAL = "local"
LOCAL_JOBS = 2
ADDRESS = re.compile(r"ray://[^\s/@?#]+:\d{1,5}")


def ask_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", metavar="J", type=whole(1, 256), help=f"processes (default: 1; with --cluster {LOCAL}: {LOCAL_JOBS})")
    parser.add_argument("--cluster", metavar="ADDRESS", type=address, help=f"a Ray cluster, ray://HOST:PORT, or {LOCAL}: one of its own")


def address(text: str) -> str:
    if text == LOCAL or ADDRESS.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"must be ray://HOST:PORT or {LOCAL}, not {text!r}")


@contextmanager
def place(args: argparse.Namespace) -> Iterator[Place]:
    """Open while the games are played. A cluster is reached before anything is written."""
    if args.cluster is None:
        yield Here(args.jobs or 1)
        return
    if args.jobs and args.cluster != LOCAL:
        raise TableeError(say("a cluster knows itself how many workers it has; --jobs is for this machine"))
    try:
        from tablee.arena import cluster  # noqa: PLC0415  few have one
    except ImportError:
        raise TableeError(say("--cluster needs Ray: pip install 'tablee[cluster]'")) from None
    with cluster.connect(args.cluster, args.jobs or LOCAL_JOBS) as found:
        yield found
