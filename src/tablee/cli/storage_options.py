"""Options for the storage of games: `--data`, a folder of this machine, or `--database`, a PostgreSQL.

The environment may name the database too; the command line overrides it.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tablee.core.errors import TableeError
from tablee.core.i18n import msg

ENVIRONMENT_VARIABLE = "TABLEE_DATABASE"
EXAMPLE = "postgresql://NAME:PASSWORD@HOST/DATABASE"
SCHEMES = ("postgresql://", "postgres://")


@dataclass(frozen=True)
class StorageOptions:
    folder: Path
    database: str  # URL of a database server that stores the games instead of the folder; empty: none


def add_storage_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", type=Path, help=f"where the games are kept (default: {data_folder()})")
    parser.add_argument(
        "--database",
        metavar="URL",
        help=f"keep the games in PostgreSQL instead, {EXAMPLE}; also read from {ENVIRONMENT_VARIABLE}",
    )


def storage_options(args: argparse.Namespace) -> StorageOptions:
    """Return the folder or the database; both together are an error."""
    if args.data and args.database:
        raise TableeError(msg("the games are kept in a folder or in a database: --data or --database, not both"))
    return StorageOptions(args.data or data_folder(), "" if args.data else database_url(args))


def database_url(args: argparse.Namespace) -> str:
    """Return the URL from the command line, else from the environment, else an empty one.

    The error for a wrong URL does not repeat it, because it may hold a password.
    """
    address: str = args.database or os.environ.get(ENVIRONMENT_VARIABLE, "")
    if address and not address.startswith(SCHEMES):
        raise TableeError(msg("a database is named by the address of a PostgreSQL: {example}", example=EXAMPLE))
    return address


def data_folder() -> Path:
    """Return Tablée's folder in the platform's directory for application data, for instance `~/.local/share/tablee`."""
    if named := os.environ.get("XDG_DATA_HOME"):
        return Path(named) / "tablee"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/tablee"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "tablee"
    return Path.home() / ".local/share/tablee"
