"""The box as integers for the rules: a track with puddles."""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.struct import Array, Struct, array_field, field

MAX_LENGTH = 60
MAX_SEATS, RUNNERS = 4, 2  # D1


class Box(Struct):
    length: int = field()
    slip: int = field()
    puddle: Array = array_field(MAX_LENGTH + 1, bits=8)  # by space


@dataclass(frozen=True)
class Pieces:
    box: Box
