"""What a page carries once for all the maps on it, and how a turned tile's segments are named."""

from __future__ import annotations

from collections.abc import Iterable
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
    """The inside of the <defs> of one <svg class="chart">; other <svg class="chart"> on the page may use it too."""
    return f"{meadow()}{sea_defs()}{stamps()}{figure_defs()}{''.join(face_symbols(face) for face in faces)}"


@cache
def keys_as_it_lies(face: Face, turns: int) -> dict[str, str]:
    """For each segment of a turned tile its key as the tile lies, as in the notation, and its key on the face as drawn."""
    keys = {f"town {town.edges[0]}": _first("town", EDGES, town.edges, turns) for town in face.towns}
    keys |= {f"road {road.edges[0]}": _first("road", EDGES, road.edges, turns) for road in face.roads}
    keys |= {f"plain {plain.halves[0]}": _first("plain", HALVES, plain.halves, 2 * turns) for plain in face.plains}
    keys |= {"farm": "farm"} if face.farm else {}
    return {lying: drawn for drawn, lying in keys.items()}


def _first(kind: str, rim: str | tuple[str, ...], places: str | tuple[str, ...], steps: int) -> str:
    return f"{kind} {rim[min((rim.index(place) + steps) % len(rim) for place in places)]}"


@cache
def edge_as_it_lies(face: Face, turns: int, edge: str) -> tuple[str, str]:
    """What an edge of a turned tile shows, "P", "T" or "R", and by which edge the town or road there is named; none for a plain."""
    drawn = EDGES[(EDGES.index(edge) - turns) % 4]
    segments = [town.edges for town in face.towns] + [road.edges for road in face.roads]
    joined = next((edges for edges in segments if drawn in edges), "")
    return face.edges[EDGES.index(drawn)], _first("", EDGES, joined, turns).strip() if joined else ""


def stands_as_it_lies(face: Face, turns: int) -> dict[str, Point]:
    """Where a settler stands on each segment of a turned tile, by its key as the tile lies."""
    return {lying: turned([anchors(face)[drawn]], turns)[0] for lying, drawn in keys_as_it_lies(face, turns).items()}
