"""The state of a table: the bag as counts, the land as tiles and features, settlers, explorers, and the effects of the last move.

The land is unbounded but sparse: `cell_table` is a hash table of 512 entries (cell << 10 | tile or gap) that holds every tile and every
empty cell beside one. At most 120 tiles give 130 + 250 entries, and no cell is ever removed, so one probe nearly always suffices and a
copy of the state stays near 11 kB, where a grid of every reachable cell would need 60.

A segment is a piece of town, road or plain on one tile; joined segments are a feature, named by one of its segments. The segments of a
feature form a circular linked list, so that joining two features renames the smaller one and splices two lists.

The fields are as narrow as the largest box allows: 120 tiles of 64 designs, at most nine shields or animals on a segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar, overload

from tablee.core.contract import BaseState
from tablee.core.jit import jit
from tablee.core.struct import Array, Grid, array_field, field
from tablee.games.mayflower.box import BOARD, EXPLORERS, INPUTS, KEYS, MAX_SEATS, MAX_SEGMENTS, SETTLERS, SLOTS
from tablee.games.mayflower.compass import Cell
from tablee.games.mayflower.faces import MAX_DESIGNS, MAX_TILES, SPACES
from tablee.games.mayflower.stands import Segment, Stand, Tile

N = TypeVar("N", bound=int)

BY_LOT, DRAW, LAY, SETTLE, SCORE, AT_END = range(6)
PHASES = ("first", "draw", "lay", "settle", "score", "over")

SLOT_BITS = 9
CELL_TABLE_SIZE = 1 << SLOT_BITS
VALUE_BITS = 10
VALUE_MASK = (1 << VALUE_BITS) - 1
GAP_OFFSET = 512  # in `cell_table`, an empty cell beside the land is GAP_OFFSET + its index in `gap`
MAX_GAPS = SPACES + 2 * MAX_TILES

MAX_EFFECTS = 64

# Columns of a segment. Fields that are read together are adjacent: batches of thousands of games are bound by cache misses.
IN_FEATURE, NEXT_IN_RING, ON_TILE = range(3)
# Totals of a feature, in the row of the segment that names it: open edges of a town or road; tiles, each counted once; shields, post
# stations or animals.
OPEN_EDGES, COVERED, EXTRAS = range(3, 6)
SEGMENT_COLUMNS = 6


class TypedArray(Protocol[N]):
    """Array whose elements are a NewType of int."""

    @overload
    def __getitem__(self, at: int) -> N: ...
    @overload
    def __getitem__(self, at: slice) -> TypedArray[N]: ...
    def __setitem__(self, at: int, value: N) -> None: ...
    def __iter__(self) -> Iterator[N]: ...
    def tolist(self) -> list[N]: ...


class State(BaseState):
    rows: int = field()  # option rows: 0 is no limit
    automatic: int = field()  # option order
    phase: int = field()
    active: int = field()
    drawn: int = field()  # the design in the active player's hand
    left: int = field()  # tiles in the bag
    bag: Array = array_field(MAX_DESIGNS, bits=8)
    earned: Grid = array_field(MAX_SEATS, 5, bits=16)  # points by kind; column 0 is the explorers'
    supply: Array = array_field(MAX_SEATS, bits=8)
    stands: Grid = array_field(MAX_SEATS, SETTLERS, bits=16)
    explorers: Array = array_field(EXPLORERS, bits=16)  # their columns, the western one first
    westmost: int = field()  # the last column with a land tile

    # Lengths of the arrays that follow. Fields that most steps read come first, so that they share cache lines.
    effect_count: int = field()
    gaps: int = field()
    segments: int = field()
    tiles: int = field()  # on the table, start spaces included
    place: TypedArray[Cell] = array_field(BOARD, bits=16)  # the cell of each tile
    design: Array = array_field(BOARD, bits=8)
    turned: Array = array_field(BOARD, bits=8)
    first: TypedArray[Segment] = array_field(BOARD, bits=16)  # its first segment
    around: Array = array_field(BOARD, bits=8)  # occupied cells among its 8 neighbours

    cell_table: Array = array_field(CELL_TABLE_SIZE, bits=32)
    gap: TypedArray[Cell] = array_field(MAX_GAPS, bits=16)  # empty cells beside the land
    key: Array = array_field(MAX_GAPS, bits=16)  # the kinds around each gap (`box.py`)
    segment: Grid = array_field(MAX_SEGMENTS, SEGMENT_COLUMNS, bits=16)
    held: Array = array_field(MAX_SEGMENTS, bits=8)  # by feature: settlers on it
    effects: Array = array_field(MAX_EFFECTS)


class Scratch(State):
    """State to try moves on, with the workspace of the evaluation."""

    counted_bag: Array = array_field(MAX_DESIGNS, bits=8)  # the bag for which `fitting` is valid
    fitting: Array = array_field(KEYS, bits=8)  # tiles in the bag that fit a key, or NOT_COUNTED
    spots: Array = array_field(SLOTS + 2)  # moves
    expected: Array = array_field(MAX_SEATS)  # expected points by seat, in thousandths
    free: Array = array_field(MAX_SEATS)  # free settlers by seat, in thousandths
    learned_seat: int = field()  # the seat that gets the learned correction
    inputs: Array = array_field(INPUTS)  # inputs of the learned correction


@jit
def stand_of(state: State, seat: int, number: int) -> Stand:
    """Return the stand of one of a seat's settlers."""
    return state.stands[seat, number]  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def feature_of(state: State, segment: Segment) -> Segment:
    """Return the feature that a segment belongs to."""
    return state.segment[segment, IN_FEATURE]  # type: ignore[return-value]


@jit
def next_of(state: State, segment: Segment) -> Segment:
    """Return the next segment in the circular list of its feature."""
    return state.segment[segment, NEXT_IN_RING]  # type: ignore[return-value]


@jit
def tile_of(state: State, segment: Segment) -> Tile:
    """Return the tile of a segment."""
    return state.segment[segment, ON_TILE]  # type: ignore[return-value]


@jit
def last_tile(state: State) -> Tile:
    """Return the tile just laid."""
    return state.tiles - 1  # type: ignore[return-value]
