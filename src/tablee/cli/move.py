"""`tablee move`: copy all games of a data folder into a database, or back."""

from __future__ import annotations

import argparse

from tablee.cli import server_packages
from tablee.cli.arguments import add_language_argument
from tablee.cli.storage_options import add_storage_arguments, data_folder, database_url
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg


def arguments(parser: argparse.ArgumentParser) -> None:
    add_storage_arguments(parser)
    parser.add_argument("--back", action="store_true", help="from the database into a new or empty data folder")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    server_packages.require()
    from tablee.server.storage.backup import folder_to_server, server_to_folder  # noqa: PLC0415  the other commands start without the server

    folder, database = args.data or data_folder(), database_url(args)
    if not database:
        raise TableeError(msg("name the database with --database"))
    count = server_to_folder(database, folder) if args.back else folder_to_server(folder, database)
    where = str(folder) if args.back else translator("the database")
    print(
        translator(
            "{count} table is in {where} now; what it was copied from is unchanged and should not be served any more",
            "{count} tables are in {where} now; what they were copied from is unchanged and should not be served any more",
            count=count,
            where=where,
        )
    )
    return 0
