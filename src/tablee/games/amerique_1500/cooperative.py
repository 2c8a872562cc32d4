"""The co-operative variant (A17-A19): a special reserve that runs down with every rolled 1."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.amerique_1500.box import KINDS, Box
from tablee.games.amerique_1500.state import ENDED, State
from tablee.games.amerique_1500.stock import total

WARNING_FACE = 1


@jit
def fill_reserve(box: Box, state: State) -> None:
    """Fill the special reserve, by number of players (A17)."""
    for good in range(KINDS):
        state.spare[good] = box.spare[state.seats, good]


@jit
def warn(state: State) -> None:
    """Oblige the seat that rolled a 1 to take a good of the special reserve (A18)."""
    if state.together and state.die == WARNING_FACE:
        state.sparing = 1


@jit
def take_spare(state: State, seat: int, good: int) -> None:
    """Take a good of the special reserve; if it was the last one, all lose (A18)."""
    state.spare[good] -= 1
    state.goods[seat, good] += 1
    state.sparing = 0
    if total(state.spare) == 0:
        state.lost = 1
        state.phase = ENDED
