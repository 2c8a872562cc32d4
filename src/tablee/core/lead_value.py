"""The simplest evaluation: the lead over the best other seat. `lead_value` makes a room's `value` out of its `score`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tablee.core.contract import POINT, POINTS, SHARE, BaseState
from tablee.core.jit import jit, specialize
from tablee.core.struct import Array, Struct
from tablee.core.win_probability import win_share

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import score

    SPREAD = 8  # points


B = TypeVar("B", bound=Struct)
S = TypeVar("S", bound=BaseState)


@jit
def value(box: Struct, state: S, scratch: Struct, seat: int, out: Array) -> None:
    """Evaluate the seat's lead; the points so far stand for those at the end."""
    own = score(box, state, seat)
    best = own if state.seats == 1 else score(box, state, (seat + 1) % state.seats)
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(box, state, other))
    out[SHARE] = win_share(POINT * (own - best), POINT * SPREAD, state.seats)
    out[POINTS] = POINT * own


def lead_value(module: str, score: Callable[[B, S, int], int], spread: int) -> Callable[[B, S, Any, int, Array], None]:
    """Return `value` for the room of this module; a lead of `spread` points wins three duels out of four.

    `score` may be any function of (box, state, seat): one that also counts what a position promises makes better bots.
    """
    room = f"{module.rpartition('.')[0]}.core_lead_value"
    made: Callable[[B, S, Any, int, Array], None] = specialize(sys.modules[__name__], room, {"score": score, "SPREAD": spread}).value
    return made
