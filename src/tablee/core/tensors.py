"""What a room promises to learners in its `tensors.py`: an observation of fixed size, a fixed list of actions, and kernel functions that
lead from one to the other. A room without that file has no environment and lacks nothing else.

An observation is one row of 16-bit numbers, wide enough for every count of a table (points pass 127) and half of what floats would move.
It begins with the fields of TABLE; then comes, for each seat, what SEAT lists: the seat that looks is first, the others follow clockwise.

    TABLE = (Field("dice", (2,), 0, 6, "the higher first"), ...)
    SEAT = (Field("sheet", (4, 5, 6), 0, 1, "a plane for each type of project"), ...)

An action is a number; ACTIONS lists them in order, kind by kind. Where a room has too many moves for a list, a move is several actions
one after the other: `move_of` then answers with a number below zero, a choice half made. The environment keeps it and hands it in again
as `half` (0 while nothing is chosen yet); the rules never hear of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from tablee.core.jit import jit
from tablee.core.struct import Array

NO_ACTION = -1
NOTHING_CHOSEN = 0  # chosen so far


class Field(NamedTuple):
    """A part of an observation: its numbers lie between `least` and `most`."""

    name: str
    shape: tuple[int, ...]
    least: int
    most: int
    description: str

    @property
    def size(self) -> int:
        return prod(self.shape)


class Action(NamedTuple):
    """So many actions of one kind, one after the other."""

    name: str
    size: int
    description: str


class Bounds(NamedTuple):
    """What no game of a table passes: the decisions of all seats together (a move of several actions is as many) and nature's draws; and,
    for a game that can be played alone, the points of a seat."""

    decisions: int
    draws: int
    most_points: int = 0
    least_points: int = 0


def size_of(parts: Sequence[Field]) -> int:
    """How many numbers these fields take."""
    return sum(part.size for part in parts)


def offset_of(parts: Sequence[Field | Action], name: str) -> int:
    """Where a field, or a kind of action, begins."""
    place = 0
    for part in parts:
        if part.name == name:
            return place
        place += part.size
    raise LookupError(name)


@jit
def write_bits(bits: int, count: int, out: Array) -> None:
    """The lowest bits, one number for each."""
    for place in range(count):
        out[place] = bits >> place & 1


def observe(box: Any, state: Any, half: int, seat: int, out: Array) -> None:
    """Writes what this seat knows; what it may not know has no say in it. `out` is all zero, or holds what was written there earlier in the
    same game, for whichever seat, so that what cannot change need not be written again; and where something is half chosen, what this
    very seat was shown before it chose."""
    raise NotImplementedError


def action_of(box: Any, state: Any, half: int, seat: int, move: int) -> int:
    """The next action of an awaited seat on the way to this legal move, or NO_ACTION if what is half chosen leads elsewhere."""
    raise NotImplementedError


def move_of(box: Any, state: Any, half: int, seat: int, action: int) -> int:
    """The move that a possible action makes; or below zero, the choice half made."""
    raise NotImplementedError


def show_half(half: int) -> str:
    """A choice half made, as people read it: by its number, unless the room has words for it. No kernel function, for it is text."""
    return str(half)


def bounds(box: Any, start: Any) -> Bounds | None:
    """The bounds of every game that begins with this state, or None where the rules set no end. A room's own says why they are true. No
    kernel function."""
    return None


EXPORTS = (observe, action_of, move_of)
