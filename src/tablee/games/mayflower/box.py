"""The contents of the box: `Pieces` as people read them, and `Box`, the lookup tables of the rules.

A tile turned by t quarter turns clockwise shows at edge e what its face has at edge e - t, and at half-edge h what it has at h - 2t.
The key of an empty cell has two bits per edge, N lowest: 0 for no neighbour, else PLAIN, TOWN or ROAD; `fits` lists the turns per key.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.i18n import mark
from tablee.core.struct import Array, Grid, Struct, array_field, field
from tablee.games.mayflower.faces import MAX_DESIGNS, MAX_TILES, SPACES, Coast, Face

PLAIN, TOWN, ROAD, FARM = 1, 2, 3, 4
KINDS = ("", "plain", "town", "road", "farm")
KIND_NAMES = ("", mark("Plain"), mark("Town"), mark("Road"), mark("Farm"))
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

INPUTS_PER_KIND = 10  # weights per settler on the land
INPUTS_PER_PHASE = SETTLERS + FARM * INPUTS_PER_KIND
INPUTS = 2 * INPUTS_PER_PHASE  # early and late in the game


class Box(Struct):
    designs: int = field()
    copies: Array = array_field(MAX_DESIGNS, bits=8)
    shows: Grid = array_field(DESIGNS, 4, bits=8)  # PLAIN, TOWN or ROAD, edge by edge
    slot_at: Grid = array_field(DESIGNS, 4, bits=8)  # the town or road on each edge
    plain_at: Grid = array_field(DESIGNS, 8, bits=8)  # the plain on each half-edge
    slots: Array = array_field(DESIGNS, bits=8)  # number of segments: towns, roads, plains
    kind: Grid = array_field(DESIGNS, SLOTS, bits=8)
    ends: Grid = array_field(DESIGNS, SLOTS, bits=8)  # edges of a town or road
    extra: Grid = array_field(DESIGNS, SLOTS, bits=8)  # shields, post stations, animals
    farm: Array = array_field(DESIGNS, bits=8)
    fits: Grid = array_field(MAX_DESIGNS, KEYS, bits=8)  # a bit per turn; of equal turns only the smallest
    coast: Array = array_field(SPACES, bits=8)  # the design of each start space
    learned_weights: Array = array_field(INPUTS)  # of `learned_value.py`: settlers in the supply, then those on the land by kind


@dataclass(frozen=True, eq=False)
class Pieces:
    """The box for people and for the rules, compared and hashed by identity so that caches can key on it."""

    faces: tuple[Face, ...]
    coast: Coast
    box: Box
    letters: tuple[str, ...]
    settlers: int  # of each seat, SETTLERS at most
