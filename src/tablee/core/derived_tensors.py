"""The learning interface of a room without `tensors.py`: its whole state as the seat may know it, and its moves by their numbers.

An observation begins with the number of the seat; the fields of the redacted state follow in their order. An array with a row for each
seat of the largest table begins with the observing seat's row, the others clockwise. Numbers beyond 16 bits are clipped. A room's own
`tensors.py` may say more: which numbers a field can have, seats counted from the one that looks, sets of bits number by number.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tablee.core.contract import BaseState
from tablee.core.game import Game
from tablee.core.jit import jit, specialize
from tablee.core.struct import WORD_BYTES, Array, Struct
from tablee.core.tensors import INT16_MAX, NO_ACTION, Field, to_int16

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    WORDS = BITS = ROWS = COLUMNS = BY_SEAT = (0,)  # of each field of the state
    MOVES = 0  # that players choose from

WORD_BITS = 8 * WORD_BYTES


@jit
def number_at(state: BaseState, word: int, bits: int, place: int) -> int:
    """Return a number of an array of narrow ones, which lie side by side in words."""
    bit = place * bits
    number = state.words[word + bit // WORD_BITS] >> bit % WORD_BITS
    if bits == WORD_BITS:
        return number
    sign = 1 << (bits - 1)
    return ((number + sign) & (2 * sign - 1)) - sign


@jit
def observe(box: Struct, state: BaseState, half: int, seat: int, out: Array) -> None:
    out[0], end = seat, 1
    for field in range(len(WORDS)):
        for row in range(ROWS[field]):
            source = (seat + row) % state.seats if BY_SEAT[field] and row < state.seats else row
            for column in range(COLUMNS[field]):
                out[end] = to_int16(number_at(state, WORDS[field], BITS[field], source * COLUMNS[field] + column))
                end += 1


@jit
def action_of(box: Struct, state: BaseState, half: int, seat: int, move: int) -> int:
    return move if move < MOVES else NO_ACTION


def derive(game: Game[Any]) -> ModuleType:
    """Return what a room's `tensors.py` would hold."""
    fields, most_seats = game.kernel.state.fields, game.seats[-1]
    table, columns = [Field("seat", (1,), 0, most_seats - 1, "the seat that looks")], list[int]()
    for name, field in fields.items():
        shape, most = field.shape or (1,), min(INT16_MAX, (1 << field.bits - 1) - 1)
        table.append(Field(name, shape, max(-INT16_MAX, -most - 1), most, "as the state has it"))
        columns.append(table[-1].size // shape[0])
    exports = {
        "WORDS": tuple(field.word for field in fields.values()),
        "BITS": tuple(field.bits for field in fields.values()),
        "ROWS": tuple(part.shape[0] for part in table[1:]),
        "COLUMNS": tuple(columns),
        "BY_SEAT": tuple(int(field.shape[:1] == (most_seats,)) for field in fields.values()),
        "MOVES": sum(action.size for action in game.actions),
    }
    room = specialize(sys.modules[__name__], f"{game.kernel.package}.core_derived_tensors", exports)
    vars(room).update(TABLE=tuple(table), SEAT=(), ACTIONS=game.actions, REDACTED=game.secrets)
    return room
