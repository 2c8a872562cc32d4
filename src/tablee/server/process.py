"""Server process: it listens, announces its URL, opens the browser, and compiles the rules in the background."""

from __future__ import annotations

import errno
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import segno
import uvicorn
from fastapi import FastAPI

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg
from tablee.server.app import TITLE, make_app, prewarm_pages
from tablee.server.http.connection_limit import BACKLOG, MAX_ACCEPTED_AT_ONCE, ConnectionLimit, raise_file_limit
from tablee.server.http.middleware.body_limit import MAX_BODY_BYTES
from tablee.server.http.middleware.limits import Limits
from tablee.server.ops import error_reports
from tablee.server.ops.warmup import Warmup
from tablee.server.registry import TableRegistry
from tablee.server.storage.locks import lock_folder
from tablee.server.storage.store import Store, open_when_up
from tablee.server.table.config import DEFAULT_CONFIG, TableConfig

MAX_HEADER_BYTES = 64 * 1024
WILDCARD_HOSTS = ("0.0.0.0", "::", "")  # noqa: S104
GC_THRESHOLDS = (10_000, 20, 100)  # a full garbage collection stops everything for half a second with a thousand clients: a rare one
# Seconds for which the event loop may hold up a thread that commits a move, and a thread that opens a table the loop. Python's default is
# 25 times that.
SWITCH_INTERVAL = 0.0002
PROBE_TIMEOUT = 20.0  # seconds within which the program at a taken port must answer


@dataclass(frozen=True)
class ServerConfig:
    """Configuration of the server, from its command line."""

    host: str
    port: int
    data: Path  # the folder of the games
    database: str  # URL of a database server instead of the folder; empty: none
    reports: Path  # the folder of reports
    process_number: int | None = None  # among several processes: see `supervisor.py`
    socket_fd: int | None = None  # the listening socket that they share, inherited
    open_browser: bool = False
    boxes: Mapping[str, Path] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    trusted_proxy: str = ""  # address of the proxy whose forwarded headers are trusted
    metrics_enabled: bool = False
    log_level: str = "warning"
    log_format: str = "text"
    retention: int = 0  # days
    language: str = "en"  # of the terminal
    site: Path | None = None  # the folder of a site that plays without this server
    tables: TableConfig = DEFAULT_CONFIG
    develop: bool = False  # for an author: errors in words, and the state of tables


def run(config: ServerConfig) -> None:
    for key, box in config.boxes.items():
        games.find(key, box)  # report a broken box before listening
    configure_logging(config.log_level, config.log_format)
    if config.process_number is not None:
        threading.Thread(target=exit_with_parent, daemon=True).start()
    with (
        signals_recorded() as signals,
        listen(config.host, config.port) if config.socket_fd is None else socket.socket(fileno=config.socket_fd) as listening,
        nullcontext() if config.database else lock_folder(config.data),
        closing(open_registry(config, signals)) as registry,
        closing(Warmup(games.known(), lambda: prewarm_pages(registry), compiles=not config.process_number)) as warmup,
    ):
        error_reports.set_folder(config.reports)
        error_reports.set_explaining(config.develop)
        url, lan_url = server_urls(config.host, listening)
        app = make_app(
            registry,
            lan_url,
            limits=with_own_names(config.limits, config.host),
            metrics_enabled=config.metrics_enabled,
            retention=config.retention,
            site=config.site,
            develop=config.develop,
        )
        warmup.load()
        tune_interpreter()
        announce(url, lan_url, config.open_browser, Translator(config.language))
        warmup.start()
        limits = replace(config.limits, connections=raise_file_limit(config.limits.connections))
        uvicorn_settings = uvicorn_config(app, limits, config.trusted_proxy)
        server = Server(uvicorn_settings, signals, registry.store.database.cancel_waits)
        server.run(sockets=[listening])


def tune_interpreter() -> None:
    """Exempt all present objects from garbage collection, collect the others less often, and let threads take turns quickly."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL)


def open_registry(config: ServerConfig, signals: Sequence[int]) -> TableRegistry:
    """Open the registry over its store; exit if a signal arrives while waiting for the database."""
    store = open_when_up(config.database, lambda: bool(signals)) if config.database else Store.in_folder(config.data)
    if store is None:
        sys.exit()
    pace, away_after = _env_seconds("TABLEE_BOT_PACE", DEFAULT_CONFIG.bot_pace), _env_seconds("TABLEE_ABSENCE", DEFAULT_CONFIG.away_after)
    return TableRegistry(store, dict(config.boxes), replace(config.tables, bot_pace=pace, away_after=away_after))


def uvicorn_config(app: FastAPI, limits: Limits, proxy: str) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        loop="asyncio",  # reads once per connection and iteration; uvloop up to 32 times
        http="h11",  # queues pipelined requests as bytes; httptools parses all of them at once
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        log_level="error",  # below that uvicorn logs URLs of tables, and a line for every invalid request
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,  # a large message is compressed once for all receivers
        ws_max_size=MAX_BODY_BYTES,
        backlog=MAX_ACCEPTED_AT_ONCE,  # asyncio accepts so many at once; `Server.startup` sets the kernel's backlog
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    return ConnectionLimit(limits).apply(config)


def with_own_names(limits: Limits, host: str) -> Limits:
    """Return the limits with this machine's own names among the allowed ones."""
    names = (*limits.public_names, host, socket.gethostname())
    return replace(limits, public_names=tuple(name.lower().rstrip(".") for name in names))


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")


