"""The end: three discs and a finished round (A10), or the team's discs against the special reserve (A18, A19)."""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.games.amerique_1500.box import Box
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total

DISCS_TO_WIN = 3


@jit
def score(box: Box, state: State, seat: int) -> int:
    """Return the discs on requests; `wins` breaks ties by the goods left (A10)."""
    return popcount(state.placed[seat])


@jit
def team_discs(state: State) -> int:
    count = 0
    for seat in range(state.seats):
        count += popcount(state.placed[seat])
    return count


@jit
def team_target(state: State) -> int:
    """Return the discs that the team needs: three for each player, by any of them (A19)."""
    return DISCS_TO_WIN * state.seats


@jit
def team_has_won(state: State) -> bool:
    return bool(state.together) and team_discs(state) >= team_target(state)


def progress(state: State) -> tuple[int, int]:
    """Return the discs of the team or of the leading seat, and the discs that end the game."""
    if state.together:
        return int(team_discs(state)), int(team_target(state))
    return min(DISCS_TO_WIN, max(int(popcount(state.placed[seat])) for seat in range(state.seats))), DISCS_TO_WIN


@jit
def is_anyone_done(state: State) -> bool:
    for seat in range(state.seats):
        if popcount(state.placed[seat]) >= DISCS_TO_WIN:
            return True
    return False


@jit
def round_is_full(state: State) -> bool:
    """Return whether all seats have had equally many turns (A10)."""
    return state.turns % state.seats == 0


@jit
def wins(box: Box, state: State, seat: int) -> bool:
    """Return whether the seat wins (A10), or its team (A19).

    Of the seats with three discs or more, the one with most goods left wins; equal ones share the win. A team wins or loses as one.
    """
    if state.together:
        return team_has_won(state) and not state.lost
    if popcount(state.placed[seat]) < DISCS_TO_WIN:
        return False
    for other in range(state.seats):
        if popcount(state.placed[other]) >= DISCS_TO_WIN and total(state.goods[other]) > total(state.goods[seat]):
            return False
    return True


def is_last_round(state: State) -> bool:
    """Return whether a seat has the discs that can win, so that the round is played to its end (A10); a team wins at once (R7)."""
    return not state.together and bool(is_anyone_done(state))


def ranking(box: Box, state: State) -> list[tuple[int, int]]:
    """Return the seats in final order with their places, best first and equal ones in the same place (A10); a team stays in table order."""
    done = [(bool(wins(box, state, seat)), int(score(box, state, seat)), int(total(state.goods[seat]))) for seat in range(state.seats)]
    order = range(state.seats) if state.together else sorted(range(state.seats), key=lambda seat: done[seat], reverse=True)
    return [(seat, 1 + sum(other > done[seat] for other in done)) for seat in order]


def deciding_goods(box: Box, state: State) -> list[int]:
    """Return the goods, most first, of the seats with enough discs, if goods decided between several (A10)."""
    rivals = [seat for seat in range(state.seats) if score(box, state, seat) >= DISCS_TO_WIN and not state.together]
    decided = len(rivals) > 1 and sum(bool(wins(box, state, seat)) for seat in rivals) == 1
    return sorted((int(total(state.goods[seat])) for seat in rivals), reverse=True) if decided else []
