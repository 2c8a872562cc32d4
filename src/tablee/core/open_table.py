"""For rooms in which everything lies open: nothing is hidden from anybody, so there is nothing to imagine. A room's kernel takes these."""

from __future__ import annotations

from tablee.core.cells import Array, Record
from tablee.core.contract import Seated
from tablee.core.rule import rule

SECRETS = False


@rule
def hide(box: Record, state: Seated, seat: int) -> None:
    """Everybody may see everything,"""


@rule
def imagine(box: Record, state: Seated, seat: int, luck: Array) -> None:
    """and knows it."""
