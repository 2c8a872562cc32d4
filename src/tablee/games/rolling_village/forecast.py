"""Gain of each legal move, shown before the move is made."""

from __future__ import annotations

from tablee.core.game import Seat
from tablee.core.jit import copy, jit
from tablee.core.kernel import sorted_legal_moves
from tablee.core.struct import Array, fill, int_array
from tablee.games.rolling_village.box import CELLS, Box
from tablee.games.rolling_village.evaluation import current_round_points
from tablee.games.rolling_village.notation import AVENUE_MOVE, NOTATION
from tablee.games.rolling_village.scoring import avenue_points
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.turn import MOST_MOVES, legal


def forecast(box: Box, state: State, seat: Seat) -> dict[str, int]:
    """Return each legal move's gain on the active avenue (on the best one if any may be picked), or the picked avenue's score."""
    if not state.todo[seat]:
        return {}
    legal_now = sorted_legal_moves(legal, MOST_MOVES, box, state, seat)
    moves, out = int_array(len(legal_now)), int_array(len(legal_now))
    fill(moves, legal_now)
    move_gains(box, state, State(), seat, moves, out)
    return dict(zip(map(NOTATION.show, legal_now), out.tolist(), strict=True))


@jit
def move_gains(box: Box, state: State, scratch: State, seat: int, moves: Array, out: Array) -> None:
    """Write the gain of each of these moves."""
    copy(state, scratch)
    before = current_round_points(box, state, seat)
    for number in range(len(moves)):
        move = moves[number]
        if move >= AVENUE_MOVE:
            out[number] = avenue_points(box, state.marks[seat], move - AVENUE_MOVE)
        else:
            kind = move // CELLS
            scratch.marks[seat, kind] = state.marks[seat, kind] | 1 << move % CELLS
            out[number] = current_round_points(box, scratch, seat) - before
            scratch.marks[seat, kind] = state.marks[seat, kind]
