"""The segments of a face as areas: the rim, the walls, the roads and the farm's fence cut the tile into parcels.

A key is the segment's kind and its first edge or half-edge clockwise, as in the notation: "road N", "town N", "plain Nl", "farm".
"""

from __future__ import annotations

from functools import cache
from math import dist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:
    from tablee.core.optional_numpy import np

from tablee.games.mayflower.art.geometry import (
    CENTRE,
    CORNERS,
    MIDDLES,
    Line,
    Point,
    along,
    area,
    beside,
    distances,
    grid,
    heading,
    inside,
    path,
    spread,
)
from tablee.games.mayflower.art.layout import ROAD_WIDTH, farm_fence, layout
from tablee.games.mayflower.faces import EDGES, HALVES, Face

VERGE = {"road": ROAD_WIDTH / 2 + 1.5, "wall": 2.0, "rim": 0.0, "farm": 0.0}  # margin of a plain from the line that bounds it
APART = 18.5  # least distance between two anchors
Piece = tuple[str, str, Line]  # kind, half-edge of a rim, line


@cache
def rings(face: Face) -> dict[str, Line]:
    """Return the boundary of every segment, clockwise."""
    parcels = _parcels(face)
    found = {}
    for town in face.towns:
        found[f"town {town.edges[0]}"] = [point for _, _, line in _holding(parcels, f"{town.edges[0]}", EDGES) for point in line[:-1]]
    for road, centreline in zip(face.roads, layout(face).roads, strict=True):
        found[f"road {road.edges[0]}"] = beside(centreline, -ROAD_WIDTH / 2) + beside(centreline, ROAD_WIDTH / 2)[::-1]
    for plain in face.plains:
        found[f"plain {plain.halves[0]}"] = _inner(_holding(parcels, plain.halves[0], HALVES), layout(face).roads)
    if face.farm:
        found["farm"] = farm_fence(face)
    return found


def outline(face: Face) -> dict[str, str]:
    """Return the area of every segment as the `d` of a path (fill-rule evenodd), for showing its extent."""
    found = {key: path(ring, closed=True) for key, ring in rings(face).items()}
    if face.farm and not any(road.stop == "f" for road in face.roads):
        around = next(key for key, ring in rings(face).items() if key.startswith("plain") and inside(spread([CENTRE]), ring)[0])
        found[around] += found["farm"]
    return found


@cache
def anchors(face: Face) -> dict[str, Point]:
    """Return a point for a settler on every segment, well inside it and apart from the others."""
    found: dict[str, Point] = {"farm": CENTRE} if face.farm else {}
    areas = {key: ring for key, ring in rings(face).items() if key.startswith(("town", "plain"))}
    for key, ring in sorted(areas.items(), key=lambda each: area(each[1])):
        found[key] = _roomiest(ring, list(found.values()), [*layout(face).roads, *([farm_fence(face)] if face.farm else [])])
    for road, centreline in zip(face.roads, layout(face).roads, strict=True):
        found[f"road {road.edges[0]}"] = _on_road(centreline, list(found.values()))
    return {key: found[key] for key in rings(face)}


def _roomiest(ring: Line, taken: list[Point], centrelines: list[Line]) -> Point:
    spots = grid(2.0)
    spots = spots[inside(spots, ring)]
    room = distances(spots, ring + ring[:1])
    for centreline in centrelines:
        room = np.minimum(room, distances(spots, centreline) - ROAD_WIDTH / 2)
    for x, y in taken:
        gap = np.hypot(spots[:, 0] - x, spots[:, 1] - y) - APART
        room = np.where(gap < 0, gap - 100, np.minimum(room, 7 + gap))
    room = np.minimum(room, 16) - 0.02 * np.hypot(spots[:, 0] - 50, spots[:, 1] - 50)
    x, y = spots[int(room.argmax())]
    return (float(x), float(y))


