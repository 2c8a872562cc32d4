"""`tablee serve`: the table in the browser."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tablee.cli.arguments import ask_boxes, read_boxes, whole
from tablee.core.words import Words

HELP = "open the table in the browser, for this screen and for phones on the same network"
EVERY_NETWORK = "0.0.0.0"  # noqa: S104  phones at the table come in from the same network


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", metavar="H", default=EVERY_NETWORK, help="address to listen on; 127.0.0.1 keeps it to this computer")
    parser.add_argument("--port", metavar="P", type=whole(0, 65535), default=8000, help="port (default: 8000); 0 takes any free one")
    parser.add_argument("--data", metavar="DIR", type=Path, default=data_folder(), help="where the games are kept (default: %(default)s)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    ask_boxes(parser)


def data_folder() -> Path:
    """Where this system keeps a program's data."""
    if named := os.environ.get("XDG_DATA_HOME"):
        return Path(named) / "tablee"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/tablee"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "tablee"
    return Path.home() / ".local/share/tablee"


def run(args: argparse.Namespace, words: Words) -> int:
    boxes = read_boxes(args)
    from tablee.server import serve  # noqa: PLC0415  the other commands start without the server

    serve(args.host, args.port, args.data, not args.no_open, boxes)
    return 0
