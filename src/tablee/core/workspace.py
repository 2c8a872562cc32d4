"""Memory of the generic loops, in named tuples that travel as one argument.

A named tuple of structs and arrays is one value with named fields in Python, in machine code and on a GPU, and costs nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from tablee.core.contract import BaseState
from tablee.core.rng import Rng
from tablee.core.struct import Array, Struct, StructArray, array_field, field, fill

S = TypeVar("S", bound=BaseState)

LONGEST_TURN = 12  # moves of a candidate turn of a search; the rollout's policy plays any later ones


class Progress(Struct):
    """Progress of a game in the loops."""

    lines: int = field()  # of its log
    draws: int = field()  # of nature
    finished: int = field()  # 1 when it is over


class CandidateTurn(Struct):
    """Candidate turn of a seat: the seat's moves until another seat or nature is to act."""

    share: int = field()  # evaluation of the position after it, as `value` writes it
    points: int = field()
    steps: int = field()  # number of moves
    is_open: int = field()  # 1 while more moves may follow
    ties: int = field()  # in beam search, the number of equal turns that competed for this place
    share_sum: int = field()  # sums of the values of its rollouts
    points_sum: int = field()
    moves: Array = array_field(LONGEST_TURN)


def turn_of(moves: Sequence[int]) -> CandidateTurn:
    """Return these moves as a candidate turn."""
    turn = CandidateTurn()
    turn.steps = len(moves)
    fill(turn.moves[: turn.steps], moves)
    return turn


class Workspace(NamedTuple, Generic[S]):
    """What every loop writes to."""

    seen: S  # the determinized state of a seat
    trial: S  # the state after a trial move
    game: S  # the state of a rollout
    scratch: Struct  # the room's own, for its evaluation
    out: Array  # a list of moves or outcomes
    weights: Array  # of nature's outcomes
    values: Array  # an evaluation


class Beam(NamedTuple, Generic[S]):
    """Memory of a beam search over turns; the halves of both arrays hold the present and the next generation."""

    states: StructArray[S]  # after the turns
    turns: StructArray[CandidateTurn]
    longest: int  # moves of a turn, at most


class Rollouts(NamedTuple, Generic[S]):
    """Settings and memory of the rollouts of one thread."""

    levels: Array  # the policy of each seat
    max_lines: int  # of a rollout; 0: to the end
    key: Rng  # key of the search
    rng: Rng  # of the present rollout
    progress: Progress  # of the present rollout
    beam: Beam[S]


class Decision(Struct):
    """Decision of a played game."""

    line: int = field()
    seat: int = field()
    move: int = field()
    score: int = field()
    legal_end: int = field()  # offset behind its legal moves, which are concatenated
