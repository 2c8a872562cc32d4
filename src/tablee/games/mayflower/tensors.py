"""Observations and actions for learners: a window of 24 columns by 40 rows west of the coast, and 231,000 moves as 1,249 actions.

A `lay` is one move of column, row and turn. Here it is a place and then, where the tile fits there in several turns, a turn. Places are
cells of the fixed window, so a place has the same number all game long and lies where the planes show it: a convolution needs that, and
an index along the frontier would not give it. Of 8,000 games between random or greedy bots, one ended with an empty cell beside the land
beyond the window. Such cells are actions too, numbered as the state lists them, so that every legal move can be made; the observation
has their number, but not their surroundings. Settling and scoring refer to the tile just laid, so they need no place.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, NO_ACTION, Action, Bounds, Field, offset_of, size_of
from tablee.games.mayflower.box import DESIGNS, NONE, SETTLERS, SLOTS, Box
from tablee.games.mayflower.compass import NORTH, Cell, beside, cell_at, column_of, row_of
from tablee.games.mayflower.faces import EDGES, HALVES, MAX_DESIGNS, MAX_TILES
from tablee.games.mayflower.features import NEIGHBOURS, edge_kind, segment_in, subject_kind, tile_under
from tablee.games.mayflower.notation import (
    LAY_MOVE,
    SCORE_FARM,
    SCORE_ROAD,
    cell_of,
    farm_of,
    lay_move,
    show_cell,
    turns_of,
)
from tablee.games.mayflower.placement import cell_entry
from tablee.games.mayflower.scoring import score
from tablee.games.mayflower.scoring_order import cell_around, position
from tablee.games.mayflower.stands import AT_HOME, Stand, Tile, is_farm, segment_under
from tablee.games.mayflower.state import (
    AT_END,
    BY_LOT,
    COVERED,
    EXTRAS,
    GAP_OFFSET,
    LAY,
    MAX_GAPS,
    OPEN_EDGES,
    PHASES,
    State,
    feature_of,
    last_tile,
    stand_of,
)

COLUMNS, ROWS, NORTHMOST = 24, 40, -15  # of the window, which begins with column 1
CELLS = COLUMNS * ROWS
EMPTY_CELL, TILE_CELL = 1, 2
LIES, EDGE, DESIGN, TURN, HAS_FARM, CHANNELS = 0, 1, 5, 6, 7, 8  # of a cell of the window
KIND, AT_COLUMN, AT_ROW, EXTENT, OPEN, EXTRA, HELD, PER_SETTLER = range(8)  # of a settler
SPOT_KIND, SPOT_EXTENT, SPOT_OPEN, SPOT_EXTRA, SPOT_HELD, PER_SPOT = range(6)  # of a segment of the tile just laid
IN_HAND = 1 + 4 + 4 + 8 + 1  # numbers that describe a tile

TABLE = (
    Field("phase", (1,), BY_LOT, AT_END, ", ".join(f"{number} {name}" for number, name in enumerate(PHASES))),
    Field("place", (2,), -NORTH, 256, "column and row of the place chosen while the turn is asked, else 0"),
    Field("last", (2,), -NORTH, 256, "column and row of the tile just laid, while settling and scoring"),
    Field("hand", (IN_HAND,), 0, DESIGNS, "the drawn tile, unturned: design + 1; N E S W 1 plain, 2 town, 3 road; the segment + 1 of the "
          "town or road at N E S W; the plain + 1 at each half-edge; farm"),
    Field("bag", (MAX_DESIGNS,), 0, MAX_TILES, "tiles of each design left"),
    Field("left", (1,), 0, MAX_TILES, "tiles left in all"),
    Field("explorers", (2,), 0, 256, "their columns, the western one first"),
    Field("westmost", (1,), 0, 256, "the last column with a tile"),
    Field("spots", (SLOTS, PER_SPOT), 0, INT16_MAX, "segments of the tile just laid: kind, tiles, open edges, extras, settlers of its "
          "feature"),
    Field("beyond", (1,), 0, MAX_GAPS, "empty cells beside the land that lie beyond the window"),
    Field("tiles", (1,), 0, 256, "on the table, start spaces included"),
    Field("land", (COLUMNS, ROWS, CHANNELS), 0, DESIGNS, "0 far away, 1 an empty cell beside the land, 2 a tile; what it shows at N E S W "
          "(an empty cell: what its neighbours show it); design + 1; quarter turns; farm"),
)  # fmt: skip
SEAT = (
    Field("points", (1,), 0, INT16_MAX, "so far"),
    Field("supply", (1,), 0, SETTLERS, "settlers at hand"),
    Field("settlers", (SETTLERS, PER_SETTLER), -NORTH, INT16_MAX, "on: 0 at home, 1 plain, 2 town, 3 road, 4 farm; column, row; tiles "
          "(a farm: those around it and itself), open edges (a farm: neighbours it lacks), extras, settlers of all seats on it"),
)  # fmt: skip
ACTIONS = (
    Action("pass", 1, "`pass`"),
    Action("settle road", 4, f"by edge, {' '.join(EDGES)}"),
    Action("settle town", 4, "likewise"),
    Action("settle plain", 8, f"by half-edge, {' '.join(HALVES)}"),
    Action("settle farm", 1, "`settle farm`"),
    Action("score road", 4, "by edge of the tile just laid"),
    Action("score town", 4, "likewise"),
    Action("score farm", 9, "by its place around the tile just laid: column by column from the east, north first"),
    Action("turn", 4, "the tile by so many quarter turns, after its place was chosen"),
    Action("place", CELLS, f"the tile: columns 1 to {COLUMNS}, in each the rows {NORTHMOST} to {NORTHMOST + ROWS - 1}"),
    Action("place beyond", MAX_GAPS, "likewise, by its number among the empty cells beside the land that lie beyond the window"),
)
PHASE, PLACE, LAST, HAND, BAG, LEFT, EXPLORERS, WESTMOST, SPOTS, BEYOND, TILES, LAND = (offset_of(TABLE, field.name) for field in TABLE)
POINTS, SUPPLY, STANDS = (offset_of(SEAT, field.name) for field in SEAT)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE), size_of(SEAT)
SCORE_ACTION, FARM_ACTION, TURN_ACTION, PLACE_ACTION, PLACE_BEYOND_ACTION = (
    offset_of(ACTIONS, name) for name in ("score road", "score farm", "turn", "place", "place beyond")
)


@jit
def in_window(cell: Cell) -> bool:
    return 1 <= column_of(cell) <= COLUMNS and 0 <= row_of(cell) - NORTHMOST < ROWS


@jit
def place_in_window(cell: Cell) -> int:
    return (column_of(cell) - 1) * ROWS + row_of(cell) - NORTHMOST


@jit
def observe(box: Box, state: State, half: int, seat: int, out: Array) -> None:
    write_cell(cell_of(-half) if half else 0, out[PLACE:LAST])  # type: ignore[arg-type]  # jitted code cannot call a NewType
    if half and out[PHASE] == LAY and out[TILES] == state.tiles:
        return  # this seat has already observed the state, and has only chosen a place since
    laid = state.phase > LAY and state.phase < AT_END
    out[PHASE], out[LEFT], out[WESTMOST] = state.phase, state.left, state.westmost
    out[EXPLORERS], out[EXPLORERS + 1] = state.explorers[0], state.explorers[1]
    write_cell(state.place[last_tile(state)] if laid else 0, out[LAST:HAND])  # type: ignore[arg-type]
    write_hand(box, state, out[HAND:BAG])
    for design in range(box.designs):
        out[BAG + design] = state.bag[design]
    write_spots(box, state, laid, out[SPOTS:BEYOND])
    if out[TILES] < state.tiles:  # earlier tiles are written already, and the other gaps are unchanged
        for tile in range(out[TILES], state.tiles):
            write_tile(box, state, tile, out[LAND:SEATS_OFFSET])  # type: ignore[arg-type]
        out[TILES], out[BEYOND] = state.tiles, count_beyond(state)
    for place in range(state.seats):
        write_seat(box, state, (seat + place) % state.seats, out[SEATS_OFFSET + place * SEAT_SIZE : SEATS_OFFSET + (place + 1) * SEAT_SIZE])


@jit
def write_cell(cell: Cell, out: Array) -> None:
    out[0], out[1] = column_of(cell), row_of(cell) if cell else 0


@jit
def write_hand(box: Box, state: State, out: Array) -> None:
    design = state.drawn
    for place in range(IN_HAND):
        out[place] = 0
    if design == NONE:
        return
    out[0], out[IN_HAND - 1] = design + 1, box.farm[design]
    for edge in range(4):
        out[1 + edge], out[5 + edge] = box.shows[design, edge], box.slot_at[design, edge] + 1
    for half in range(8):
        out[9 + half] = box.plain_at[design, half] + 1


@jit
def write_spots(box: Box, state: State, laid: bool, out: Array) -> None:
    """Write the segments of the tile just laid."""
    for place in range(SLOTS * PER_SPOT):
        out[place] = 0
    if not laid:
        return
    tile = last_tile(state)
    for slot in range(box.slots[state.design[tile]]):
        feature, at = feature_of(state, segment_in(state, tile, slot)), slot * PER_SPOT
        out[at + SPOT_KIND], out[at + SPOT_EXTENT] = box.kind[state.design[tile], slot], state.segment[feature, COVERED]
        out[at + SPOT_OPEN], out[at + SPOT_EXTRA] = state.segment[feature, OPEN_EDGES], state.segment[feature, EXTRAS]
        out[at + SPOT_HELD] = state.held[feature]


@jit
def count_beyond(state: State) -> int:
    count = 0
    for number in range(state.gaps):
        count += int(not in_window(state.gap[number]))
    return count


@jit
def write_tile(box: Box, state: State, tile: Tile, out: Array) -> None:
    """Write a tile, and the kinds that it shows to the empty cells around it."""
    cell = state.place[tile]
    if in_window(cell):
        at = place_in_window(cell) * CHANNELS
        out[at + LIES], out[at + DESIGN], out[at + TURN] = TILE_CELL, state.design[tile] + 1, state.turned[tile]
        out[at + HAS_FARM] = box.farm[state.design[tile]]
        for edge in range(4):
            out[at + EDGE + edge] = edge_kind(box, state, tile, edge)
    for edge in range(4):
        there = cell_entry(state, beside(cell, edge))
        if there >= GAP_OFFSET and in_window(beside(cell, edge)):
            write_gap(state.key[there - GAP_OFFSET], out[place_in_window(beside(cell, edge)) * CHANNELS :])


@jit
def write_gap(key: int, out: Array) -> None:
    out[LIES] = EMPTY_CELL
    for edge in range(4):
        out[EDGE + edge] = key >> 2 * edge & 3


@jit
def write_seat(box: Box, state: State, seat: int, out: Array) -> None:
    out[POINTS], out[SUPPLY] = score(box, state, seat), state.supply[seat]
    for number in range(SETTLERS):
        write_settler(box, state, stand_of(state, seat, number), out[STANDS + number * PER_SETTLER : STANDS + (number + 1) * PER_SETTLER])


@jit
def write_settler(box: Box, state: State, stand: Stand, out: Array) -> None:
    for place in range(PER_SETTLER):
        out[place] = 0
    if stand == AT_HOME:
        return
    tile = tile_under(state, stand)
    write_cell(state.place[tile], out[AT_COLUMN:EXTENT])
    out[KIND] = subject_kind(box, state, stand)
    if is_farm(stand):
        out[EXTENT], out[OPEN], out[HELD] = state.around[tile] + 1, NEIGHBOURS - state.around[tile], 1
        return
    feature = feature_of(state, segment_under(stand))
    out[EXTENT], out[OPEN] = state.segment[feature, COVERED], state.segment[feature, OPEN_EDGES]
    out[EXTRA], out[HELD] = state.segment[feature, EXTRAS], state.held[feature]


@jit
def action_of(box: Box, state: State, half: int, seat: int, move: int) -> int:
    if move < SCORE_ROAD:
        return move
    if move >= SCORE_FARM:
        return FARM_ACTION + position(farm_of(move), state.place[last_tile(state)])
    if move < LAY_MOVE:
        return SCORE_ACTION + move - SCORE_ROAD
    cell = cell_of(move)
    if half:
        return TURN_ACTION + turns_of(move) if cell == cell_of(-half) else NO_ACTION
    return PLACE_ACTION + place_in_window(cell) if in_window(cell) else PLACE_BEYOND_ACTION + number_beyond(state, cell)


@jit
def number_beyond(state: State, cell: Cell) -> int:
    """Return the number of a cell among the empty cells beyond the window."""
    count, number = 0, 0
    while state.gap[number] != cell:
        count += int(not in_window(state.gap[number]))
        number += 1
    return count


@jit
def gap_beyond(state: State, count: int) -> Cell:
    """Return the empty cell beyond the window with this number: the inverse of `number_beyond`."""
    number = 0
    while in_window(state.gap[number]) or count > 0:
        count -= int(not in_window(state.gap[number]))
        number += 1
    return state.gap[number]


@jit
def move_of(box: Box, state: State, half: int, seat: int, action: int) -> int:
    if action < SCORE_ACTION:
        return action
    if action < FARM_ACTION:
        return SCORE_ROAD + action - SCORE_ACTION
    if action < TURN_ACTION:
        return SCORE_FARM + cell_around(state.place[last_tile(state)], action - FARM_ACTION)
    if action < PLACE_ACTION:
        return -half + action - TURN_ACTION
    if action < PLACE_BEYOND_ACTION:
        return lay_at(box, state, cell_at((action - PLACE_ACTION) // ROWS + 1, (action - PLACE_ACTION) % ROWS + NORTHMOST))
    return lay_at(box, state, gap_beyond(state, action - PLACE_BEYOND_ACTION))


def show_half(half: int) -> str:
    """Return the text of a partial choice: the place, while the turn is still open."""
    return f"place {show_cell(cell_of(-half))}"


@jit
def lay_at(box: Box, state: State, cell: Cell) -> int:
    """Return the `lay` at a cell, if the tile fits there in one turn only; otherwise the partial choice: minus the move without a turn."""
    turns, turn = box.fits[state.drawn, state.key[cell_entry(state, cell) - GAP_OFFSET]], 0
    if turns & (turns - 1):
        return -lay_move(cell, 0)
    while not turns >> turn & 1:
        turn += 1
    return lay_move(cell, turn)


def bounds(box: Box, start: State) -> Bounds:
    """Return the bounds: three decisions per tile, four where the order of scoring is chosen; a draw per tile, and one for the first seat.

    Each tile is drawn once (M5), laid in two actions at most, a place and a turn, and followed by one choice of a settler (M7). A choice
    of the feature to score first sends home at least one settler (M8, M14), and at most one settler per tile comes to the land: so there
    are at most as many of these choices as tiles. One more draw decides who begins (M4).
    """
    return Bounds((3 if start.automatic else 4) * sum(box.copies), sum(box.copies) + 1)
