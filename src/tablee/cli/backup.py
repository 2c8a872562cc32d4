"""`tablee backup`: a copy of all games in one file, made while people play."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee.cli import server_packages
from tablee.cli.arguments import add_language_argument
from tablee.cli.storage_options import add_storage_arguments, storage_options
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy; as tablee.db in a folder of its own it is a data folder")
    add_storage_arguments(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    server_packages.require()
    from tablee.server.storage.backup import write_backup  # noqa: PLC0415  the other commands start without the server

    storage = storage_options(args)
    if storage.database:
        raise TableeError(msg("a PostgreSQL database is saved with pg_dump; tablee backup copies a data folder"))
    count = write_backup(storage.folder, args.file)
    print(translator("{file}: a whole copy, {count} table", "{file}: a whole copy, {count} tables", file=str(args.file), count=count))
    return 0
