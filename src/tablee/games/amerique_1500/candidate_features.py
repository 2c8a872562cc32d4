"""Features of the position after a move, for learners that compare legal moves (`core/candidates.py`): the inputs of the networks.

Of another seat's hand only its size is described (R1).
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, Field, offset_of, size_of, to_int16
from tablee.games.amerique_1500.box import INPUTS, Box
from tablee.games.amerique_1500.ending import score
from tablee.games.amerique_1500.network_inputs import fill_inputs
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total

TABLE_FEATURES = (
    Field("full", (1,), 0, 1, "whether this is the full game"),
    Field("together", (1,), 0, 1, "whether all play together"),
    Field("spare", (1,), 0, INT16_MAX, "goods in the special reserve"),
    Field("lost", (1,), 0, 1, "whether the team has lost"),
)
SEAT_FEATURES = (
    Field("points", (1,), 0, INT16_MAX, "so far"),
    Field("gained", (1,), 0, INT16_MAX, "points since before the move"),
    Field("active", (1,), 0, 1, "whose turn it is"),
    Field("owes", (1,), 0, 1, "whether it owes its neighbour a good"),
    Field(
        "inputs", (INPUTS,), -INT16_MAX, INT16_MAX, "the inputs of the networks (`network_inputs.py`): goods in 24ths, turns in thousandths"
    ),
)
FULL, TOGETHER, SPARE, LOST = (offset_of(TABLE_FEATURES, field.name) for field in TABLE_FEATURES)
POINTS, GAINED, ACTIVE, OWES, OF_NETWORK = (offset_of(SEAT_FEATURES, field.name) for field in SEAT_FEATURES)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE_FEATURES), size_of(SEAT_FEATURES)


@jit
def write_features(box: Box, before: State, after: State, scratch: Scratch, seat: int, out: Array) -> None:
    out[FULL], out[TOGETHER], out[SPARE], out[LOST] = after.full, after.together, total(after.spare), after.lost
    scratch.viewer = seat
    for place in range(after.seats):
        first = SEATS_OFFSET + place * SEAT_SIZE
        write_seat(box, before, after, scratch, (seat + place) % after.seats, out[first : first + SEAT_SIZE])


@jit
def write_seat(box: Box, before: State, after: State, scratch: Scratch, seat: int, out: Array) -> None:
    out[POINTS] = score(box, after, seat)
    out[GAINED] = out[POINTS] - score(box, before, seat)
    out[ACTIVE], out[OWES] = int(seat == after.active), after.owes >> seat & 1
    fill_inputs(box, after, scratch, seat)
    for number in range(INPUTS):
        out[OF_NETWORK + number] = to_int16(scratch.inputs[number])
