"""State of a race: the spaces of the runners, and the die."""

from __future__ import annotations

from dice_race.box import MAX_SEATS, RUNNERS
from tablee.core.contract import BaseState
from tablee.core.struct import Grid, array_field, field


class State(BaseState):
    active: int = field()
    die: int = field()  # 0: not thrown yet
    at: Grid = array_field(MAX_SEATS, RUNNERS, bits=8)
