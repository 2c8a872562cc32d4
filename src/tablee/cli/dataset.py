"""`tablee dataset`: what bots decided in many games, as one Parquet file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tablee.arena import Plan
from tablee.cli.arguments import ask_language, ask_table, check_place, table, whole
from tablee.cli.executor_options import ask_place, place
from tablee.cli.figures import progress
from tablee.cli.warm import compile_first
from tablee.core.errors import TableeError
from tablee.core.i18n import Words, say

HELP = "write what bots decided in many games into a Parquet file"


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_table(parser)
    parser.add_argument("--games", metavar="N", type=whole(1, 10_000_000), default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", metavar="S", type=whole(0, 10**18), default=1, help="the same seed gives the same games (default: 1)")
    ask_place(parser)
    parser.add_argument("--out", metavar="FILE.parquet", type=Path, required=True, help="the file to write")
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    wanted = table(args)
    dataset = _with_pyarrow()
    check_place(args.out)
    compile_first(wanted.game.key, words)
    plan = Plan.of(wanted.game, wanted.seats, wanted.bots, wanted.options, args.seed)
    with place(args) as where, progress(args.games) as bar:
        for games in dataset.write_dataset(plan, args.games, args.out, where):
            bar.update(games)
    print(words("{count} game is in {file}", "{count} games are in {file}", count=args.games, file=args.out), file=sys.stderr)
    return 0


def _with_pyarrow() -> Any:
    """Only researchers install it."""
    try:
        from tablee.arena import dataset  # noqa: PLC0415
    except ImportError:
        raise TableeError(say("tablee dataset needs pyarrow: pip install 'tablee[research]'")) from None
    return dataset
