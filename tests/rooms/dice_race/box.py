"""What lies in the box: a track with puddles."""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.struct import Array, Record, cell, cells

MAX_LENGTH = 60
MAX_SEATS, RUNNERS = 4, 2  # D1


class Box(Record):
    length: int = cell()
    slip: int = cell()
    puddle: Array = cells(MAX_LENGTH + 1, bits=8)  # by space


@dataclass(frozen=True)
class Pieces:
    box: Box
