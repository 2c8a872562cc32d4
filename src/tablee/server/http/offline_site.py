"""The site that `tablee site` has built, at /offline: the table without this server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from tablee.server.http.middleware.headers import NO_CACHE

PATH = "/offline"
SITE_LIST = "files.js"  # which every built site has
WORKER = "worker.js"
WORKER_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"  # Python is WebAssembly; only the worker runs it
PAGE_POLICY = "frame-ancestors 'none'"  # the rest stands in the pages, which any static host may serve


class OfflineSite(StaticFiles):
    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)

    def file_response(self, full_path: Any, *args: Any, **named: Any) -> Response:
        response = super().file_response(full_path, *args, **named)
        policy = WORKER_POLICY if Path(full_path).name == WORKER else PAGE_POLICY
        response.headers["content-security-policy"], response.headers["cache-control"] = policy, NO_CACHE.decode()
        return response


def is_site(folder: Path) -> bool:
    return (folder / SITE_LIST).is_file()
