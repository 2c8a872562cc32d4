"""The layout of a face: where its walls, roads and plains run on a tile of 100 by 100, drawn unrotated.

Every tile meets its neighbours alike: a town fills its edge from corner to corner, a road crosses the middle of its edge at a right angle,
the rest is plain. So any two edges that match by the rules also match on the page, whichever way the tiles are turned.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from math import dist, pi

from tablee.games.mayflower.art.geometry import CENTRE, MIDDLES, Line, Point, along, beside, circle, curve, turned
from tablee.games.mayflower.faces import EDGES, Face, Road, Town

ROAD_WIDTH = 8.0
FARM_RADIUS = 18.0
CAP, TIGHT_CAP = 30.0, 17.0  # depth of a town on one edge; the tight one where another town lies behind it
DIP, DEEP_DIP = 33.0, 40.0  # depth of the plain on one edge inside a town; the deep one where that edge is a town


@dataclass(frozen=True)
class Layout:
    walls: tuple[tuple[Line, ...], ...]  # per town; the town lies to the right of each wall
    roads: tuple[Line, ...]  # per road, from its first edge to its other end
    gates: tuple[tuple[Point, int, int], ...]  # where a road meets a wall: the place, the town, which of its walls


def seeded_rng(letter: str, purpose: str) -> random.Random:
    """Return an rng that yields the same numbers for the same letter and purpose in every process."""
    return random.Random(f"mayflower {letter} {purpose}")


@cache
def layout(face: Face) -> Layout:
    walls = tuple(tuple(_walls(face, town)) for town in face.towns)
    gates = {road.edges: _gate(walls[0], road) for road in face.roads if road.stop == "t"}
    centrelines = tuple(_road_line(face, road, walls, gates.get(road.edges)) for road in face.roads)
    return Layout(walls, centrelines, tuple((point, 0, wall) for point, wall in gates.values()))


def _walls(face: Face, town: Town) -> list[Line]:
    """Return a wall for each run of edges that the town leaves out, from the run's first corner to its last."""
    held = [EDGES.index(edge) for edge in town.edges]
    walls = []
    for edge in held:
        run = next(steps for steps in range(1, 5) if (edge + steps) % 4 in held) - 1
        if run:
            walls.append(_wall(face, town, (edge + 1) % 4, run))
    return walls


def _wall(face: Face, town: Town, start: int, run: int) -> Line:
    others = "".join(each.edges for each in face.towns if each is not town)
    if run == 1:
        return turned(_arch(DEEP_DIP if EDGES[start] in others else DIP), start)
    if run == 2:
        return turned(_diagonal(face), start)
    edge = (start + 3) % 4
    enclosed = any({EDGES[edge - 1], EDGES[(edge + 1) % 4]} <= set(each.edges) for each in face.towns)
    return turned(_arch(TIGHT_CAP if enclosed else CAP), edge)[::-1]


def _arch(depth: float) -> Line:
    """Return an arch from the north-west corner to the north-east one, reaching `depth` into the tile."""
    low = 0.42 * depth
    return curve((0, 0), (20, low), (31, depth), (50, depth), (69, depth), (80, low), (100, 0))


def _diagonal(face: Face) -> Line:
    """Return a line from the north-west corner to the south-east one, bowed to leave room for a farm or a crossing."""
    bow = 22.0 if face.farm else 13.0 if any(road.stop == "x" for road in face.roads) else 5.0
    x, y = 50 - bow, 50 + bow
    near, far = 16 - 0.3 * bow, 18 + 0.4 * bow
    return curve((0, 0), (near, far), (x - 14, y - 14), (x, y), (x + 14, y + 14), (100 - far, 100 - near), (100, 100))


def _gate(walls: tuple[Line, ...], road: Road) -> tuple[Point, int]:
    start = MIDDLES[EDGES.index(road.edges[0])]
    near = min(range(len(walls)), key=lambda wall: dist(along(walls[wall], 0.5), start))
    return along(walls[near], 0.5), near


def _road_line(face: Face, road: Road, walls: tuple[tuple[Line, ...], ...], gate: tuple[Point, int] | None) -> Line:
    edge = EDGES.index(road.edges[0])
    if gate:
        return _to_gate(edge, gate[0], along(beside(walls[0][gate[1]], -26), 0.5))
    if road.stop == "f":
        return turned([(50, 0), (50, 16), (50, 50 - FARM_RADIUS)], edge)
    if road.stop == "x":
        bow = seeded_rng(face.letter, road.edges).choice((-3, 3))
        return turned(curve((50, 0), (50, 18), (50 + bow, 24), (50, 50)), edge)
    other = EDGES.index(road.edges[1])
    if (edge + 2) % 4 == other:
        return turned(_across(face, road), edge)
    pull = 28.0 if face.farm else 33.0
    line = curve((50, 0), (50, pull), (100 - pull, 50), (100, 50))
    return turned(line, edge) if (edge + 1) % 4 == other else turned(line, other)[::-1]


def _to_gate(edge: int, gate: Point, before: Point) -> Line:
    start = MIDDLES[edge]
    inward = (start[0] + (CENTRE[0] - start[0]) * 0.7, start[1] + (CENTRE[1] - start[1]) * 0.7)
    if dist(start, gate) < 45:
        return [start, gate]
    return curve(start, inward, before, gate)


def _across(face: Face, road: Road) -> Line:
    """Return a road from north to south: away from a town on one side, otherwise winding a little."""
    edge = EDGES.index(road.edges[0])
    left, right = face.edges[(edge + 3) % 4] == "T", face.edges[(edge + 1) % 4] == "T"
    if left != right:
        bow = 8 if left else -8
        return curve((50, 0), (50, 20), (50 + bow, 26), (50 + bow, 50), (50 + bow, 74), (50, 80), (50, 100))
    sway = seeded_rng(face.letter, "sway").choice((-9, -7, 7, 9))
    return curve((50, 0), (50, 22), (50 + sway, 33), (50, 50), (50 - sway, 67), (50, 78), (50, 100))


def farm_fence(face: Face) -> Line:
    """Return the ring around the farm's fields, clockwise from its northernmost point."""
    return circle(CENTRE, FARM_RADIUS, start=-pi / 2) if face.farm else []
