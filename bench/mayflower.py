"""Micro-benchmark of Mayflower's rules at 20, 50 and 90 tiles, in microseconds, and whole games a second.

Measures the legal placements, a turn (both moves generated and applied) and a copy of the state; then games of random and greedy bots.

python -m bench.mayflower
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tablee.core import loops
from tablee.core.game import choose_options
from tablee.core.jit import copy, jit
from tablee.core.rng import Rng, make_rng, next_number, pick, randbelow
from tablee.core.struct import Array, StructArray, int_array, to_native
from tablee.games import find
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.placement import places
from tablee.games.mayflower.state import BY_LOT, DRAW, LAY, State
from tablee.games.mayflower.turn import MOST_MOVES, apply, legal, odds

POSITIONS, COPIES, TRIES = 30, 100, 5
GAMES = {"random": (loops.RANDOM, 5000), "greedy": (loops.GREEDY, 200)}
Measured = Callable[[Any, Any, Rng, Array, int], int]


@jit
def random_move(box: Any, state: Any, rng: Rng, out: Array) -> int:
    """Choose a random move; `out` has space for moves, followed by weights."""
    if state.phase in (BY_LOT, DRAW):
        weights = out[MOST_MOVES:]
        return out[pick(weights, odds(box, state, out, weights), next_number(rng))]
    return out[randbelow(rng, legal(box, state, state.active, out))]


@jit
def advance(box: Any, states: Any, tiles: int, rng: Rng, out: Array) -> None:
    """Play a random game from states[0] on states[1], up to the lay of tile number `tiles`."""
    copy(states[0], states[1])
    state = states[1]
    while state.tiles - SPACES < tiles or state.phase != LAY:
        apply(box, state, state.active, random_move(box, state, rng, out))


@jit
def list_places(box: Any, states: Any, rng: Rng, out: Array, repeats: int) -> int:
    found = 0
    for _ in range(repeats):
        found += places(box, states[1], out)
    return found


@jit
def copy_state(box: Any, states: Any, rng: Rng, out: Array, repeats: int) -> int:
    for number in range(repeats):
        copy(states[1], states[2 + number])
    return repeats


@jit
def lay_and_settle(box: Any, states: Any, rng: Rng, out: Array, repeats: int) -> int:
    """Play one turn on each copy."""
    for number in range(repeats):
        state = states[2 + number]
        apply(box, state, state.active, random_move(box, state, rng, out))
        apply(box, state, state.active, random_move(box, state, rng, out))
    return repeats


def main() -> None:
    game = find("mayflower")
    states = StructArray(State, 2 + COPIES)
    copy(game.setup(2, choose_options(game, 2, {})), states[0])
    rules(to_native(game.kernel.box), to_native(states), states[1])
    for level, (number, games) in GAMES.items():
        print(f"{level}: {games_a_second(game.kernel, states[0], number, games):,.0f} games/s, 2 seats")


def rules(box: Any, states: Any, position: State) -> None:
    rng, out = to_native(make_rng((1, 1))), to_native(int_array(2 * MOST_MOVES))
    print(f"a state has {State.layout.itemsize:,} bytes")
    print("tiles  frontier  legal  legal_us  turn_us  copy_us")
    for tiles in (20, 50, 90):
        sums = [0.0] * 5
        for _ in range(POSITIONS):
            advance(box, states, tiles, rng, out)
            legal = list_places(box, states, rng, out, 1)
            costs = (microseconds(each, box, states, rng, out) for each in (list_places, lay_and_settle, copy_state))
            sums = [one + other for one, other in zip(sums, (position.gaps, legal, *costs), strict=True)]
        gaps, places_found, *means = (total / POSITIONS for total in sums)
        print(f"{tiles:>5}  {gaps:>8.1f}  {places_found:>5.1f}  {means[0]:>8.2f}  {means[1]:>7.2f}  {means[2]:>7.3f}")


def microseconds(measured: Measured, box: Any, states: Any, rng: Rng, out: Array) -> float:
    """Return the best of a few measurements, less the cost of the call; each starts with fresh copies."""
    best = [1e9, 1e9]
    for _ in range(TRIES):
        for kind, repeats in enumerate((0, COPIES)):
            copy_state(box, states, rng, out, COPIES)
            start = time.perf_counter()
            measured(box, states, rng, out, repeats)
            best[kind] = min(best[kind], time.perf_counter() - start)
    return (best[1] - best[0]) / COPIES * 1e6


def games_a_second(kernel: Any, start: State, level: int, games: int) -> float:
    """Return the games a second of the generic loop, on one core."""
    took = 0.0
    for count in (1, games):
        began = time.process_time()
        kernel.playouts(start, [level, level], count)
        took = time.process_time() - began
    return games / took


if __name__ == "__main__":
    main()
