"""`tablee export`: every finished game as a record, a file each."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tablee.cli.arguments import ask_language, make_folder
from tablee.cli.storage_options import ask_where_kept, where_kept
from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.files import write_text
from tablee.core.i18n import Words

HELP = "write every finished game as a record, also while a server is running"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new or empty folder for the records")
    parser.add_argument("--unfinished", action="store_true", help="also games that go on, as a spectator may know them")
    ask_where_kept(parser)
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    from tablee.server.storage.backup import copied  # noqa: PLC0415  the other commands start without the server
    from tablee.server.storage.migrations import as_it_is  # noqa: PLC0415
    from tablee.server.storage.store import Store  # noqa: PLC0415
    from tablee.server.table.export import records  # noqa: PLC0415

    kept = where_kept(args)
    with closing(Store.at(kept.database, prepare=as_it_is)) if kept.database else copied(kept.folder) as store:
        make_folder(args.out, "--out")
        found = [_write(args.out, name, kept, words) for name, kept in records(store, args.unfinished)]
    print(words("{folder}: {count} record", "{folder}: {count} records", folder=str(args.out), count=sum(found)))
    return 0 if all(found) else 1


def _write(folder: Path, name: str, kept: dict[str, Any] | TableeError, words: Words) -> bool:
    """Whether it could be written; what cannot is told and holds up nothing else."""
    if isinstance(kept, TableeError):
        print(f"tablee: {name}: {kept.tell(words)}", file=sys.stderr)
        return False
    write_text(folder / f"{name}.json", record.dump(kept))
    return True
