"""Hand-made evaluation: the spaces by which a seat is ahead of the best other seat."""

from __future__ import annotations

from dice_race.box import RUNNERS, Box
from dice_race.state import State
from dice_race.turn import score
from tablee.core.contract import POINT, POINTS, SHARE
from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.win_probability import win_share

SPREAD = 8 * POINT


@jit
def value(box: Box, state: State, scratch: State, seat: int, out: Array) -> None:
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(box, state, other))
    own = score(box, state, seat)
    out[SHARE] = win_share(POINT * (own - best), SPREAD, state.seats)
    out[POINTS] = POINT * (RUNNERS * box.length + own) // 2
