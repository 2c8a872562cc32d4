"""What Mayflower's rules cost at 20, 50 and 90 tiles: legal placements, a lay with its settling, and a copy of the state, in microseconds.

python bench/mayflower.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from numba import njit

from tablee.core import components
from tablee.core.rule import Array, numbers, row_of
from tablee.games import COMPONENTS, folder
from tablee.games.mayflower.box import Box, unpack
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.placement import places
from tablee.games.mayflower.state import LAY, State
from tablee.games.mayflower.turn import MOST_MOVES, apply, random_move, setup

POSITIONS, REPEATS = 30, 1000


@njit
def advance(box: Box, table: list[State], tiles: int, out: Array) -> None:
    """A random game from table[0] on table[1], up to the lay of tile number `tiles`."""
    table[1] = table[0]
    state = table[1]
    while state.tiles - SPACES < tiles or state.phase != LAY:
        apply(box, state, random_move(box, state, out))


@njit
def list_places(box: Box, table: list[State], out: Array, repeats: int) -> int:
    found = 0
    for _ in range(repeats):
        found += places(box, table[1], out)
    return found


@njit
def copy_state(box: Box, table: list[State], out: Array, repeats: int) -> int:
    for _ in range(repeats):
        table[2:3] = table[1:2]
    return repeats


@njit
def lay_and_settle(box: Box, table: list[State], out: Array, repeats: int) -> int:
    """Includes the copy that makes each repetition the first."""
    for number in range(repeats):
        table[2:3] = table[1:2]
        count = places(box, table[2], out)
        apply(box, table[2], out[number % count])
        apply(box, table[2], random_move(box, table[2], out))
    return int(table[2].tiles)


def main() -> None:
    box = unpack(components.load(folder("mayflower") / COMPONENTS)).box
    table, out = row_of(setup(box, 2, 0, 0, False), 3), numbers(MOST_MOVES)
    print("tiles  frontier  legal  legal_us  lay+settle_us  copy_us")
    for tiles in (20, 50, 90):
        gaps = legal = listing = laying = copying = 0.0
        for _ in range(POSITIONS):
            advance(box, table, tiles, out)
            gaps, legal = gaps + table[1].gaps, legal + list_places(box, table, out, 1)
            listing += microseconds(list_places, box, table, out)
            copying += microseconds(copy_state, box, table, out)
            laying += microseconds(lay_and_settle, box, table, out)
        mean = [total / POSITIONS for total in (gaps, legal, listing, laying - listing - copying, copying)]
        print(f"{tiles:>5}  {mean[0]:>8.1f}  {mean[1]:>5.1f}  {mean[2]:>8.2f}  {mean[3]:>13.2f}  {mean[4]:>7.2f}")


def microseconds(measured: Callable[[Box, list[State], Array, int], int], box: Box, table: list[State], out: Array) -> float:
    measured(box, table, out, 1)
    start = time.perf_counter()
    measured(box, table, out, REPEATS)
    return (time.perf_counter() - start) / REPEATS * 1e6


if __name__ == "__main__":
    main()
