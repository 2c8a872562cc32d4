"""The learning interface of a room, its `tensors.py`: an observation of fixed size, a fixed list of actions and their kernel functions.

A room without that file has one derived from its state and its verbs (`derived_tensors.py`).

An observation is one row of int16, wide enough for every count of a table (points exceed 127) and half the bandwidth of float32.
It begins with the fields of TABLE; the fields of SEAT follow for each seat: the observing seat first, the others clockwise.

    TABLE = (Field("dice", (2,), 0, 6, "the higher first"), ...)
    SEAT = (Field("sheet", (4, 5, 6), 0, 1, "a plane for each type of project"), ...)

An action is a number; ACTIONS lists them in order, kind by kind. Where a room has too many moves for a list, a move is a sequence of
actions: `move_of` then returns a negative number, a partial choice. The environment stores it and passes it back as `half` (0 while
nothing is chosen yet); the rules never see it.

A room may also describe the position after a move, for learners that compare legal moves: the `write_features` of its
`candidate_features.py` writes the fields of TABLE_FEATURES, then those of SEAT_FEATURES for each seat, in the order of an observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from tablee.core.contract import BaseState
from tablee.core.jit import jit
from tablee.core.struct import Array, Struct

NO_ACTION = -1
INT16_MAX = 32767  # largest number in an observation
NOTHING_CHOSEN = 0  # `half` before the first action of a move
REDACTED = False  # whether `observe` is given a redacted copy of the state; a room's own knows what the seat may know


class Field(NamedTuple):
    """Field of an observation; its numbers lie between `least` and `most`."""

    name: str
    shape: tuple[int, ...]
    least: int
    most: int
    description: str

    @property
    def size(self) -> int:
        return prod(self.shape)


class Action(NamedTuple):
    """Kind of action: `size` consecutive action numbers."""

    name: str
    size: int
    description: str


class Bounds(NamedTuple):
    """Upper bounds of a game: decisions of all seats together (each action counts) and nature's draws.

    A game that can be played alone also bounds the points of a seat.
    """

    decisions: int
    draws: int
    most_points: int = 0
    least_points: int = 0


def size_of(parts: Sequence[Field]) -> int:
    """Return the total size of these fields, in numbers."""
    return sum(part.size for part in parts)


def offset_of(parts: Sequence[Field | Action], name: str) -> int:
    """Return the offset of a field, or of a kind of action."""
    offset = 0
    for part in parts:
        if part.name == name:
            return offset
        offset += part.size
    raise LookupError(name)


@jit
def to_int16(number: int) -> int:
    """Return the nearest number that an observation can hold."""
    return max(-INT16_MAX, min(INT16_MAX, number))


@jit
def write_bits(bits: int, count: int, out: Array) -> None:
    """Write the `count` lowest bits, one number per bit, lowest first."""
    for place in range(count):
        out[place] = bits >> place & 1


def observe(box: Struct, state: BaseState, half: int, seat: int, out: Array) -> None:
    """Write the observation of this seat; hidden information must not influence it.

    `out` is all zero or holds an earlier observation of the same game, of any seat, so constant fields need not be written again. While a
    choice is partial, it holds the observation that this very seat had before it chose.
    """
    raise NotImplementedError


@jit
def action_of(box: Struct, state: BaseState, half: int, seat: int, move: int) -> int:
    """Return the next action of a seat to act towards this legal move, or NO_ACTION if the partial choice excludes the move.

    A room whose moves are numbered as its ACTIONS are needs neither this function nor `move_of`.
    """
    return move


@jit
def move_of(box: Struct, state: BaseState, half: int, seat: int, action: int) -> int:
    """Return the move that a legal action completes, or a negative number, the partial choice."""
    return action


def write_features(box: Struct, before: BaseState, after: BaseState, scratch: Struct, seat: int, out: Array) -> None:
    """Write the features of the position `after` a move of this seat; hidden information must not influence them.

    `scratch` is the one of the room's `value`, which the function may overwrite.
    """
    raise NotImplementedError


def show_half(half: int) -> str:
    """Return a partial choice as text for people; not a kernel function.

    Rooms may replace this default, which shows the number.
    """
    return str(half)


def bounds(box: Struct, start: BaseState) -> Bounds | None:
    """Return the bounds of every game from this state, or None where the rules set no end; not a kernel function.

    A room's own version explains why its bounds hold.
    """
    return None


EXPORTS = (observe, action_of, move_of)
