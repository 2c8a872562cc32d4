"""For rooms in which everything lies open: nothing is hidden from anybody, so there is nothing to imagine. A room's kernel takes these."""

from __future__ import annotations

from tablee.core.contract import Seated
from tablee.core.jit import rule
from tablee.core.struct import Array, Record

SECRETS = False


@rule
def hide(box: Record, state: Seated, seat: int) -> None:
    """Everybody may see everything,"""


@rule
def imagine(box: Record, state: Seated, seat: int, luck: Array) -> None:
    """and knows it."""
