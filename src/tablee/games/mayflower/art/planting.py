"""Where things stand on a face: houses, shields, stations, animals and trees find room inside their own segment, the same on every run."""

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
RIM_TREES = ((0.30, "pine"), (0.66, "oak"))  # share of a half-edge from its corner: both neighbours know the place and the kind


def _ground(face: Face) -> Ground:
    """The free room on a face: clear of its roads, its walls, what lies in the middle, and the places kept for settlers."""
    plan = layout(face)
    lines = [(course, ROAD_WIDTH / 2 + 1.5) for course in plan.roads] + [(wall, 2.5) for town in plan.walls for wall in town]
    ground = Ground(face.letter, lines)
    if face.farm or any(road.stop == "x" for road in face.roads):
        ground.take(CENTRE, FARM_RADIUS + 1 if face.farm else 9)
    for key, anchor in anchors(face).items():
        ground.take(anchor, MARKET if key.startswith("town") else SETTLER_ROOM)
    return ground


@cache
def planting(face: Face) -> tuple[PlacedStamp, ...]:
    """Everything that stands on the face, from north to south."""
    ground = _ground(face)
    stands = [*_middle(face), *_shields(face, ground), *_stations(face, ground), *_animals(face, ground)]
    stands += [*_houses(face, ground), *_trees(face, ground), *_rim_trees(face)]
    return tuple(sorted(stands, key=lambda stand: (stand.y, stand.x)))


def _middle(face: Face) -> list[PlacedStamp]:
    """What marks a place: the barn, the crossing's signpost, the well on a town's market."""
    wells = [PlacedStamp("well", *anchors(face)[f"town {town.edges[0]}"]) for town in face.towns]
    crossing = any(road.stop == "x" for road in face.roads)
    return wells + [PlacedStamp("barn", *CENTRE)] * face.farm + [PlacedStamp("signpost", *CENTRE)] * crossing


def _shields(face: Face, ground: Ground) -> list[PlacedStamp]:
    """On the town's wall, beside its gate if it has one; in the open where there is no wall."""
    stands = []
    gated = {town for _, town, _ in layout(face).gates}
    for number, town in enumerate(face.towns):
        walls = layout(face).walls[number]
        shares = [share for share in WALL_SHARES if share != 0.5 or number not in gated]
        places = [along(wall, share) for share in shares for wall in walls] or [(50.0, 24.0), (50.0, 76.0), (24.0, 50.0), (76.0, 50.0)]
        for place in places[: town.shields]:
            ground.take(place, 5.5)
            stands.append(PlacedStamp("shield", *place))
    return stands


def _stations(face: Face, ground: Ground) -> list[PlacedStamp]:
    stands = []
    for road, course in zip(face.roads, layout(face).roads, strict=True):
        if road.station:
            place = _beside(ground, course)
            ground.take(place, STATION_ROOM)
            stands.append(PlacedStamp("station", *place, "tiled"))
    return stands


def _beside(ground: Ground, course: Line) -> Point:
    """The roomiest place next to the road."""
    spots = [along(beside(course, side), share / 20) for side in (-16, 16) for share in range(5, 16)]
    return max(spots, key=lambda spot: ground.room_at(spot) - 0.05 * abs(spot[0] - 50))


def _animals(face: Face, ground: Ground) -> list[PlacedStamp]:
    kinds = cycle(ANIMALS[(start := ground.dice.randrange(4)) :] + ANIMALS[:start])
    stands = []
    for plain in face.plains:
        ring = rings(face)[f"plain {plain.halves[0]}"]
        kind = next(kinds)
        for _ in range(plain.animals):
            place = ground.find(ring, ANIMAL_ROOM, 10.5) or ground.roomiest(ring, ANIMAL_ROOM, 10.5)
            stands.append(PlacedStamp(kind + ground.dice.choice(("", "-m")), *place))
    return stands


def _houses(face: Face, ground: Ground) -> list[PlacedStamp]:
    return [
        stand
        for town in face.towns
        for stand in ground.build(rings(face)[f"town {town.edges[0]}"], halls=len(town.edges) // 2, houses=4 * len(town.edges))
    ]


def _trees(face: Face, ground: Ground) -> list[PlacedStamp]:
    return [stand for plain in face.plains for stand in ground.plant(rings(face)[f"plain {plain.halves[0]}"], 1 + len(plain.halves) // 3)]


def _rim_trees(face: Face) -> list[PlacedStamp]:
    """Trees that stand across the border of two tiles. The neighbour may draw the same one: it is the same tree at the same place."""
    dice = seeded_rng(face.letter, "rim")
    stands = []
    for plain in face.plains:
        for half in plain.halves:
            edge, second = EDGES.index(half[0]), HALVES.index(half) % 2
            corner, other = CORNERS[(edge + second) % 4], CORNERS[(edge + 1 - second) % 4]
            for share, kind in RIM_TREES:
                if dice.random() < 0.22:
                    x, y = (a + (b - a) * share / 2 for a, b in zip(corner, other, strict=True))
                    stands.append(PlacedStamp(kind, x, y))
    return stands
