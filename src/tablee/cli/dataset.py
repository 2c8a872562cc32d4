"""`tablee dataset`: decisions of bots in many games, as one Parquet file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tablee.arena import Plan
from tablee.cli.arguments import add_language_argument, add_table_arguments, bounded_int, check_writable, table_arguments
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.cli.figures import progress
from tablee.cli.warm import compile_first
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table_arguments(parser)
    parser.add_argument("--games", metavar="N", type=bounded_int(1, 10_000_000), default=1000, help="how many (default: 1000)")
    parser.add_argument(
        "--seed", metavar="S", type=bounded_int(0, 10**18), default=1, help="the same seed gives the same games (default: 1)"
    )
    add_executor_arguments(parser)
    parser.add_argument("--out", metavar="FILE.parquet", type=Path, required=True, help="the file to write")
    parser.add_argument("--observations", action="store_true", help="add what the environments show, and the actions")
    parser.add_argument("--card", action="store_true", help="write a card and Croissant metadata beside the file")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    wanted = table_arguments(args)
    dataset = _with_pyarrow()
    check_writable(args.out)
    compile_first(wanted.game.key, translator)
    plan = Plan.of(wanted.game, wanted.seats, wanted.bots, wanted.options, args.seed)
    with open_executor(args) as executor, progress(args.games) as bar:
        for games in dataset.write_dataset(plan, args.games, args.out, executor, _environment_columns(plan) if args.observations else None):
            bar.update(games)
    if args.card:
        from tablee.research.dataset_card import write_card  # noqa: PLC0415  needs pyarrow

        write_card(args.out)
    print(translator("{count} game is in {file}", "{count} games are in {file}", count=args.games, file=args.out), file=sys.stderr)
    return 0


def _with_pyarrow() -> Any:
    """Return the module that writes datasets; it needs pyarrow, which only researchers install."""
    try:
        from tablee.arena import dataset  # noqa: PLC0415
    except ImportError:
        raise TableeError(msg("tablee dataset needs pyarrow: pip install 'tablee[research]'")) from None
    return dataset


def _environment_columns(plan: Plan) -> Any:
    from tablee.research.dataset_columns import EnvironmentColumns  # noqa: PLC0415  needs pyarrow

    return EnvironmentColumns(plan)
