"""Candidates: the features of the position after each legal move, for a batch of games; specialised for each room like `stepping.py`.

The moves were listed by `stepping.list_candidates`. A move is applied to a copy of the state, before nature or another seat acts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.core.jit import copy, jit
from tablee.core.slots import Slots
from tablee.core.stepping import WAIT
from tablee.core.struct import Struct
from tablee.core.workspace import S, Workspace

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import apply
    from tablee.core.tensors import write_features


@jit
def describe_batch(box: Struct, slots: Slots[S], size: int, workspace: Workspace[S], first: int, last: int) -> None:
    """Write the `size` features of every listed candidate of the slots `first` to `last - 1`; rows beyond the list stay as they were."""
    for number in range(first, last):
        if slots.actions[number] == WAIT:
            continue
        state, seat, moves = slots.states[number], slots.progress[number].acting_seat, slots.candidate_moves[number]
        features = slots.candidate_features[number]
        for place in range(min(len(moves), slots.candidate_counts[number])):
            copy(state, workspace.trial)
            apply(box, workspace.trial, seat, moves[place])
            write_features(box, state, workspace.trial, workspace.scratch, seat, features[place * size : (place + 1) * size])


LOOPS = (describe_batch,)
