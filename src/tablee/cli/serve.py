"""`tablee serve`: the web server, for tables in the browser."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from tablee.cli import server_packages
from tablee.cli.arguments import add_components_argument, bounded_int, read_boxes
from tablee.cli.storage_options import add_storage_arguments, storage_options
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg

if TYPE_CHECKING:
    from tablee.server.table.config import TableConfig

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")
THIS_COMPUTER = "127.0.0.1"
ALL_INTERFACES = "0.0.0.0"  # noqa: S104  phones at the table come in from the same network


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", metavar="H", help="address to listen on; 127.0.0.1 keeps it to this computer")
    parser.add_argument("--port", metavar="P", type=bounded_int(0, 65535), default=8000, help="port (default: 8000); 0 takes any free one")
    add_storage_arguments(parser)
    parser.add_argument("--reports", metavar="DIR", type=Path, help="where reports about faults are kept (default: reports, in --data)")
    parser.add_argument(
        "--processes", metavar="N", type=bounded_int(1, 256), default=1, help="how many serve at this port, over one database (default: 1)"
    )
    parser.add_argument("--number", type=bounded_int(0, 255), help=argparse.SUPPRESS)  # of this process, among several
    parser.add_argument("--socket", type=bounded_int(0, 2**31), help=argparse.SUPPRESS)  # the file descriptor that they share
    parser.add_argument("--site", metavar="FOLDER", type=Path, help="what `tablee site` built, served at /offline (default: DIR/site)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.add_argument("--develop", action="store_true", help="for authors: saved files count at once, and errors name them")
    add_components_argument(parser)
    _add_limit_arguments(parser)


def _add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for limits, metrics, logging and retention; the defaults suit a home, a club and a school."""
    parser.add_argument(
        "--public-name", metavar="NAME", action="append", default=[], help="a name under which others open it; may be given several times"
    )
    parser.add_argument("--proxy", metavar="ADDRESS", default="", help="the address of a reverse proxy that says who asks")
    parser.add_argument("--connections", metavar="N", type=bounded_int(16, 100_000), default=4000, help="how many in all (default: 4000)")
    parser.add_argument(
        "--screens-per-address", metavar="N", type=bounded_int(1, 100_000), default=400, help="open at once from one address (default: 400)"
    )
    parser.add_argument(
        "--tables-per-minute", metavar="N", type=bounded_int(1, 100_000), default=120, help="new ones from one address (default: 120)"
    )
    parser.add_argument("--metrics", action="store_true", help="show figures of the server at /metrics, for Prometheus")
    parser.add_argument("--log-level", choices=LOG_LEVELS, default="warning", help="how much is written to stderr (default: warning)")
    parser.add_argument("--log-format", choices=LOG_FORMATS, default="text", help="for people, or JSON for programs (default: text)")
    parser.add_argument(
        "--retention",
        metavar="DAYS",
        type=bounded_int(1, 36_500),
        default=0,
        help="remove finished games that nobody has opened for so long (default: never)",
    )


def run(args: argparse.Namespace, translator: Translator, tables: TableConfig | None = None) -> int:
    server_packages.require()
    boxes, storage = read_boxes(args), storage_options(args)
    if args.processes > 1 and not storage.database:
        raise TableeError(msg("several processes need a database that they share; name it with --database"))
    from tablee.server.develop import run as develop  # noqa: PLC0415
    from tablee.server.http.middleware.limits import Limits  # noqa: PLC0415  the other commands start without the server
    from tablee.server.process import PortTaken, ServerConfig, find_running_server  # noqa: PLC0415
    from tablee.server.process import run as serve  # noqa: PLC0415
    from tablee.server.supervisor import run as serve_together  # noqa: PLC0415
    from tablee.server.table.config import DEFAULT_CONFIG  # noqa: PLC0415

    config = ServerConfig(
        args.host or (THIS_COMPUTER if args.develop else ALL_INTERFACES),
        args.port,
        storage.folder,
        storage.database,
        args.reports or storage.folder / "reports",
        args.number,
        args.socket,
        not args.no_open and args.number is None,
        boxes,
        Limits(tuple(args.public_name), args.connections, args.screens_per_address, args.tables_per_minute),
        trusted_proxy=args.proxy,
        metrics_enabled=args.metrics,
        log_level=args.log_level,
        log_format=args.log_format,
        retention=args.retention,
        language=translator.language,
        site=_site(args.site, storage.folder),
        tables=tables or DEFAULT_CONFIG,
        develop=args.develop,
    )
    try:
        if args.develop and args.number is None:
            develop(config, sys.argv[1:])
        elif args.processes > 1 and args.number is None:
            if status := serve_together(args.processes, config, sys.argv[1:] or ["serve"]):  # each process runs this command again
                return status
        else:
            serve(config)
    except PortTaken:
        address = find_running_server(config.host, args.port)
        if address is None:
            raise
        return _already_running(address, config.open_browser, translator)
    if args.number is None:
        print(translator("Tablée has stopped. See you at the table!"))
    return 0


def _site(named: Path | None, data: Path) -> Path | None:
    """Return the folder of the site that plays without the server, if there is one; a named one must be there."""
    from tablee.server.http.static_files import is_site  # noqa: PLC0415  likewise

    if named and not is_site(named):
        raise TableeError(msg("{folder} holds no site: build one with `tablee site`", folder=str(named)))
    return named or (data / "site" if is_site(data / "site") else None)


def _already_running(address: str, open_browser: bool, translator: Translator) -> int:
    """Open the running server in the browser; with --no-open, which asks for a new server, fail instead."""
    if not open_browser:
        raise TableeError(msg("Tablée is already running at {address}; --port and --data start another one", address=address))
    print(translator("Tablée is already running: {address}", address=address))
    webbrowser.open(address)
    return 0
