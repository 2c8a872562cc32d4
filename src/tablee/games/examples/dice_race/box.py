"""The box as integers for the rules: a track with puddles."""

from __future__ import annotations

from tablee.core.components import Components
from tablee.core.i18n import msg
from tablee.core.struct import Array, Struct, array_field, field

MAX_LENGTH = 60
MAX_SEATS, RUNNERS = 4, 2  # D1


class Box(Struct):
    length: int = field()
    slip: int = field()
    puddle: Array = array_field(MAX_LENGTH + 1, bits=8)  # by space


def load(components: Components) -> Box:
    """Read the box and check it; a fault names its line."""
    box = Box()
    box.length = components.get_int("track", "length", 6, MAX_LENGTH)
    box.slip = components.get_int("track", "slip", 1, box.length)
    puddles = components.value("track", "puddles")
    if not isinstance(puddles, list) or not all(type(space) is int and 0 < space < box.length for space in puddles):
        raise components.fault(msg("puddles must be a list of spaces between the start and the finish"), "track", "puddles")
    for space in puddles:
        box.puddle[space] = 1
    return box
