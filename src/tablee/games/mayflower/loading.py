"""Loader of the box: turns the box's file into the lookup tables of the rules (M1-M3), or raises a fault that names the line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablee.core.components import Components
from tablee.core.i18n import msg
from tablee.core.struct import fill
from tablee.games.mayflower.box import (
    COAST_PLAIN,
    COAST_SEGMENTS,
    KEYS,
    MAX_SEGMENTS,
    NONE,
    PLAIN,
    ROAD,
    SETTLERS,
    SIGNS,
    TOWN,
    Box,
    Pieces,
)
from tablee.games.mayflower.faces import COAST_FACES, EDGES, HALVES, Coast, Face, read_coast, read_faces

WEIGHTS_FILE = Path(__file__).with_name("learned_value.json")  # trained on the printed box; corrected boxes use it too


def load_pieces(components: Components) -> Pieces:
    faces, coast = read_faces(components), read_coast(components)
    segments = sum(face.count * (len(face.towns) + len(face.roads) + len(face.plains)) for face in faces)
    if segments > MAX_SEGMENTS - COAST_SEGMENTS:
        most = MAX_SEGMENTS - COAST_SEGMENTS
        raise components.fault(msg("too many segments on all tiles: {segments}; there is room for {most}", segments=segments, most=most))
    settlers = components.get_int("game", "settlers", 1, SETTLERS) if "game" in components.data else SETTLERS
    return Pieces(faces, coast, build_box(faces, coast), tuple(face.letter for face in faces), settlers)


def build_box(faces: tuple[Face, ...], coast: Coast) -> Box:
    box = Box()
    box.designs = len(faces)
    for design, face in enumerate(faces):
        _add_face(box, design, face)
        box.copies[design] = face.count
        box.fits[design] = _fits(face)
    for number, face in enumerate(COAST_FACES.values()):
        _add_face(box, COAST_PLAIN + number, face)
    for row, space in enumerate(coast.spaces):
        box.coast[row] = COAST_PLAIN + list(COAST_FACES).index(space.kind)
    fill(box.learned_weights, json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"])
    return box


def _add_face(box: Box, design: int, face: Face) -> None:
    box.shows[design] = [SIGNS[sign] for sign in face.edges]
    fill(box.slot_at[design], NONE)
    fill(box.plain_at[design], NONE)
    box.farm[design] = face.farm
    for town in face.towns:
        slot = _add_segment(box, design, TOWN, town.shields, len(town.edges))
        for edge in town.edges:
            box.slot_at[design, EDGES.index(edge)] = slot
    for road in face.roads:
        slot = _add_segment(box, design, ROAD, int(road.station), len(road.edges))
        for edge in road.edges:
            box.slot_at[design, EDGES.index(edge)] = slot
    for plain in face.plains:
        slot = _add_segment(box, design, PLAIN, plain.animals, 0)
        for half in plain.halves:
            box.plain_at[design, HALVES.index(half)] = slot


def _add_segment(box: Box, design: int, kind: int, extra: int, ends: int) -> int:
    slot = box.slots[design]
    box.kind[design, slot], box.extra[design, slot], box.ends[design, slot] = kind, extra, ends
    box.slots[design] += 1
    return slot


def _fits(face: Face) -> list[int]:
    """Return for every key the turns, as bits, in which this face matches all neighbours (M6)."""
    turns = distinct_turns(face)
    return [sum(1 << turn for turn in turns if key and _matches(face, key, turn)) for key in range(KEYS)]


def _matches(face: Face, key: int, turn: int) -> bool:
    around = [key >> 2 * edge & 3 for edge in range(4)]
    return all(there in (0, SIGNS[face.edges[edge - turn]]) for edge, there in enumerate(around))


def distinct_turns(face: Face) -> list[int]:
    """Return the turns that look different; of equal ones only the smallest."""
    appearances = [_appearance(face, turns) for turns in range(4)]
    return [turns for turns in range(4) if appearances[turns] not in appearances[:turns]]


def _appearance(face: Face, turns: int) -> tuple[object, ...]:
    towns = sorted((_turned(EDGES, town.edges, turns), town.shields) for town in face.towns)
    roads = sorted((_turned(EDGES, road.edges, turns), road.stop, road.station) for road in face.roads)
    plains = sorted((_turned(HALVES, plain.halves, 2 * turns), plain.animals) for plain in face.plains)
    return towns, roads, plains


def _turned(rim: Sequence[str], places: Iterable[str], steps: int) -> list[int]:
    return sorted((rim.index(place) + steps) % len(rim) for place in places)
