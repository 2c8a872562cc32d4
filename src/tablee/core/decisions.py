"""Decisions of a played game, extracted from its log: seat, move, legal moves and redacted state of each.

The loop is generic like those of `loops.py`; `decision_extractor` specialises it for a room on demand.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tablee.core.jit import copy, jit, specialize
from tablee.core.kernel import Kernel
from tablee.core.loops import SEAT_SHIFT
from tablee.core.struct import Array, Grid

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import apply, legal, redact, score

LINE, SEAT, MOVE, SCORE, LEGAL_END = range(5)  # columns of a decision; LEGAL_END: offset in `moves` behind its legal moves
DECISION_SIZE = 5


@jit
def extract_decisions(box: Any, state: Any, log: Array, states: Any, found: Grid, moves: Array) -> int:
    """Replay a log from this state and return the number of decisions.

    Each decision gets the state redacted for its seat in `states`, a row in `found`, and its legal moves in `moves`, all concatenated.
    """
    count, end = 0, 0
    for line in range(len(log)):
        seat, move = (log[line] >> SEAT_SHIFT) - 1, log[line] & (1 << SEAT_SHIFT) - 1
        if seat >= 0:
            copy(state, states[count])
            redact(box, states[count], seat)
            end += legal(box, state, seat, moves[end:])
            found[count, LINE], found[count, SEAT], found[count, MOVE] = line, seat, move
            found[count, SCORE], found[count, LEGAL_END] = score(box, state, seat), end
            count += 1
        apply(box, state, seat, move)
    return count


def decision_extractor(kernel: Kernel[Any, Any]) -> Any:
    """Return `extract_decisions`, specialised for a room."""
    return specialize(sys.modules[__name__], f"{kernel.package}.core_decisions", vars(kernel.rules)).extract_decisions
