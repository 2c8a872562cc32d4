"""`tablee site`: a static web site that is the whole table, played in the browser without a server."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee.cli import server_packages
from tablee.core.i18n import Translator

PYODIDE = Path("node_modules/pyodide")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where the site is written: a new folder, or an older site")
    parser.add_argument(
        "--pyodide", metavar="FOLDER", type=Path, default=PYODIDE, help="the npm package pyodide (default: %(default)s, as by `npm ci`)"
    )


def run(args: argparse.Namespace, translator: Translator) -> int:
    server_packages.require()
    from tablee.site.build import build  # noqa: PLC0415  it renders the rules with the server's packages

    size = build(args.folder, args.pyodide)
    print(translator("{folder} holds the site ({size} MB): copy it to any web server", folder=str(args.folder), size=round(size / 1e6, 1)))
    return 0
