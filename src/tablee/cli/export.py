"""`tablee export`: every finished game as a record, a file each."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tablee.cli import server_packages
from tablee.cli.arguments import add_language_argument, make_folder
from tablee.cli.storage_options import add_storage_arguments, storage_options
from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.files import write_text
from tablee.core.i18n import Translator


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new or empty folder for the records")
    parser.add_argument("--unfinished", action="store_true", help="also games that go on, as a spectator may know them")
    add_storage_arguments(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    server_packages.require()
    from tablee.server.storage.backup import export_records, temporary_backup  # noqa: PLC0415  the other commands start without the server
    from tablee.server.storage.migrations import require_current  # noqa: PLC0415
    from tablee.server.storage.store import Store  # noqa: PLC0415

    storage = storage_options(args)
    with closing(Store.at(storage.database, prepare=require_current)) if storage.database else temporary_backup(storage.folder) as store:
        make_folder(args.out, "--out")
        written = [_write(args.out, name, record_or_error, translator) for name, record_or_error in export_records(store, args.unfinished)]
    print(translator("{folder}: {count} record", "{folder}: {count} records", folder=str(args.out), count=sum(written)))
    return 0 if all(written) else 1


def _write(folder: Path, name: str, record_or_error: dict[str, Any] | TableeError, translator: Translator) -> bool:
    """Write a record, or print its error, and return whether it was written."""
    if isinstance(record_or_error, TableeError):
        print(f"tablee: {name}: {record_or_error.translate(translator)}", file=sys.stderr)
        return False
    write_text(folder / f"{name}.json", record.dump(record_or_error))
    return True
