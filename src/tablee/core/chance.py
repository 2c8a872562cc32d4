"""Chance that many games share: outcomes that are equally likely, such as the faces of a die or the seat that begins."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array


@jit
def list_equal(out: Array, weights: Array, first: int, count: int) -> int:
    """Write the outcomes first, first + 1, ... with equal weights, for `odds`; return their number."""
    for place in range(count):
        out[place], weights[place] = first + place, 1
    return count
