"""Placement of houses, shields, stations, animals and trees inside their own segments of a face, the same on every run."""

from __future__ import annotations

from functools import cache
from itertools import cycle

from tablee.games.mayflower.art.geometry import CENTRE, CORNERS, Line, Point, along, beside
from tablee.games.mayflower.art.ground import Ground, PlacedStamp
from tablee.games.mayflower.art.layout import FARM_RADIUS, ROAD_WIDTH, layout, seeded_rng
from tablee.games.mayflower.art.parcels import anchors, rings
from tablee.games.mayflower.art.stamps import ANIMALS
from tablee.games.mayflower.faces import EDGES, HALVES, Face

ANIMAL_ROOM = 9.0
STATION_ROOM = 9.5
SETTLER_ROOM = 9.0
MARKET = 6.5  # the open place in a town, where a merchant stands
WALL_SHARES = (0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8)  # where shields hang on a wall
RIM_TREES = ((0.30, "pine"), (0.66, "oak"))  # share of a half-edge from its corner, kind: the same on both tiles of a border


def _ground(face: Face) -> Ground:
    """Return the free room on a face: clear of its roads, walls, farm or crossing, and the anchors of settlers."""
    plan = layout(face)
    lines = [(centreline, ROAD_WIDTH / 2 + 1.5) for centreline in plan.roads] + [(wall, 2.5) for town in plan.walls for wall in town]
    ground = Ground(face.letter, lines)
    if face.farm or any(road.stop == "x" for road in face.roads):
        ground.take(CENTRE, FARM_RADIUS + 1 if face.farm else 9)
    for key, anchor in anchors(face).items():
        ground.take(anchor, MARKET if key.startswith("town") else SETTLER_ROOM)
    return ground


@cache
def planting(face: Face) -> tuple[PlacedStamp, ...]:
    """Return everything that stands on the face, from north to south."""
    ground = _ground(face)
    placed = [*_middle(face), *_shields(face, ground), *_stations(face, ground), *_animals(face, ground)]
    placed += [*_houses(face, ground), *_trees(face, ground), *_rim_trees(face)]
    return tuple(sorted(placed, key=lambda each: (each.y, each.x)))


def _middle(face: Face) -> list[PlacedStamp]:
    """Return the landmarks: the barn, the crossing's signpost, the well on a town's market."""
    wells = [PlacedStamp("well", *anchors(face)[f"town {town.edges[0]}"]) for town in face.towns]
    crossing = any(road.stop == "x" for road in face.roads)
    return wells + [PlacedStamp("barn", *CENTRE)] * face.farm + [PlacedStamp("signpost", *CENTRE)] * crossing


def _shields(face: Face, ground: Ground) -> list[PlacedStamp]:
    """Place shields on a town's wall, beside its gate if it has one; in the open where there is no wall."""
    placed = []
    gated = {town for _, town, _ in layout(face).gates}
    for number, town in enumerate(face.towns):
        walls = layout(face).walls[number]
        shares = [share for share in WALL_SHARES if share != 0.5 or number not in gated]
        places = [along(wall, share) for share in shares for wall in walls] or [(50.0, 24.0), (50.0, 76.0), (24.0, 50.0), (76.0, 50.0)]
        for place in places[: town.shields]:
            ground.take(place, 5.5)
            placed.append(PlacedStamp("shield", *place))
    return placed


def _stations(face: Face, ground: Ground) -> list[PlacedStamp]:
    placed = []
    for road, centreline in zip(face.roads, layout(face).roads, strict=True):
        if road.station:
            place = _beside(ground, centreline)
            ground.take(place, STATION_ROOM)
            placed.append(PlacedStamp("station", *place, "tiled"))
    return placed


def _beside(ground: Ground, centreline: Line) -> Point:
    """Return the roomiest point next to the road."""
    spots = [along(beside(centreline, side), share / 20) for side in (-16, 16) for share in range(5, 16)]
    return max(spots, key=lambda spot: ground.room_at(spot) - 0.05 * abs(spot[0] - 50))


def _animals(face: Face, ground: Ground) -> list[PlacedStamp]:
    kinds = cycle(ANIMALS[(start := ground.dice.randrange(4)) :] + ANIMALS[:start])
    placed = []
    for plain in face.plains:
        ring = rings(face)[f"plain {plain.halves[0]}"]
        kind = next(kinds)
        for _ in range(plain.animals):
            place = ground.find(ring, ANIMAL_ROOM, 10.5) or ground.roomiest(ring, ANIMAL_ROOM, 10.5)
            placed.append(PlacedStamp(kind + ground.dice.choice(("", "-m")), *place))
    return placed


def _houses(face: Face, ground: Ground) -> list[PlacedStamp]:
    return [
        placed
        for town in face.towns
        for placed in ground.build(rings(face)[f"town {town.edges[0]}"], halls=len(town.edges) // 2, houses=4 * len(town.edges))
    ]


def _trees(face: Face, ground: Ground) -> list[PlacedStamp]:
    return [placed for plain in face.plains for placed in ground.plant(rings(face)[f"plain {plain.halves[0]}"], 1 + len(plain.halves) // 3)]


def _rim_trees(face: Face) -> list[PlacedStamp]:
    """Return trees across the border of two tiles; the neighbour may draw the same tree at the same point."""
    rng = seeded_rng(face.letter, "rim")
    placed = []
    for plain in face.plains:
        for half in plain.halves:
            edge, second = EDGES.index(half[0]), HALVES.index(half) % 2
            corner, other = CORNERS[(edge + second) % 4], CORNERS[(edge + 1 - second) % 4]
            for share, kind in RIM_TREES:
                if rng.random() < 0.22:
                    x, y = (a + (b - a) * share / 2 for a, b in zip(corner, other, strict=True))
                    placed.append(PlacedStamp(kind, x, y))
    return placed
