"""The shared SVG definitions of a page's maps, and the keys of a turned tile's segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from tablee.games.mayflower.art.faces_svg import face_symbols
from tablee.games.mayflower.art.figures_svg import figure_defs
from tablee.games.mayflower.art.geometry import Point, turned
from tablee.games.mayflower.art.meadow import meadow
from tablee.games.mayflower.art.parcels import anchors
from tablee.games.mayflower.art.sea_svg import sea_defs
from tablee.games.mayflower.art.stamps import stamps
from tablee.games.mayflower.faces import EDGES, HALVES, Face


def chart_defs(faces: Iterable[Face]) -> str:
    """Return the content of <defs> for one <svg class="chart">; every other one on the page may use it too."""
    return f"{meadow()}{sea_defs()}{stamps()}{figure_defs()}{''.join(face_symbols(face) for face in faces)}"


@cache
def keys_as_it_lies(face: Face, turns: int) -> dict[str, str]:
    """Map each segment's key on a turned tile as it lies, as in the notation, to its key on the unturned face."""
    keys = {f"town {town.edges[0]}": _first("town", EDGES, town.edges, turns) for town in face.towns}
    keys |= {f"road {road.edges[0]}": _first("road", EDGES, road.edges, turns) for road in face.roads}
    keys |= {f"plain {plain.halves[0]}": _first("plain", HALVES, plain.halves, 2 * turns) for plain in face.plains}
    keys |= {"farm": "farm"} if face.farm else {}
    return {lying: drawn for drawn, lying in keys.items()}


def _first(kind: str, rim: str | tuple[str, ...], places: str | tuple[str, ...], steps: int) -> str:
    return f"{kind} {rim[min((rim.index(place) + steps) % len(rim) for place in places)]}"


@cache
def edge_as_it_lies(face: Face, turns: int, edge: str) -> tuple[str, str]:
    """Return the sign of a turned tile's edge, "P", "T" or "R", and the edge that names its town or road, "" for a plain."""
    drawn = EDGES[(EDGES.index(edge) - turns) % 4]
    segments = [town.edges for town in face.towns] + [road.edges for road in face.roads]
    joined = next((edges for edges in segments if drawn in edges), "")
    return face.edges[EDGES.index(drawn)], _first("", EDGES, joined, turns).strip() if joined else ""


def stands_as_it_lies(face: Face, turns: int, points: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Return the point where a settler stands on each segment of a turned tile, by its key as the tile lies; `points` are its anchors."""
    on_face = points or anchors(face)
    return {lying: turned([on_face[drawn]], turns)[0] for lying, drawn in keys_as_it_lies(face, turns).items()}
