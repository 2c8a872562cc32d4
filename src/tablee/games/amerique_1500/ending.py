"""The end: three discs and a finished round (A10), or the team's discs against the special reserve (A18, A19)."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.games.amerique_1500.box import Box
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total

DISCS_TO_WIN = 3


@jit
def score(box: Box, state: State, seat: int) -> int:
    """The discs on requests. Equal ones are told apart by the goods left (A10), which only `wins` knows."""
    return popcount(state.placed[seat])


@jit
def team_discs(state: State) -> int:
    count = 0
    for seat in range(state.seats):
        count += popcount(state.placed[seat])
    return count


@jit
def team_target(state: State) -> int:
    """A19: three discs for each player, whoever places them."""
    return DISCS_TO_WIN * state.seats


@jit
def team_has_won(state: State) -> bool:
    return bool(state.together) and team_discs(state) >= team_target(state)


def progress(state: State) -> tuple[int, int]:
    """The discs of the team, or of whoever has most, of those that end the game."""
    if state.together:
        return int(team_discs(state)), int(team_target(state))
    return min(DISCS_TO_WIN, max(int(popcount(state.placed[seat])) for seat in range(state.seats))), DISCS_TO_WIN


@jit
def somebody_is_done(state: State) -> bool:
    for seat in range(state.seats):
        if popcount(state.placed[seat]) >= DISCS_TO_WIN:
            return True
    return False


@jit
def round_is_full(state: State) -> bool:
    """A10: all have had equally many turns."""
    return state.turns % state.seats == 0


@jit
def wins(box: Box, state: State, seat: int) -> bool:
    """A10: of those with three discs or more, whoever has most goods left; equal ones share. A19: the team wins or loses as one."""
    if state.together:
        return team_has_won(state) and not state.lost
    if popcount(state.placed[seat]) < DISCS_TO_WIN:
        return False
    for other in range(state.seats):
        if popcount(state.placed[other]) >= DISCS_TO_WIN and total(state.goods[other]) > total(state.goods[seat]):
            return False
    return True
