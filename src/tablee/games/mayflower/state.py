"""The state of a table: the bag as counts, the land as tiles and features, settlers, explorers, and what the last move brought about.

A cell is column << 8 | row + NORTH (R1), so that north, east, south and west of it are fixed steps. The land has no bounds but is
thin: `ground` is a hash of 512 entries (cell << 10 | what lies there) that holds every tile and every empty cell beside one. At most
120 tiles give 130 + 250 entries, and no cell ever leaves it, so one probe nearly always answers and a copy of the state stays near 40 kB
where a grid that held every reachable cell would need 240.

A segment is a piece of town, road or plain on one tile; joined segments are a feature, named by one of its segments. `ring` links the
segments of a feature in a circle, so that joining two features renames the smaller one and splices two circles.
"""

from __future__ import annotations

from tablee.core.rule import Array, Grid, Record, cell, cells
from tablee.games.mayflower.box import BOARD, EXPLORERS, MAX_SEATS, MAX_SEGMENTS, SETTLERS
from tablee.games.mayflower.faces import MAX_DESIGNS, MAX_TILES, SPACES

FIRST, DRAW, LAY, SETTLE, SCORE, OVER = range(6)
PHASES = ("first", "draw", "lay", "settle", "score", "over")

NORTH = 120  # rows from -120 to 135
COLUMN = 256
STEPS = (-1, -COLUMN, 1, COLUMN)  # to the neighbour at N, E, S, W
DIAGONALS = (-1 - COLUMN, 1 - COLUMN, 1 + COLUMN, -1 + COLUMN)

SLOT_BITS = 9
GROUND = 1 << SLOT_BITS
VALUE_BITS = 10
VALUES = (1 << VALUE_BITS) - 1
GAP = 512  # in `ground`, an empty cell beside the land is GAP + its place in `gaps`
MAX_GAPS = SPACES + 2 * MAX_TILES

AT_HOME = 0
ON_FARM = 1 << 10  # in `stands`: a farmer is ON_FARM + tile, any other settler 1 + segment

MAX_NEWS = 64


class State(Record):
    seats: int = cell()
    rows: int = cell()  # option rows: 0 is no limit
    automatic: int = cell()  # option order
    phase: int = cell()
    active: int = cell()
    drawn: int = cell()  # the design in the active player's hand
    left: int = cell()  # tiles in the bag
    bag: Array = cells(MAX_DESIGNS)
    earned: Grid = cells(MAX_SEATS, 5)  # points by kind; column 0 is the explorers'
    supply: Array = cells(MAX_SEATS)
    stands: Grid = cells(MAX_SEATS, SETTLERS)
    explorers: Array = cells(EXPLORERS)  # their columns, the western one first
    westmost: int = cell()  # the last column with a land tile

    tiles: int = cell()  # on the table, start spaces included
    place: Array = cells(BOARD)  # the cell of each tile
    design: Array = cells(BOARD)
    turned: Array = cells(BOARD)
    first: Array = cells(BOARD)  # its first segment
    around: Array = cells(BOARD)  # how many of its 8 neighbours are occupied

    ground: Array = cells(GROUND)
    gaps: int = cell()
    gap: Array = cells(MAX_GAPS)  # the empty cells beside the land
    key: Array = cells(MAX_GAPS)  # what lies around each

    segments: int = cell()
    feature: Array = cells(MAX_SEGMENTS)
    ring: Array = cells(MAX_SEGMENTS)
    tile_of: Array = cells(MAX_SEGMENTS)
    # by feature:
    open: Array = cells(MAX_SEGMENTS)  # edges of a town or road that nothing touches yet
    extent: Array = cells(MAX_SEGMENTS)  # tiles, each counted once
    extra: Array = cells(MAX_SEGMENTS)  # shields, post stations, animals
    held: Array = cells(MAX_SEGMENTS)  # settlers on it

    news_count: int = cell()
    news: Array = cells(MAX_NEWS)
