"""The table in the browser. `serve` answers at once and compiles the rules meanwhile; it prints its address when it listens."""

from __future__ import annotations

from pathlib import Path


def serve(host: str, port: int, data: Path, open_browser: bool, boxes: dict[str, Path]) -> None:
    from tablee.server.process import run  # noqa: PLC0415  other commands need not load the web server

    run(host, port, data, open_browser, boxes)
