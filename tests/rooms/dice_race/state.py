"""The state of a race: where the runners are, and what was thrown."""

from __future__ import annotations

from dice_race.box import MAX_SEATS, RUNNERS
from tablee.core.contract import Seated
from tablee.core.struct import Grid, cell, cells


class State(Seated):
    active: int = cell()
    die: int = cell()  # 0: not thrown yet
    at: Grid = cells(MAX_SEATS, RUNNERS, bits=8)
