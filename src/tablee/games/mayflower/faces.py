"""The faces of the land tiles and the coast (M1, M3, R2): parsed from the box's file, validated, and their plains derived.

Edges are N E S W; half-edges go clockwise from the north-west corner. A face is drawn unrotated.

          Nl   Nr
        +----+----+
     Wt |         | Et
        +         +
     Wb |         | Eb
        +----+----+
          Sl   Sr
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablee.core.components import Components
from tablee.core.errors import ComponentsError
from tablee.core.i18n import Message, msg

EDGES = "NESW"
HALVES = ("Nl", "Nr", "Et", "Eb", "Sr", "Sl", "Wb", "Wt")
STOPS = "xft"  # a road's end inside the tile: crossing, farm, town
SPACES = 10  # M3
MAX_DESIGNS = 64
MAX_TILES = 120
MAX_ANIMALS = 9
MAX_SHIELDS = 9
TILE_KEYS = ("count", "towns", "roads", "farm", "animals")


@dataclass(frozen=True)
class Town:
    edges: str  # clockwise from N
    shields: int


@dataclass(frozen=True)
class Road:
    edges: str  # one edge, or two
    stop: str  # "" where it joins two edges; "x" at the crossing, "f" at the farm, "t" at the first town
    station: bool


@dataclass(frozen=True)
class Plain:
    halves: tuple[str, ...]  # clockwise from Nl
    animals: int


@dataclass(frozen=True)
class Face:
    letter: str
    count: int
    edges: str  # what each edge shows, N E S W: "TPRR"
    towns: tuple[Town, ...]
    roads: tuple[Road, ...]
    plains: tuple[Plain, ...]
    farm: bool

    def __hash__(self) -> int:
        """Hash the letter only: it is unique in a box, and faces key many caches."""
        return hash(self.letter)


HARBOUR = "h"  # where a coast road stops (R2)
COAST_FACES = {
    "plain": Face("", 0, "PPPP", (), (), (Plain(("Wb", "Wt"), 0),), False),
    "town": Face("", 0, "PPPT", (Town("W", 0),), (), (), False),
    "road": Face("", 0, "PPPR", (), (Road("W", HARBOUR, False),), (Plain(("Wb",), 0), Plain(("Wt",), 0)), False),
}


@dataclass(frozen=True)
class CoastSpace:
    kind: str  # "plain", "town" or "road"
    name: str  # of a town, else ""


@dataclass(frozen=True)
class Coast:
    spaces: tuple[CoastSpace, ...]  # north to south


def read_coast(components: Components) -> Coast:
    spaces = components.value("coast", "spaces")
    if not isinstance(spaces, list) or len(spaces) != SPACES:
        reason = msg(
            "spaces must be a list of {count} start space, north to south",
            "spaces must be a list of {count} start spaces, north to south",
            count=SPACES,
        )
        raise components.fault(reason, "coast", "spaces")
    return Coast(tuple(_space(components, each) for each in spaces))


def _space(components: Components, text: object) -> CoastSpace:
    found = re.fullmatch(r"(plain|road)|town:(\S.*)", text) if isinstance(text, str) else None
    if not found:
        raise components.fault(msg('{text!r} is not a start space: write "plain", "road" or "town:Name"', text=text), "coast", "spaces")
    return CoastSpace("town", found[2]) if found[2] else CoastSpace(found[1], "")


def read_faces(components: Components) -> tuple[Face, ...]:
    """Return every design in the file's order."""
    tiles = components.data.get("tiles")
    if not isinstance(tiles, dict) or not tiles:
        raise components.fault(msg("there is no tile: each is a table such as [tiles.A]"))
    if len(tiles) > MAX_DESIGNS:
        raise components.fault(msg("too many designs: {designs}; there is room for {most}", designs=len(tiles), most=MAX_DESIGNS))
    faces = tuple(_Reading(components, letter).face() for letter in tiles)
    total = sum(face.count for face in faces)
    if total > MAX_TILES:
        raise components.fault(msg("too many tiles: {tiles}; there is room for {most}", tiles=total, most=MAX_TILES))
    return faces


