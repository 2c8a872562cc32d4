"""A turn: nature rolls the die, the seat moves a runner (D2-D4)."""

from __future__ import annotations

from dice_race.box import RUNNERS, Box
from dice_race.notation import ROLL
from dice_race.state import State
from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.game import Options
from tablee.core.jit import jit
from tablee.core.struct import Array

FACES = MOST_MOVES = 6


def setup(seats: int, options: Options) -> State:
    state = State()
    state.seats = seats
    return state


@jit
def to_act(box: Box, state: State) -> int:
    for seat in range(state.seats):
        if wins(box, state, seat):
            return OVER
    return 1 << state.active if state.die else NATURE_NEXT


@jit
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    count = 0
    for runner in range(RUNNERS):
        if state.at[seat, runner] < box.length:
            out[count] = runner
            count += 1
    return count


@jit
def odds(box: Box, state: State, out: Array, weights: Array) -> int:
    for face in range(FACES):
        out[face], weights[face] = ROLL + face + 1, 1
    return FACES


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    if move > ROLL:
        state.die = move - ROLL
        return
    space = min(box.length, state.at[seat, move] + state.die)  # D2
    state.at[seat, move] = max(0, space - box.slip) if box.puddle[space] else space  # D3
    state.die, state.active = 0, (state.active + 1) % state.seats


@jit
def score(box: Box, state: State, seat: int) -> int:
    return state.at[seat, 0] + state.at[seat, 1]


@jit
def wins(box: Box, state: State, seat: int) -> bool:
    """Return whether both runners are at the finish (D4)."""
    return score(box, state, seat) == RUNNERS * box.length
