"""`tablee backup`: a copy of all games in one file, made while people play."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee.cli.arguments import ask_language
from tablee.cli.storage_options import ask_where_kept, where_kept
from tablee.core.errors import TableeError
from tablee.core.i18n import Words, say

HELP = "copy all games into one file, also while a server is running"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy; as tablee.db in a folder of its own it is a data folder")
    ask_where_kept(parser)
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    from tablee.server.storage.backup import copy_all  # noqa: PLC0415  the other commands start without the server

    kept = where_kept(args)
    if kept.database:
        raise TableeError(say("a PostgreSQL database is saved with pg_dump; tablee backup copies a data folder"))
    count = copy_all(kept.folder, args.file)
    print(words("{file}: a whole copy, {count} table", "{file}: a whole copy, {count} tables", file=str(args.file), count=count))
    return 0
