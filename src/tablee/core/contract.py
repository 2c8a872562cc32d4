"""The kernel contract: the jitted functions over (box, state, ...) that every room exports from its `kernel.py`.

Kernel functions allocate nothing, return numbers only and read no mutable globals; callers pass the buffers that they write to. So the
same source runs compiled, interpreted and on a GPU. A room's `kernel.py` defines functions of these names that do what is specified here;
the generic loops (`loops.py`) call these names and are specialised for each room.
"""

from __future__ import annotations

from tablee.core.rng import Rng
from tablee.core.struct import Array, Struct, field

NATURE = SPECTATOR = -1  # seat numbers of the player that draws and of one that only watches
OVER, NATURE_NEXT = 0, -1  # results of `to_act` besides a mask of seats
WHOLE_SHARE = 1_000_000_000  # fixed-point unit of a share of the win
MOST_WEIGHT = (1 << 31) - 1  # of one of nature's outcomes
POINT = 1000  # fixed-point unit of expected points
SHARE, POINTS = range(2)  # indices into the output of `value`
VALUES = 2


class BaseState(Struct):
    """Common prefix of every room's state."""

    seats: int = field()


def to_act(box: Struct, state: BaseState) -> int:
    """Return a mask of the seats to act, NATURE_NEXT, or OVER."""
    raise NotImplementedError


def legal(box: Struct, state: BaseState, seat: int, out: Array) -> int:
    """Write the legal moves of a seat to act, in any order, and return their number."""
    raise NotImplementedError


def odds(box: Struct, state: BaseState, out: Array, weights: Array) -> int:
    """Write nature's outcomes and their integer weights, at most MOST_WEIGHT each, and return their number.

    A draw walks along the cumulative weights, so the order belongs to the rules: records depend on it.
    """
    raise NotImplementedError


def apply(box: Struct, state: BaseState, seat: int, move: int) -> None:
    """Apply a move to the state in place."""
    raise NotImplementedError


def score(box: Struct, state: BaseState, seat: int) -> int:
    """Return the seat's points so far."""
    raise NotImplementedError


def wins(box: Struct, state: BaseState, seat: int) -> bool:
    """Return whether the seat wins, alone or with others, if the game ends here."""
    raise NotImplementedError


def redact(box: Struct, state: BaseState, seat: int) -> None:
    """Redact, in place, the information that is hidden from this seat (or from a SPECTATOR)."""
    raise NotImplementedError


def determinize(box: Struct, state: BaseState, seat: int, rng: Rng) -> None:
    """Determinize in place: sample the information hidden from the seat, consistent with what it knows."""
    raise NotImplementedError


def value(box: Struct, state: BaseState, scratch: Struct, seat: int, out: Array) -> None:
    """Evaluate an unfinished position for the seat: write out[SHARE] of the win and out[POINTS] at the end, in fixed point.

    The function may overwrite `scratch`.
    """
    raise NotImplementedError


def search_value(box: Struct, state: BaseState, scratch: Struct, seat: int, out: Array) -> None:
    """Evaluate like `value`, with the learned evaluation that a search ranks turns by; the default is `value`."""
    raise NotImplementedError


def leaf_value(box: Struct, state: BaseState, scratch: Struct, seat: int, out: Array) -> None:
    """Evaluate the leaf of a rollout like `value`, as the most likely outcome; the default is `search_value`."""
    raise NotImplementedError


MOST_MOVES = 0  # the longest list that `legal` or `odds` writes; a guard word detects a longer one (`kernel.py`)
SECRETS = False  # whether `redact` ever hides anything
# Defaults of a search, which a room may override:
CANDIDATES = 8  # candidate turns that get rollouts
ROLLOUT_LINES = 15  # lines of a rollout at a table of two, in proportion at larger ones; 0: to the end
ROLLOUT_BEAM = 1  # beam width inside a rollout; 0: candidates are single moves, and all seats roll out greedily by `search_value`
PRIOR_ROLLOUTS = 8  # rollouts that the `search_value` of a turn weighs as much as, so that the noise of a few rollouts does not overrule it
SHARE_PER_POINT = 0  # value of a point besides the win, in parts of WHOLE_SHARE
EXPORTS = (to_act, legal, odds, apply, score, wins, redact, determinize, value)
