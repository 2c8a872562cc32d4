"""Decisions of a played game, extracted from its log: seat, move, legal moves and redacted state of each.

The loop is generic like those of `loops.py`; `decision_extractor` specialises it for a room on demand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tablee.core.jit import copy, jit, specialize
from tablee.core.kernel import B, Kernel
from tablee.core.loops import SEAT_SHIFT
from tablee.core.struct import Array, Struct, StructArray
from tablee.core.workspace import Decision, S

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import apply, legal, redact, score


@jit
def extract_decisions(box: Struct, state: S, log: Array, seen: StructArray[S], decisions: StructArray[Decision], moves: Array) -> int:
    """Replay a log from this state and return the number of decisions.

    Each decision gets the state redacted for its seat in `seen`, and its legal moves in `moves`, all concatenated.
    """
    count, end = 0, 0
    for line in range(len(log)):
        seat, move = (log[line] >> SEAT_SHIFT) - 1, log[line] & (1 << SEAT_SHIFT) - 1
        if seat >= 0:
            copy(state, seen[count])
            redact(box, seen[count], seat)
            end += legal(box, state, seat, moves[end:])
            decision = decisions[count]
            decision.line, decision.seat, decision.move = line, seat, move
            decision.score, decision.legal_end = score(box, state, seat), end
            count += 1
        apply(box, state, seat, move)
    return count


def decision_extractor(kernel: Kernel[B, S]) -> Callable[[B, S, Array, StructArray[S], StructArray[Decision], Array], int]:
    """Return `extract_decisions`, specialised for a room."""
    made = specialize(sys.modules[__name__], f"{kernel.package}.core_decisions", vars(kernel.rules))
    return made.extract_decisions  # type: ignore[no-any-return]
