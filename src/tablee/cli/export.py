"""`tablee export`: every finished game as a record, a file each."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tablee.cli.arguments import add_language_argument, make_folder
from tablee.cli.storage_options import add_storage_arguments, storage_options
from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.files import write_text
from tablee.core.i18n import Translator

HELP = "write every finished game as a record, also while a server is running"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new or empty folder for the records")
    parser.add_argument("--unfinished", action="store_true", help="also games that go on, as a spectator may know them")
    add_storage_arguments(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, words: Translator) -> int:
    from tablee.server.storage.backup import temporary_backup  # noqa: PLC0415  the other commands start without the server
    from tablee.server.storage.migrations import require_current  # noqa: PLC0415
    from tablee.server.storage.store import Store  # noqa: PLC0415
    from tablee.server.table.export import export_records  # noqa: PLC0415

    kept = storage_options(args)
    with closing(Store.at(kept.database, prepare=require_current)) if kept.database else temporary_backup(kept.folder) as store:
        make_folder(args.out, "--out")
        found = [_write(args.out, name, kept, words) for name, kept in export_records(store, args.unfinished)]
    print(words("{folder}: {count} record", "{folder}: {count} records", folder=str(args.out), count=sum(found)))
    return 0 if all(found) else 1


def _write(folder: Path, name: str, record_or_error: dict[str, Any] | TableeError, words: Translator) -> bool:
    """Whether it could be written; what cannot is told and holds up nothing else."""
    if isinstance(record_or_error, TableeError):
        print(f"tablee: {name}: {record_or_error.translate(words)}", file=sys.stderr)
        return False
    write_text(folder / f"{name}.json", record.dump(record_or_error))
    return True
