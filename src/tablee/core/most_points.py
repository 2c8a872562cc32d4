"""The most common way to win: most points, and equal scores share the win. `most_points` makes a room's `wins` out of its `score`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from tablee.core.contract import BaseState
from tablee.core.jit import jit, specialize
from tablee.core.struct import Struct

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import score

B = TypeVar("B", bound=Struct)
S = TypeVar("S", bound=BaseState)


@jit
def wins(box: Struct, state: S, seat: int) -> bool:
    """Return whether no other seat has more points: equal scores share the win."""
    for other in range(state.seats):
        if score(box, state, other) > score(box, state, seat):
            return False
    return True


def most_points(module: str, score: Callable[[B, S, int], int]) -> Callable[[B, S, int], bool]:
    """Return `wins` for the room of this module."""
    made = specialize(sys.modules[__name__], f"{module.rpartition('.')[0]}.core_most_points", {"score": score})
    return cast(Callable[[B, S, int], bool], made.wins)
