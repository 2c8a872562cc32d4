"""`tablee serve --develop`: serve to an author, and start the server anew whenever one of their files changes.

The rules run as plain Python, tables continue from their logs, and open pages reload themselves, because the new server has another
build. Connections wait in the socket meanwhile, which this process keeps.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tablee import games
from tablee.core.i18n import Translator
from tablee.server.process import ServerConfig, announce, configure_logging, listen, server_urls, signals_recorded

WATCHED = (".py", ".toml", ".md", ".po", ".html", ".svg", ".css", ".js", ".json")
INTERVAL = 0.3  # seconds between two looks at the files
ENVIRONMENT = {"TABLEE_PLAIN": "1", games.LISTED: "1"}  # rules as plain Python; the examples are there to look at


def run(config: ServerConfig, args: Sequence[str]) -> None:
    """Serve until a signal arrives; `args` are the arguments of this command, which the server is started with."""
    configure_logging(config.log_level, config.log_format)
    with signals_recorded() as signals, listen(config.host, config.port) as listening:
        command = [sys.executable, "-m", "tablee", *args, "--number", "0", "--socket", str(listening.fileno())]
        seen, process = modified(), _start(command, listening.fileno())
        announce(*server_urls(config.host, listening), config.open_browser, Translator(config.language))
        try:
            while not signals:
                time.sleep(INTERVAL)
                if (now := modified()) != seen:
                    print(*sorted(_changed(seen, now)), "changed", file=sys.stderr)  # noqa: T201  the author's terminal
                    process.kill()  # whatever dies, what was acknowledged is on disk
                    process.wait()
                    seen, process = now, _start(command, listening.fileno())
        finally:
            process.terminate()
            process.wait()


def _start(command: Sequence[str], socket: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=(socket,), env=os.environ | ENVIRONMENT)  # noqa: S603


def modified() -> Mapping[Path, int]:
    """Return the time of change of each file that games and pages are made from."""
    folders = [Path(str(games.__file__)).parent.parent, *(Path(games.folder(key)) for key in games.known())]
    files = {file for folder in folders for file in folder.rglob("*") if file.suffix in WATCHED}
    return {file: file.stat().st_mtime_ns for file in files if file.exists()}


def _changed(before: Mapping[Path, int], after: Mapping[Path, int]) -> set[str]:
    return {file.name for file in before.keys() | after.keys() if before.get(file) != after.get(file)}
