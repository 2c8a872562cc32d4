"""Files that browsers keep: art, one SVG file per box whose address changes with its content; style sheets; the offline site."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from starlette.staticfiles import StaticFiles

from tablee import games
from tablee.core.errors import ComponentsError
from tablee.core.i18n import msg
from tablee.server.http.middleware.headers import IMMUTABLE, NO_CACHE
from tablee.server.http.pages import GameDep
from tablee.server.http.refusals import NoSuchArt
from tablee.server.http.requests import registry_of
from tablee.server.registry import TableRegistry
from tablee.server.view.assets import joined, sheets, stamp_of

OFFLINE_PATH = "/offline"  # of the site that `tablee site` has built: the table without this server
SITE_LIST = "files.js"  # which every built site has
WORKERS = ("worker.js", "thinker.js")
WORKER_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"  # Python is WebAssembly; only workers run it
PAGE_POLICY = "frame-ancestors 'none'"  # the rest stands in the pages, which any static host may serve

router = APIRouter(include_in_schema=False)


@router.get("/art/{key}/{box}/{stamp}.svg")
def art(request: Request, game: GameDep, box: str, stamp: str) -> Response:
    """Return the drawings of a box that never change, for browsers to keep."""
    svg = _art_of(registry_of(request), game.key, box)
    if svg is None or stamp_of(svg) != stamp:
        raise NoSuchArt(msg("these drawings belong to another version of the game: load the page again"))
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": IMMUTABLE.decode()})


def _art_of(registry: TableRegistry, key: str, box: str) -> str | None:
    with suppress(ComponentsError):  # the box of another game
        game = registry.game_with_box(key, box)
        return game.art() if game and game.art else None
    return None


@router.get("/static/{key}/joined/{name}.css")
def style_sheet(key: str, name: str) -> Response:
    if key not in ("platform", *games.known()) or name not in sheets(key):
        raise HTTPException(404)
    return Response(joined(key, name), media_type="text/css")


class OfflineSite(StaticFiles):
    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)

    def file_response(self, full_path: Any, *args: Any, **named: Any) -> Response:
        response = super().file_response(full_path, *args, **named)
        policy = WORKER_POLICY if Path(full_path).name in WORKERS else PAGE_POLICY
        response.headers["content-security-policy"], response.headers["cache-control"] = policy, NO_CACHE.decode()
        return response


def is_site(folder: Path) -> bool:
    return (folder / SITE_LIST).is_file()
