"""Route of the games' art: one SVG file per box, whose address changes with its content."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import Response

from tablee.core.errors import ComponentsError, TableeError
from tablee.core.i18n import msg
from tablee.server.http.api import registry_of
from tablee.server.http.middleware.headers import IMMUTABLE
from tablee.server.http.pages import GameDep
from tablee.server.registry import TableRegistry
from tablee.server.view.art import stamp_of

router = APIRouter(include_in_schema=False)


class NoSuchArt(TableeError):
    """Unknown stamp or box, as in a page that is older than the server."""


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
