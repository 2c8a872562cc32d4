"""Chances that open features are completed before the explorers have passed them.

Chances are integers in thousandths, so that compiled and interpreted results agree.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.mayflower.box import FARM, NONE, Box
from tablee.games.mayflower.compass import Cell, beside, diagonal
from tablee.games.mayflower.features import NEIGHBOURS, is_complete, slot_of
from tablee.games.mayflower.placement import cell_entry, is_sea
from tablee.games.mayflower.stands import Segment, Subject, Tile, farm_under, segment_under
from tablee.games.mayflower.state import GAP_OFFSET, OPEN_EDGES, Scratch, next_of, tile_of

CERTAIN = 1000  # a chance of one
CHANCE_DISCOUNT = 800  # in thousandths: a chance counts for less than points in hand
HELPERS = 1  # rivals for a farm's neighbouring cells: every seat fills them
TILES_PER_STEP = 4  # tiles laid per step of an explorer, about
NOT_COUNTED = -1


@jit
def count_bag(box: Box, scratch: Scratch) -> None:
    """Reset the counts of fitting tiles if the bag has changed."""
    same = True
    for design in range(box.designs):
        same &= scratch.counted_bag[design] == scratch.bag[design]
        scratch.counted_bag[design] = scratch.bag[design]
    if not same:
        for key in range(len(scratch.fitting)):
            scratch.fitting[key] = NOT_COUNTED


@jit
def tiles_that_fit(box: Box, scratch: Scratch, key: int) -> int:
    if scratch.fitting[key] == NOT_COUNTED:
        count = 0
        for design in range(box.designs):
            if box.fits[design, key]:
                count += scratch.bag[design]
        scratch.fitting[key] = count
    return scratch.fitting[key]


@jit
def tiles_until_passed(scratch: Scratch, column: int) -> int:
    """Return how many tiles will be laid before a settler in this column is left behind (M16), or the bag is empty."""
    steps = 2 * (column + 1) - scratch.explorers[0] - scratch.explorers[1]
    return min(scratch.left, max(0, steps) * TILES_PER_STEP)


@jit
def chance_to_stay(scratch: Scratch, horizon: int) -> int:
    """Return the chance that the explorers have not passed a settler when the game ends."""
    return CERTAIN * horizon // scratch.left if scratch.left else CERTAIN


@jit
def chance_to_score(box: Box, scratch: Scratch, subject: Subject, kind: int, horizon: int) -> int:
    """Return the chance that a road, town or farm is completed while `horizon` tiles are laid."""
    if is_complete(box, scratch, subject):
        return CERTAIN
    if horizon == 0:
        return 0
    if kind == FARM:
        return CHANCE_DISCOUNT * chance_to_surround(box, scratch, farm_under(subject), horizon) // CERTAIN
    return CHANCE_DISCOUNT * chance_to_close(box, scratch, segment_under(subject), horizon) // CERTAIN


@jit
def chance_to_close(box: Box, scratch: Scratch, feature: Segment, horizon: int) -> int:
    """Return the chance that every open edge of a road or town is met."""
    chance, segment, unmet = CERTAIN, feature, scratch.segment[feature, OPEN_EDGES]
    while chance and unmet:
        tile, slot = tile_of(scratch, segment), slot_of(scratch, segment)
        for edge in range(4):
            if box.slot_at[scratch.design[tile], (edge - scratch.turned[tile]) & 3] == slot:
                there = cell_entry(scratch, beside(scratch.place[tile], edge))
                if there == NONE:
                    return 0
                if there >= GAP_OFFSET:
                    chance = chance * chance_to_fill(box, scratch, there - GAP_OFFSET, horizon, scratch.seats) // CERTAIN
                    unmet -= 1
        segment = next_of(scratch, segment)
    return chance


@jit
def chance_to_surround(box: Box, scratch: Scratch, tile: Tile, horizon: int) -> int:
    """Return the chance that every neighbouring cell of a farm is filled, by any seat."""
    chance, cell = CERTAIN, scratch.place[tile]
    for edge in range(4):
        chance = chance * chance_of_neighbour(box, scratch, beside(cell, edge), horizon) // CERTAIN
        chance = chance * chance_of_neighbour(box, scratch, diagonal(cell, edge), horizon) // CERTAIN
    return chance


@jit
def chance_of_neighbour(box: Box, scratch: Scratch, cell: Cell, horizon: int) -> int:
    """Return the chance that one neighbouring cell of a farm is filled.

    A corner may lie beside no tile yet; sea stays empty for ever (R6).
    """
    there = cell_entry(scratch, cell)
    if there >= GAP_OFFSET:
        return chance_to_fill(box, scratch, there - GAP_OFFSET, horizon, HELPERS)
    if there != NONE:
        return CERTAIN
    return 0 if is_sea(scratch, cell) else CERTAIN * horizon // (horizon + 2 * NEIGHBOURS)


@jit
def chance_to_fill(box: Box, scratch: Scratch, gap: int, horizon: int, rivals: int) -> int:
    """Return the chance that one seat draws a tile for this gap in time; 0 if no tile fits it."""
    likely = CERTAIN * tiles_that_fit(box, scratch, scratch.key[gap]) * horizon // scratch.left
    return CERTAIN * likely // (likely + CERTAIN * rivals)
