"""The page of the box: every face with its letter and its count, the coast, the settlers and the explorers."""

from __future__ import annotations

from typing import Any

from tablee.core.html import Html
from tablee.games.mayflower.art.chart import chart_defs
from tablee.games.mayflower.art.coast_svg import coast_svg
from tablee.games.mayflower.art.faces_svg import tile
from tablee.games.mayflower.art.figures_svg import SEATS, explorer, settler
from tablee.games.mayflower.art.sea_svg import EAST
from tablee.games.mayflower.box import Pieces
from tablee.games.mayflower.faces import Coast, Face
from tablee.games.mayflower.scene import ROLE_NAMES

SETTLERS = 6  # M2
EXPLORERS = 2  # M2
SPACES = 50  # of the score track (M22)
APART = 137  # x distance, so that each tile lies on another part of the meadow


def contents(pieces: Pieces) -> dict[str, Any]:
    """Return the page's template variables.

    Every drawing is generated from the box's own letters, so it is safe as Html.
    """
    return {
        "drawings": Html(chart_defs(pieces.faces)),
        "tiles": [_tile(face, APART * number) for number, face in enumerate(pieces.faces)],
        "total": sum(face.count for face in pieces.faces),
        "coast": _coast(pieces.coast),
        "settlers": SETTLERS,
        "seats": SEATS,
        "roles": [{"name": name, "art": Html(settler(role, seat, ""))} for seat, (role, name) in enumerate(ROLE_NAMES.items())],
        "crews": [Html(settler("merchant", seat, str(seat + 1))) for seat in range(SEATS)],
        "explorers": [Html(explorer(number)) for number in range(EXPLORERS)],
        "spaces": SPACES,
    }


def _tile(face: Face, x: int) -> dict[str, Any]:
    """Return a face's template variables; `x` only selects the part of the meadow below the tile."""
    return {"letter": face.letter, "count": face.count, "x": x, "art": Html(tile(face.letter, x=x))}


def _coast(coast: Coast) -> dict[str, Any]:
    return {
        "art": Html(coast_svg(coast)),  # names are escaped where they are drawn
        "names": [space.name for space in coast.spaces if space.name],
        "spaces": len(coast.spaces),
        "width": EAST + 30,
        "height": 100 * len(coast.spaces) + 120,
    }
