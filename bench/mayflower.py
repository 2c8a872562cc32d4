"""What Mayflower's rules cost at 20, 50 and 90 tiles: legal placements, a turn (both moves found and
made), and a copy of the state, in microseconds; then whole games a second, by lot and greedy.

python bench/mayflower.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tablee.core import loops
from tablee.core.game import choose_options
from tablee.core.jit import copy, jit
from tablee.core.rng import make_rng, next_number, pick, randbelow
from tablee.core.struct import Array, StructArray, int_array, to_native
from tablee.games import find
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.placement import places
from tablee.games.mayflower.state import BY_LOT, DRAW, LAY, State
from tablee.games.mayflower.turn import MOST_MOVES, apply, legal, odds

POSITIONS, COPIES, TRIES = 30, 100, 5
GAMES = {"random": (loops.RANDOM, 5000), "greedy": (loops.GREEDY, 200)}
Measured = Callable[[Any, Any, Array, Array, int], int]


@jit
def random_move(box: Any, state: Any, luck: Array, out: Array) -> int:
    """`out` has room for moves and, behind them, for weights."""
    if state.phase in (BY_LOT, DRAW):
        weights = out[MOST_MOVES:]
        return out[pick(weights, odds(box, state, out, weights), next_number(luck))]
    return out[randbelow(luck, legal(box, state, state.active, out))]


@jit
def advance(box: Any, table: Any, tiles: int, luck: Array, out: Array) -> None:
    """A random game from table[0] on table[1], up to the lay of tile number `tiles`."""
    copy(table[0], table[1])
    state = table[1]
    while state.tiles - SPACES < tiles or state.phase != LAY:
        apply(box, state, state.active, random_move(box, state, luck, out))


@jit
def list_places(box: Any, table: Any, luck: Array, out: Array, repeats: int) -> int:
    found = 0
    for _ in range(repeats):
        found += places(box, table[1], out)
    return found


@jit
def copy_state(box: Any, table: Any, luck: Array, out: Array, repeats: int) -> int:
    for number in range(repeats):
        copy(table[1], table[2 + number])
    return repeats


@jit
def lay_and_settle(box: Any, table: Any, luck: Array, out: Array, repeats: int) -> int:
    """Once on each copy."""
    for number in range(repeats):
        state = table[2 + number]
        apply(box, state, state.active, random_move(box, state, luck, out))
        apply(box, state, state.active, random_move(box, state, luck, out))
    return repeats


def main() -> None:
    game = find("mayflower")
    table = StructArray(State, 2 + COPIES)
    copy(game.setup(2, choose_options(game, 2, {})), table[0])
    rules(to_native(game.kernel.box), to_native(table), table[1])
    for level, (number, games) in GAMES.items():
        print(f"{level}: {games_a_second(game.kernel, table[0], number, games):,.0f} games/s, 2 seats")


def rules(box: Any, table: Any, position: State) -> None:
    luck, out = to_native(make_rng((1, 1))), to_native(int_array(2 * MOST_MOVES))
    print(f"a state has {State.layout.itemsize:,} bytes")
    print("tiles  frontier  legal  legal_us  turn_us  copy_us")
    for tiles in (20, 50, 90):
        sums = [0.0] * 5
        for _ in range(POSITIONS):
            advance(box, table, tiles, luck, out)
            legal = list_places(box, table, luck, out, 1)
            costs = (microseconds(each, box, table, luck, out) for each in (list_places, lay_and_settle, copy_state))
            sums = [one + other for one, other in zip(sums, (position.gaps, legal, *costs), strict=True)]
        gaps, places_found, *means = (total / POSITIONS for total in sums)
        print(f"{tiles:>5}  {gaps:>8.1f}  {places_found:>5.1f}  {means[0]:>8.2f}  {means[1]:>7.2f}  {means[2]:>7.3f}")


def microseconds(measured: Measured, box: Any, table: Any, luck: Array, out: Array) -> float:
    """The best of a few measurements, less what the call itself costs; each begins with fresh copies."""
    best = [1e9, 1e9]
    for _ in range(TRIES):
        for kind, repeats in enumerate((0, COPIES)):
            copy_state(box, table, luck, out, COPIES)
            start = time.perf_counter()
            measured(box, table, luck, out, repeats)
            best[kind] = min(best[kind], time.perf_counter() - start)
    return (best[1] - best[0]) / COPIES * 1e6


def games_a_second(kernel: Any, start: State, level: int, games: int) -> float:
    """Of the generic loop, on one core."""
    took = 0.0
    for count in (1, games):
        began = time.process_time()
        kernel.playouts(start, [level, level], count)
        took = time.process_time() - began
    return games / took


if __name__ == "__main__":
    main()