class JsonFormatter(logging.Formatter):
    """Formatter of one JSON object per line: `time` (UTC), `level`, `logger`, `message`."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return json.dumps({"time": time, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()})


FORMATTERS: Mapping[str, Callable[[], logging.Formatter]] = {"text": TextFormatter, "json": JsonFormatter}


def configure_logging(level: str, log_format: str = "text") -> None:
    """Log Tablée's own messages to stderr; none of them may hold a name, a token or the URL of a table."""
    logger, handler = logging.getLogger("tablee"), logging.StreamHandler()
    handler.setFormatter(FORMATTERS[log_format]())
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(level.upper())


@contextmanager
def signals_recorded() -> Iterator[list[int]]:
    """Record SIGTERM and SIGINT instead of raising, which would leave the current work half done."""
    received: list[int] = []
    before = {number: signal.signal(number, lambda number, _: received.append(number)) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Server(uvicorn.Server):
    """Uvicorn server that also obeys signals from before it served.

    After the last connection it cancels waits for the database: a waiting thread would keep the process alive.
    """

    def __init__(self, config: uvicorn.Config, signals: Sequence[int], cancel_waits: Callable[[], None]) -> None:
        super().__init__(config)
        self._signals, self._cancel_waits = signals, cancel_waits

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)
        self.should_exit = self.should_exit or bool(self._signals)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        self._cancel_waits()


def _env_seconds(name: str, default: float) -> float:
    """Return the seconds that an environment variable sets, for tests.

    TABLEE_BOT_PACE: how long a bot waits before its turn; TABLEE_ABSENCE: how long the others wait for an absent player.
    """
    text = os.environ.get(name, "")
    return float(text) if text.replace(".", "", 1).isdecimal() else default


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise PortTaken if another program listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY only where the protocol is given
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise PortTaken(host, port) from error
        reason = getattr(error, "strerror", None) or str(error)
        raise TableeError(msg("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason)) from error
    return listening


class PortTaken(TableeError):
    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            msg("cannot listen on {host}:{port}: another program has this port; choose another one with --port", host=host, port=port)
        )


def find_running_server(host: str, port: int) -> str | None:
    """Return the address of a Tablée server that listens there already, None where something else does."""
    address = url_at(host, port)
    connection = HTTPConnection(address.hostname or "", port, timeout=PROBE_TIMEOUT)
    try:
        connection.request("GET", "/api/openapi.json")
        found = json.load(connection.getresponse())
        return address.geturl() if found["info"]["title"] == TITLE else None
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
    finally:
        connection.close()


def exit_with_parent() -> None:
    """Terminate when the pipe from the parent process breaks: an orphan would serve on beside its successor."""
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


def server_urls(host: str, listening: socket.socket) -> tuple[str, str | None]:
    """Return the URL for this machine, and the one for others on the same network if the server listens to them."""
    address, lan_address = url_at(host, listening.getsockname()[1]).geturl(), lan_ip() if host in WILDCARD_HOSTS else None
    return address, lan_address and address.replace("localhost", lan_address).rstrip("/")


def url_at(host: str, port: int) -> SplitResult:
    return urlsplit(f"http://{'localhost' if host in WILDCARD_HOSTS else f'[{host}]' if ':' in host else host}:{port}/")


def announce(address: str, lan_url: str | None, open_browser: bool, translator: Translator) -> None:
    """Print the address for this machine, for phones on the same network a second one with a QR code, and how to stop the server."""
    print(f"Tablée: {address}", flush=True)  # noqa: T201
    if lan_url:
        print(translator("Phones on the same network: {address}", address=f"{lan_url}/"), flush=True)  # noqa: T201
        if sys.stdout.isatty():
            segno.make(lan_url).terminal(compact=True)
    print(translator("Ctrl-C stops it; every game is kept."), flush=True)  # noqa: T201
    if open_browser:
        webbrowser.open(address)


def lan_ip() -> str | None:
    """Return this machine's address on its network, from the routing table; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") else found
