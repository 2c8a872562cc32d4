"""Descriptions of tiles in words, for screen readers: the edges clockwise from the north, then the segments, as the tile is turned."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tablee.core.i18n import Message, Translator, mark, msg
from tablee.games.mayflower.faces import EDGES, HALVES, Face, Plain, Road, Town

SHOWN = {"P": mark("a plain"), "T": mark("a town"), "R": mark("a road")}
SIDES = {"N": mark("north"), "E": mark("east"), "S": mark("south"), "W": mark("west")}
CORNERS = {
    "Nl": mark("north-west"),
    "Nr": mark("north-east"),
    "Et": mark("north-east"),
    "Eb": mark("south-east"),
    "Sr": mark("south-east"),
    "Sl": mark("south-west"),
    "Wb": mark("south-west"),
    "Wt": mark("north-west"),
}  # two plains may share an edge, but never a corner
ROADS = {
    "": mark("road {sides}"),
    "x": mark("road {sides}, ends at the crossing"),
    "f": mark("road {sides}, ends at the farm"),
    "t": mark("road {sides}, ends at the town"),
}


def describe(translator: Translator, face: Face, turns: int) -> str:
    return _description(translator.language, face, turns)


@cache
def _description(language: str, face: Face, turns: int) -> str:
    """Return a tile's description; cached, because a few hundred texts recur."""
    translator = Translator(language)
    return ". ".join(translator(each) for each in (edges(face, turns), *segments(face, turns)))


def edges(face: Face, turns: int) -> Message:
    north, east, south, west = (msg(SHOWN[face.edges[(edge - turns) % 4]]) for edge in range(4))
    return msg("north {north}, east {east}, south {south}, west {west}", north=north, east=east, south=south, west=west)


def segments(face: Face, turns: int) -> list[Message]:
    """Return sentences on the tile's towns, roads, plains and farm, as far as the edges alone do not determine them."""
    towns = [_town(town, turns) for town in face.towns if town.shields or len(town.edges) > 1 or len(face.towns) > 1]
    roads = [_road(road, turns) for road in face.roads]
    plains = [_plain(plain, turns) for plain in face.plains if plain.animals or len(face.plains) > 1]
    return [*towns, *roads, *plains, *([msg("a farm in the middle")] if face.farm else [])]


def _town(town: Town, turns: int) -> Message:
    sentence = msg("town {sides}", sides=_sides(town.edges, turns))
    if not town.shields:
        return sentence
    return msg("{one}, {other}", one=sentence, other=msg("{count} shield", "{count} shields", count=town.shields))


def _road(road: Road, turns: int) -> Message:
    sentence = msg(ROADS[road.stop], sides=_sides(road.edges, turns))
    return (
        msg("{one}, {other}", one=sentence, other=msg("{count} post station", "{count} post stations", count=1))
        if road.station
        else sentence
    )


def _plain(plain: Plain, turns: int) -> Message:
    sentence = msg("plain {sides}", sides=_corners(plain.halves, turns))
    if not plain.animals:
        return sentence
    return msg("{one}, {other}", one=sentence, other=msg("{count} animal", "{count} animals", count=plain.animals))


def _sides(names: str, turns: int) -> tuple[Message, ...]:
    return tuple(msg(SIDES[EDGES[each]]) for each in sorted((EDGES.index(edge) + turns) % 4 for edge in names))


def _corners(halves: Iterable[str], turns: int) -> tuple[Message, ...]:
    """Return the names of the corners, each once, clockwise from the north-west."""
    names = (CORNERS[HALVES[each]] for each in sorted((HALVES.index(half) + 2 * turns) % 8 for half in halves))
    return tuple(msg(name) for name in dict.fromkeys(names))
