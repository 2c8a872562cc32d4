"""What each legal move would give, before it is made."""

from __future__ import annotations

from tablee.core.game import Move, Seat
from tablee.core.kernel import listed
from tablee.games.rolling_village.box import CELLS, Box
from tablee.games.rolling_village.notation import AVENUE_MOVE, NOTATION
from tablee.games.rolling_village.scoring import avenue_points
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.turn import MOST_MOVES, legal
from tablee.games.rolling_village.worth import worth_now


def forecast(box: Box, state: State, seat: Seat) -> dict[str, int]:
    """For each legal move, what it adds to the active avenue (to the best one when any may be picked), or what an avenue would score."""
    if not state.todo[seat]:
        return {}
    before = worth_now(box, state, seat)
    return {NOTATION.show(move): _gain(box, state, seat, move, before) for move in listed(legal, MOST_MOVES, box, state, seat)}


def _gain(box: Box, state: State, seat: Seat, move: Move, before: int) -> int:
    if move >= AVENUE_MOVE:
        return avenue_points(box, state.marks[seat], move - AVENUE_MOVE)
    after = state.copy()
    after.marks[seat, move // CELLS] |= 1 << (move % CELLS)
    return worth_now(box, after, seat) - before
