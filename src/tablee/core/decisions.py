"""The decisions of a game that was played, one by one, from its log: who chose what among which moves, and what that seat could see.
Written once like the generic loops, and bound to a room when somebody asks.
"""

from __future__ import annotations

from typing import Any

from tablee.core.contract import apply, legal, redact, score
from tablee.core.jit import copy, specialize
from tablee.core.kernel import Kernel
from tablee.core.loops import SEAT_SHIFT
from tablee.core.struct import Array, Grid

LINE, SEAT, MOVE, SCORE, LEGAL_END = range(5)  # the places of a decision; its legal moves end there, the next one's begin
DECISION_SIZE = 5


def extract_decisions(box: Any, state: Any, log: Array, states: Any, found: Grid, moves: Array) -> int:
    """Plays a log from this state, and writes for each decision what the seat saw, a row of numbers, and its legal moves after those of
    the decisions before. Returns how many decisions there were."""
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
    """`recount`, bound to a room."""
    rules = vars(kernel.rules)
    return specialize((extract_decisions,), rules, rules["apply"].__module__)["extract_decisions"]
