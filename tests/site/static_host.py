"""A static host, which knows nothing but files, with the built site in a folder of it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class _Files(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


class StaticHost:
    def __init__(self, root: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(root)))
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
