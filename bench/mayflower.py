"""What Mayflower's rules cost at 20, 50 and 90 tiles: legal placements, a turn (both moves found and
made), and a copy of the state, in microseconds.

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

POSITIONS, COPIES, TRIES = 30, 100, 5


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
    for number in range(repeats):
        table[2 + number : 3 + number] = table[1:2]
    return repeats


@njit
def lay_and_settle(box: Box, table: list[State], out: Array, repeats: int) -> int:
    """Once on each copy."""
    for number in range(repeats):
        apply(box, table[2 + number], random_move(box, table[2 + number], out))
        apply(box, table[2 + number], random_move(box, table[2 + number], out))
    return repeats


def main() -> None:
    box = unpack(components.load(folder("mayflower") / COMPONENTS)).box
    table, out = row_of(setup(box, 2, 0, 0, False), 2 + COPIES), numbers(MOST_MOVES)
    print("tiles  frontier  legal  legal_us  turn_us  copy_us")
    for tiles in (20, 50, 90):
        sums = [0.0] * 5
        for _ in range(POSITIONS):
            advance(box, table, tiles, out)
            legal = list_places(box, table, out, 1)
            found = (table[1].gaps, legal, *(microseconds(each, box, table, out) for each in (list_places, lay_and_settle, copy_state)))
            sums = [one + other for one, other in zip(sums, found, strict=True)]
        gaps, legal, *costs = (total / POSITIONS for total in sums)
        print(f"{tiles:>5}  {gaps:>8.1f}  {legal:>5.1f}  {costs[0]:>8.2f}  {costs[1]:>7.2f}  {costs[2]:>7.2f}")


def microseconds(measured: Callable[[Box, list[State], Array, int], int], box: Box, table: list[State], out: Array) -> float:
    """The best of a few measurements, less what the call itself costs; each begins with fresh copies."""
    best = [1e9, 1e9]
    for _ in range(TRIES):
        for kind, repeats in enumerate((0, COPIES)):
            copy_state(box, table, out, COPIES)
            start = time.perf_counter()
            measured(box, table, out, repeats)
            best[kind] = min(best[kind], time.perf_counter() - start)
    return (best[1] - best[0]) / COPIES * 1e6


if __name__ == "__main__":
    main()
