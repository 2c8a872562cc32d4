"""The state and the rules: nature rolls the die, the seat moves a runner (D2-D4)."""

from __future__ import annotations

from tablee.core.chance import list_equal
from tablee.core.contract import NATURE_NEXT, OVER, BaseState
from tablee.core.game import Options
from tablee.core.jit import jit
from tablee.core.lead_value import lead_value
from tablee.core.perfect_information import SECRETS, determinize, redact
from tablee.core.struct import Array, Grid, array_field, field
from tablee.core.tracks import ahead
from tablee.games.examples.dice_race.box import MAX_SEATS, RUNNERS, Box
from tablee.games.examples.dice_race.notation import ROLL

__all__ = ["MOST_MOVES", "SECRETS", "apply", "determinize", "legal", "odds", "redact", "score", "to_act", "value", "wins"]
FACES = MOST_MOVES = 6


class State(BaseState):
    active: int = field()
    die: int = field()  # 0: not thrown yet
    at: Grid = array_field(MAX_SEATS, RUNNERS, bits=8)  # the spaces of the runners


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
    return list_equal(out, weights, ROLL + 1, FACES)


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    if move > ROLL:
        state.die = move - ROLL
        return
    space = ahead(state.at[seat, move], state.die, box.length)  # D2
    state.at[seat, move] = max(0, space - box.slip) if box.puddle[space] else space  # D3
    state.die, state.active = 0, (state.active + 1) % state.seats


@jit
def score(box: Box, state: State, seat: int) -> int:
    return state.at[seat, 0] + state.at[seat, 1]


@jit
def wins(box: Box, state: State, seat: int) -> bool:
    """Return whether both runners are at the finish (D4)."""
    return score(box, state, seat) == RUNNERS * box.length


value = lead_value(__name__, score, spread=8)
