"""What lies in the box, laid out as tables for the rules: what every edge shows, which segment owns it, and where a tile fits (M1-M3).

A tile turned by t quarter turns clockwise shows at edge e what its face has at edge e - t, and at half-edge h what it has at h - 2t.
An empty cell has a key: two bits per edge, N lowest, for what lies there (0 nothing yet, else PLAIN, TOWN or ROAD); `fits` lists the turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tablee.core.components import Components
from tablee.core.rule import Array, Grid, Record, blank, cell, cells
from tablee.core.words import note, say
from tablee.games.mayflower.faces import (
    EDGES,
    HALVES,
    MAX_DESIGNS,
    MAX_TILES,
    SPACES,
    Coast,
    Face,
    Plain,
    Road,
    Town,
    read_coast,
    read_faces,
)

PLAIN, TOWN, ROAD, FARM = 1, 2, 3, 4
KINDS = ("", "plain", "town", "road", "farm")
KIND_NAMES = ("", note("Plain"), note("Town"), note("Road"), note("Farm"))
SIGNS = {"P": PLAIN, "T": TOWN, "R": ROAD}
SLOTS = 8  # a face has at most four roads and towns and, one per corner, four plains
NONE = -1
KEYS = 256

MAX_SEATS = 5  # M2
SETTLERS = 5  # M2: of six, one marks the score
EXPLORERS = 2

BOARD = MAX_TILES + SPACES  # start spaces are tiles (M3); they are numbered first
COAST_SEGMENTS = 3 * SPACES
MAX_SEGMENTS = 450 + COAST_SEGMENTS

COAST_PLAIN = MAX_DESIGNS  # then the start spaces with a town and with a road
DESIGNS = MAX_DESIGNS + 3
HARBOUR = "h"  # where a coast road stops (R2)
COAST_FACES = {
    "plain": Face("", 0, "PPPP", (), (), (Plain(("Wb", "Wt"), 0),), False),
    "town": Face("", 0, "PPPT", (Town("W", 0),), (), (), False),
    "road": Face("", 0, "PPPR", (), (Road("W", HARBOUR, False),), (Plain(("Wb",), 0), Plain(("Wt",), 0)), False),
}


class Box(Record):
    designs: int = cell()
    copies: Array = cells(MAX_DESIGNS)
    shows: Grid = cells(DESIGNS, 4)  # PLAIN, TOWN or ROAD, edge by edge
    slot_at: Grid = cells(DESIGNS, 4)  # the town or road on each edge
    plain_at: Grid = cells(DESIGNS, 8)  # the plain on each half-edge
    slots: Array = cells(DESIGNS)  # how many segments: towns, roads, plains
    kind: Grid = cells(DESIGNS, SLOTS)
    ends: Grid = cells(DESIGNS, SLOTS)  # edges of a town or road
    extra: Grid = cells(DESIGNS, SLOTS)  # shields, post stations, animals
    farm: Array = cells(DESIGNS)
    fits: Grid = cells(MAX_DESIGNS, KEYS)  # a bit per turn; of turns that look alike only the smallest
    coast: Array = cells(SPACES)  # the design of each start space


@dataclass(frozen=True)
class Pieces:
    """The box as people read it and as the rules read it."""

    faces: tuple[Face, ...]
    coast: Coast
    box: Box
    letters: tuple[str, ...]


def unpack(components: Components) -> Pieces:
    faces, coast = read_faces(components), read_coast(components)
    segments = sum(face.count * (len(face.towns) + len(face.roads) + len(face.plains)) for face in faces)
    if segments > MAX_SEGMENTS - COAST_SEGMENTS:
        most = MAX_SEGMENTS - COAST_SEGMENTS
        raise components.fault(
            say("{segments} segments on all tiles are more than the {most} there is room for", segments=segments, most=most)
        )
    return Pieces(faces, coast, lay_out(faces, coast), tuple(face.letter for face in faces))


def lay_out(faces: tuple[Face, ...], coast: Coast) -> Box:
    box = blank(Box)
    box.designs = len(faces)
    for design, face in enumerate(faces):
        _draw_face(box, design, face)
        box.copies[design] = face.count
        box.fits[design] = _fits(face)
    for number, face in enumerate(COAST_FACES.values()):
        _draw_face(box, COAST_PLAIN + number, face)
    for row, space in enumerate(coast.spaces):
        box.coast[row] = COAST_PLAIN + list(COAST_FACES).index(space.kind)
    return box


def _draw_face(box: Box, design: int, face: Face) -> None:
    box.shows[design] = [SIGNS[sign] for sign in face.edges]
    box.slot_at[design], box.plain_at[design] = NONE, NONE
    box.farm[design] = face.farm
    for town in face.towns:
        slot = _segment(box, design, TOWN, town.shields, len(town.edges))
        for edge in town.edges:
            box.slot_at[design, EDGES.index(edge)] = slot
    for road in face.roads:
        slot = _segment(box, design, ROAD, int(road.station), len(road.edges))
        for edge in road.edges:
            box.slot_at[design, EDGES.index(edge)] = slot
    for plain in face.plains:
        slot = _segment(box, design, PLAIN, plain.animals, 0)
        for half in plain.halves:
            box.plain_at[design, HALVES.index(half)] = slot


def _segment(box: Box, design: int, kind: int, extra: int, ends: int) -> int:
    slot = int(box.slots[design])
    box.kind[design, slot], box.extra[design, slot], box.ends[design, slot] = kind, extra, ends
    box.slots[design] += 1
    return slot


def _fits(face: Face) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For every key the turns in which this face matches all that lies around (M6)."""
    keys, found = np.arange(KEYS), np.zeros(KEYS, np.int64)
    for turns in distinct_turns(face):
        fit = keys > 0
        for edge in range(4):
            around = keys >> 2 * edge & 3
            fit &= (around == 0) | (around == SIGNS[face.edges[edge - turns]])
        found |= fit << turns
    return found


def distinct_turns(face: Face) -> list[int]:
    """Of turns that look alike only the smallest."""
    looks = [_look(face, turns) for turns in range(4)]
    return [turns for turns in range(4) if looks[turns] not in looks[:turns]]


def _look(face: Face, turns: int) -> tuple[object, ...]:
    towns = sorted((_turned(EDGES, town.edges, turns), town.shields) for town in face.towns)
    roads = sorted((_turned(EDGES, road.edges, turns), road.stop, road.station) for road in face.roads)
    plains = sorted((_turned(HALVES, plain.halves, 2 * turns), plain.animals) for plain in face.plains)
    return towns, roads, plains


def _turned(rim: Sequence[str], places: Iterable[str], steps: int) -> list[int]:
    return sorted((rim.index(place) + steps) % len(rim) for place in places)