def _on_road(centreline: Line, taken: list[Point]) -> Point:
    """Return the point nearest the middle of the road that is clear of the others."""
    shares = sorted((step / 20 for step in range(3, 18)), key=lambda share: abs(share - 0.5))
    spots = [along(centreline, share) for share in shares]
    clear = [spot for spot in spots if all(dist(spot, other) >= APART for other in taken)]
    return (clear or [max(spots, key=lambda spot: min(dist(spot, other) for other in taken))])[0]


def _holding(parcels: list[list[Piece]], place: str, places: str | tuple[str, ...]) -> list[Piece]:
    """Return the parcel that holds an edge or a half-edge."""
    half = place if len(place) == 2 else HALVES[2 * places.index(place)]
    return next(parcel for parcel in parcels if any(name == half for _, name, _ in parcel))


def _inner(parcel: list[Piece], centrelines: tuple[Line, ...]) -> Line:
    """Return a plain's boundary, inset from the roads and walls."""
    points = [point for kind, _, line in parcel for point in beside(line, VERGE[kind])]
    near = (
        np.min([distances(spread(points), centreline) for centreline in centrelines], axis=0)
        if centrelines
        else np.full(len(points), 100.0)
    )
    clear = [point for point, away in zip(points, near, strict=True) if away > VERGE["road"] - 0.4]
    return [(min(max(x, 0.0), 100.0), min(max(y, 0.0), 100.0)) for x, y in clear]


def _parcels(face: Face) -> list[list[Piece]]:
    """Return the faces of the planar graph of all pieces, traced along both directions of each by the sharpest right turn."""
    pieces = [*_pieces(face)]
    arcs = [*pieces, *((kind, "", line[::-1]) for kind, _, line in pieces)]
    outgoing: dict[Point, list[Piece]] = {}
    for arc in arcs:
        outgoing.setdefault(_spot(arc[2][0]), []).append(arc)
    visited: set[int] = set()
    cycles = [_trace_cycle(arc, outgoing, visited) for arc in arcs]
    return [pieces for pieces in cycles if area([point for _, _, line in pieces for point in line[:-1]]) > 0]


def _trace_cycle(arc: Piece, outgoing: dict[Point, list[Piece]], visited: set[int]) -> list[Piece]:
    """Return the cycle of arcs from one back to it; empty if that one was visited before."""
    pieces = []
    while id(arc) not in visited:
        visited.add(id(arc))
        pieces.append(arc)
        arc = _sharpest_right(arc, outgoing[_spot(arc[2][-1])])
    return pieces


def _sharpest_right(arc: Piece, choices: list[Piece]) -> Piece:
    back = heading(arc[2][-1], arc[2][-2])
    return min(choices, key=lambda choice: (back - heading(choice[2][0], choice[2][1]) - 1e-6) % (2 * np.pi))


def _spot(point: Point) -> Point:
    return (round(point[0], 3), round(point[1], 3))


def _pieces(face: Face) -> list[Piece]:
    """Return every line of the face, cut wherever two of them meet."""
    plan = layout(face)
    rim: list[Piece] = []
    for edge in range(4):
        rim.append(("rim", HALVES[2 * edge], [CORNERS[edge], MIDDLES[edge]]))
        rim.append(("rim", HALVES[2 * edge + 1], [MIDDLES[edge], CORNERS[(edge + 1) % 4]]))
    gates = {_spot(point) for point, _, _ in plan.gates}
    ends = {_spot(centreline[-1]) for centreline in plan.roads}
    walls: list[Piece] = [("wall", "", part) for town in plan.walls for wall in town for part in _cut(wall, gates)]
    fence = farm_fence(face)
    fences: list[Piece] = [("farm", "", part) for part in _cut([*fence, fence[0]], ends)] if face.farm else []
    return [*rim, *walls, *(("road", "", centreline) for centreline in plan.roads), *fences]


def _cut(line: Line, places: set[Point]) -> list[Line]:
    parts, part = [], [line[0]]
    for point in line[1:]:
        part.append(point)
        if _spot(point) in places:
            parts.append(part)
            part = [point]
    return [*parts, part] if len(part) > 1 else parts
