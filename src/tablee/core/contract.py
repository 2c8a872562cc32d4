"""What every room's kernel promises: the few compiled functions that it exports, all over (box, state, ...).

Kernel functions allocate nothing, return numbers only and keep no changing globals; what they need to write on is handed to them. So the
same source runs compiled, interpreted and on a GPU. A room's `kernel.py` brings functions of these names that do what is said here; the
generic loops (`loops.py`) are written against these, and bound to the room's.
"""

from __future__ import annotations

from typing import Any

from tablee.core.struct import Array, Struct, field

NATURE = SPECTATOR = -1  # in the place of a seat: who draws, and who only looks
OVER, NATURE_NEXT = 0, -1  # what `awaited` says besides a mask of seats
WHOLE_SHARE = 1_000_000_000  # a share of the win is counted in parts of this
MOST_WEIGHT = (1 << 31) - 1  # of an outcome of nature's
POINT = 1000  # expected points are counted in thousandths
SHARE, POINTS = range(2)  # the places of both in what `value` writes
VALUES = 2


class BaseState(Struct):
    """What every room's state begins with."""

    seats: int = field()


def to_act(box: Any, state: Any) -> int:
    """A mask of the seats whose choice is awaited, NATURE_NEXT, or OVER."""
    raise NotImplementedError


def legal(box: Any, state: Any, seat: int, out: Array) -> int:
    """Writes the legal moves of an awaited seat, in any order, and returns how many there are."""
    raise NotImplementedError


def odds(box: Any, state: Any, out: Array, weights: Array) -> int:
    """Writes nature's outcomes and their whole-number weights, MOST_WEIGHT at most, and returns how many there are. Draws are counted off
    along them, so their order belongs to the rules: records depend on it."""
    raise NotImplementedError


def apply(box: Any, state: Any, seat: int, move: int) -> None:
    """Changes the state in place."""
    raise NotImplementedError


def score(box: Any, state: Any, seat: int) -> int:
    """The seat's points so far."""
    raise NotImplementedError


def wins(box: Any, state: Any, seat: int) -> bool:
    """Whether the seat wins, alone or with others, if the game ends here."""
    raise NotImplementedError


def redact(box: Any, state: Any, seat: int) -> None:
    """Blanks what this seat (or a SPECTATOR) may not know."""
    raise NotImplementedError


def determinize(box: Any, state: Any, seat: int, rng: Array) -> None:
    """Puts something that fits in the place of what was hidden from the seat."""
    raise NotImplementedError


def value(box: Any, state: Any, scratch: Any, seat: int, out: Array) -> None:
    """Writes what a position that is not over promises to the seat: out[SHARE] of the win, and out[POINTS] at the end. `scratch` is for
    trying things out."""
    raise NotImplementedError


def search_value(box: Any, state: Any, scratch: Any, seat: int, out: Array) -> None:
    """The same, as well as the room knows: by what a search chooses among turns. A room without it takes its `value`."""
    raise NotImplementedError


def leaf_value(box: Any, state: Any, scratch: Any, seat: int, out: Array) -> None:
    """The same, as it is most likely to come: where a search leaves off playing on. A room without it takes its `insight`."""
    raise NotImplementedError


MOST_MOVES = 0  # the longest list that `legal` or `odds` writes; a longer one is found out and refused (`kernel.py`)
SECRETS = False  # whether `hide` ever hides anything
# For a search, unless a room says otherwise: so many turns are worth playing out, for so many lines at a table of two and more at larger
# ones (0 is to the end); whoever plays on looks at so many turns at once (0: single moves are played out, and all play on by the insight);
WIDTH, AHEAD, BEAM = 8, 15, 1
PRIOR = 8  # what the room's insight said of a turn counts like so many games played: where few can be, noise does not overrule it;
PER_POINT = 0  # and what a point is worth besides the win, in parts of WHOLE_SHARE
EXPORTS = (to_act, legal, odds, apply, score, wins, redact, determinize, value)