class _Reading:
    """Parser of one tile's table; a fault names the line in the file."""

    def __init__(self, components: Components, letter: str) -> None:
        self.components, self.letter, self.table = components, letter, f"tiles.{letter}"
        facts = components.data["tiles"][letter]
        if not re.fullmatch(r"[A-Z]{1,2}", letter) or not isinstance(facts, dict):
            raise self.fault(
                msg("a tile is a table named by one or two capital letters, such as [tiles.AB], not {letter!r}", letter=letter)
            )
        for key in facts:
            if key not in TILE_KEYS:
                raise self.fault(msg("a tile has no {key!r}; it has: {known}", key=key, known=", ".join(TILE_KEYS)), key)
        self.facts: dict[str, Any] = facts

    def fault(self, reason: Message, key: str = "") -> ComponentsError:
        return self.components.fault(reason, self.table, key)

    def face(self) -> Face:
        count = self.components.get_int(self.table, "count", 1, MAX_TILES)
        towns = tuple(self.town(text) for text in self.texts("towns"))
        roads = tuple(self.road(text) for text in self.texts("roads"))
        edges = self.edges(towns, roads)
        farm = self.farm(towns, roads)
        return Face(self.letter, count, edges, towns, roads, self.plains(edges, towns, roads), farm)

    def texts(self, key: str) -> list[str]:
        found = self.facts.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.fault(msg("{key} must be a list of texts, one per segment", key=key), key)
        return found

    def town(self, text: str) -> Town:
        found = re.fullmatch(rf"([NESW]{{1,4}})(\+{{0,{MAX_SHIELDS}}})", text)
        if not found:
            raise self.fault(
                msg('{text!r} is not a town: write the edges it joins, such as "NW", and "+" for a shield', text=text), "towns"
            )
        return Town(self.clockwise(found[1], "towns"), len(found[2]))

    def road(self, text: str) -> Road:
        found = re.fullmatch(r"([NESW]{2}|[NESW](?=[xft]))([xft]?)(\*?)", text)
        if not found or (len(found[1]) == 2 and found[2]):
            raise self.fault(
                msg('{text!r} is not a road: write two edges such as "NS", or one edge and where it stops such as "Sx"', text=text), "roads"
            )
        return Road(self.clockwise(found[1], "roads"), found[2], bool(found[3]))

    def clockwise(self, edges: str, key: str) -> str:
        for edge in edges:
            if edges.count(edge) > 1:
                raise self.fault(msg("edge {edge} is used twice", edge=edge), key)
        return "".join(edge for edge in EDGES if edge in edges)

    def edges(self, towns: tuple[Town, ...], roads: tuple[Road, ...]) -> str:
        shown = dict.fromkeys(EDGES, "P")
        segments = [("T", "towns", town.edges) for town in towns] + [("R", "roads", road.edges) for road in roads]
        for sign, key, edges in segments:
            for edge in edges:
                if shown[edge] != "P":
                    raise self.fault(msg("edge {edge} is used twice", edge=edge), key)
                shown[edge] = sign
        return "".join(shown.values())

    def farm(self, towns: tuple[Town, ...], roads: tuple[Road, ...]) -> bool:
        farm = self.facts.get("farm", False)
        if type(farm) is not bool:
            raise self.fault(msg("farm must be true or false"), "farm")
        stops = "".join(road.stop for road in roads)
        if "f" in stops and not farm:
            raise self.fault(msg("a road stops at a farm, but there is no farm"), "roads")
        if "t" in stops and not towns:
            raise self.fault(msg("a road stops at a town, but there is no town"), "roads")
        joined = [town.edges for town in towns] + [road.edges for road in roads]
        through = [edges for edges in joined if {"N", "S"} <= set(edges) or {"E", "W"} <= set(edges)]
        if farm + ("x" in stops) + len(through) > 1:
            raise self.fault(msg("only one thing can lie in the middle: a farm, a crossing, or one road or town that runs through"))
        return farm

    def plains(self, edges: str, towns: tuple[Town, ...], roads: tuple[Road, ...]) -> tuple[Plain, ...]:
        barriers = _barriers(towns, roads)
        if any(_separates(one, _middle(a), _middle(b)) for one in barriers for other in barriers - {one} for a in other for b in other):
            raise self.fault(msg("two roads or towns cross each other"), "roads")
        joined: list[list[str]] = []
        for half in (half for half in HALVES if edges[EDGES.index(half[0])] != "T"):
            for plain in joined:
                if not any(_separates(each, _at(plain[0]), _at(half)) for each in barriers):
                    plain.append(half)
                    break
            else:
                joined.append([half])
        return tuple(Plain(tuple(halves), animals) for halves, animals in zip(joined, self.animals(joined), strict=True))

    def animals(self, plains: list[list[str]]) -> list[int]:
        given = self.facts.get("animals", {})
        if not isinstance(given, dict):
            raise self.fault(msg("animals must be a table such as {example}", example="{ Nl = 1 }"), "animals")
        found = [0] * len(plains)
        for half, animals in given.items():
            owners = [number for number, plain in enumerate(plains) if half in plain]
            if half not in HALVES:
                raise self.fault(msg("{half!r} is not a half-edge; they are: {known}", half=half, known=" ".join(HALVES)), "animals")
            if not owners:
                raise self.fault(msg("{half} is not plain, so no animal stands there", half=half), "animals")
            if type(animals) is not int or not 1 <= animals <= MAX_ANIMALS:
                raise self.fault(msg("animals on {half} must be a whole number from 1 to {most}", half=half, most=MAX_ANIMALS), "animals")
            if found[owners[0]]:
                raise self.fault(msg("the plain of {half} already has its animals", half=half), "animals")
            found[owners[0]] = animals
        return found


def _barriers(towns: tuple[Town, ...], roads: tuple[Road, ...]) -> set[str]:
    """Return the barriers that no plain crosses, each as the edges that it touches.

    Roads that meet at the crossing, the farm or the first town form one barrier with it.
    """
    meeting = {stop: "".join(road.edges for road in roads if road.stop == stop) for stop in STOPS}
    walls = [town.edges + (meeting["t"] if number == 0 else "") for number, town in enumerate(towns)]
    through = [road.edges for road in roads if not road.stop]
    return {barrier for barrier in (*walls, *through, meeting["x"], meeting["f"]) if barrier}


def _separates(barrier: str, one: int, other: int) -> bool:
    """Return whether a barrier touches the rim on both sides between two positions, clockwise and anticlockwise."""
    low, high = sorted((one, other))
    inside = [low < _middle(edge) < high for edge in barrier]
    return any(inside) and not all(inside)


def _at(half: str) -> int:
    """Return a half-edge's position on the rim, clockwise from the north-west corner.

    Half-edges have odd positions, the middles of edges even ones.
    """
    return 2 * HALVES.index(half) + 1


def _middle(edge: str) -> int:
    return 4 * EDGES.index(edge) + 2
