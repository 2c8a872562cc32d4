"""A tile in words, for those who listen: what its edges show clockwise from the north, then what lies on it, as it is turned."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tablee.core.i18n import Say, Words, note, say
from tablee.games.mayflower.faces import EDGES, HALVES, Face, Plain, Road, Town

SHOWN = {"P": note("a plain"), "T": note("a town"), "R": note("a road")}
SIDES = {"N": note("north"), "E": note("east"), "S": note("south"), "W": note("west")}
CORNERS = {
    "Nl": note("north-west"),
    "Nr": note("north-east"),
    "Et": note("north-east"),
    "Eb": note("south-east"),
    "Sr": note("south-east"),
    "Sl": note("south-west"),
    "Wb": note("south-west"),
    "Wt": note("north-west"),
}  # two plains may share an edge, but never a corner
ROADS = {
    "": note("road {sides}"),
    "x": note("road {sides}, ends at the crossing"),
    "f": note("road {sides}, ends at the farm"),
    "t": note("road {sides}, ends at the town"),
}


def described(words: Words, face: Face, turns: int) -> str:
    return _told(words.language, face, turns)


@cache
def _told(language: str, face: Face, turns: int) -> str:
    """The same few hundred sentences are needed again and again."""
    words = Words(language)
    return ". ".join(words(each) for each in (edges(face, turns), *segments(face, turns)))


def edges(face: Face, turns: int) -> Say:
    north, east, south, west = (say(SHOWN[face.edges[(edge - turns) % 4]]) for edge in range(4))
    return say("north {north}, east {east}, south {south}, west {west}", north=north, east=east, south=south, west=west)


def segments(face: Face, turns: int) -> list[Say]:
    """Towns, roads, plains with animals, the farm."""
    towns = [_town(town, turns) for town in face.towns if town.shields or len(town.edges) > 1 or len(face.towns) > 1]
    roads = [_road(road, turns) for road in face.roads]
    plains = [_plain(plain, turns) for plain in face.plains if plain.animals or len(face.plains) > 1]
    return [*towns, *roads, *plains, *([say("a farm in the middle")] if face.farm else [])]


def _town(town: Town, turns: int) -> Say:
    told = say("town {sides}", sides=_sides(town.edges, turns))
    if not town.shields:
        return told
    return say("{one}, {other}", one=told, other=say("{count} shield", "{count} shields", count=town.shields))


def _road(road: Road, turns: int) -> Say:
    told = say(ROADS[road.stop], sides=_sides(road.edges, turns))
    return say("{one}, {other}", one=told, other=say("{count} post station", "{count} post stations", count=1)) if road.station else told


def _plain(plain: Plain, turns: int) -> Say:
    told = say("plain {sides}", sides=_corners(plain.halves, turns))
    if not plain.animals:
        return told
    return say("{one}, {other}", one=told, other=say("{count} animal", "{count} animals", count=plain.animals))


def _sides(names: str, turns: int) -> tuple[Say, ...]:
    return tuple(say(SIDES[EDGES[each]]) for each in sorted((EDGES.index(edge) + turns) % 4 for edge in names))


def _corners(halves: Iterable[str], turns: int) -> tuple[Say, ...]:
    """Each corner once, clockwise from the north-west."""
    names = (CORNERS[HALVES[each]] for each in sorted((HALVES.index(half) + 2 * turns) % 8 for half in halves))
    return tuple(say(name) for name in dict.fromkeys(names))
