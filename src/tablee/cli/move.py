"""`tablee move`: all games of a data folder go into a database, or back."""

from __future__ import annotations

import argparse

from tablee.cli.arguments import ask_language
from tablee.cli.storage_options import ask_where_kept, data_folder, named_database
from tablee.core.errors import TableeError
from tablee.core.i18n import Words, say

HELP = "copy all games from a data folder into an empty PostgreSQL, or back; every link goes on working"


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_where_kept(parser)
    parser.add_argument("--back", action="store_true", help="from the database into a new or empty data folder")
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    from tablee.server.storage.transfer import move_in, move_out  # noqa: PLC0415  the other commands start without the server

    folder, database = args.data or data_folder(), named_database(args)
    if not database:
        raise TableeError(say("name the database with --database"))
    count = move_out(database, folder) if args.back else move_in(folder, database)
    where = str(folder) if args.back else words("the database")
    print(
        words(
            "{count} table is in {where} now; what it was copied from is unchanged and should not be served any more",
            "{count} tables are in {where} now; what they were copied from is unchanged and should not be served any more",
            count=count,
            where=where,
        )
    )
    return 0
