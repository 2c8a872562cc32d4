"""The co-operative variant (A17-A19): a special reserve that runs down whenever somebody rolls a 1."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.amerique_1500.box import KINDS, Box
from tablee.games.amerique_1500.state import ENDED, State
from tablee.games.amerique_1500.stock import total

WARNING_FACE = 1


@jit
def fill_reserve(box: Box, state: State) -> None:
    """A17: by number of players."""
    for good in range(KINDS):
        state.spare[good] = box.spare[state.seats, good]


@jit
def warn(state: State) -> None:
    """A18: whoever rolls a 1 must also take a good of the special reserve."""
    if state.together and state.die == WARNING_FACE:
        state.sparing = 1


@jit
def take_spare(state: State, seat: int, good: int) -> None:
    """A18: if the last one is taken, all lose."""
    state.spare[good] -= 1
    state.goods[seat, good] += 1
    state.sparing = 0
    if total(state.spare) == 0:
        state.lost = 1
        state.phase = ENDED
