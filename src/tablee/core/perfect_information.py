"""For rooms in which everything lies open: nothing is hidden from anybody, so there is nothing to imagine. A room's kernel takes these."""

from __future__ import annotations

from tablee.core.contract import BaseState
from tablee.core.jit import jit
from tablee.core.struct import Array, Struct

SECRETS = False


@jit
def redact(box: Struct, state: BaseState, seat: int) -> None:
    """Everybody may see everything,"""


@jit
def determinize(box: Struct, state: BaseState, seat: int, rng: Array) -> None:
    """and knows it."""
