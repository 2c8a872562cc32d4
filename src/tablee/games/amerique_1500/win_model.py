"""Who is likely to win, as a search sees it where it leaves off playing on: a small network (`core/network.py`) of what is counted of a
seat tells its standing, in millionths of a doubling; whoever stands one higher is twice as likely to win.

The weights are learned from how games end (`bench/train_amerique_win_model.py`) and lie in `win_model.json`, others for each side of the boards, and for one's
own seat and those whose hands may not be looked at (R1). Smooth as it is, it does not know what can just be paid for, so no turn is chosen
by it. A team, and a box that nothing was learned with, go by the insight here too, which then is the hand-made value.
"""

from __future__ import annotations

from tablee.core.contract import POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import rule
from tablee.core.network import tell
from tablee.core.struct import Array
from tablee.core.win_probability import MILLION, doubled
from tablee.games.amerique_1500.box import INPUTS, Box
from tablee.games.amerique_1500.evaluation import chance_of_all, expected_points
from tablee.games.amerique_1500.learned_value import insight
from tablee.games.amerique_1500.network_inputs import count
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.state import State


@rule
def outlook(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    if state.together or box.outlooks == 0:
        insight(box, state, scratch, seat, out)
    else:
        scratch.viewer = seat
        rival_outlook(box, state, scratch, seat, out)


@rule
def rival_outlook(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    turns = count(box, state, scratch, seat)
    mine, soonest, others = told_standing(box, state, scratch, 1), 1000.0, 0
    for other in range(state.seats):
        if other != seat:
            soonest = min(soonest, count(box, state, scratch, other))
            others += doubled(told_standing(box, state, scratch, 0) - mine)
    out[SHARE] = WHOLE_SHARE * MILLION // (MILLION + others)
    out[POINTS] = expected_points(box, state, seat, chance_of_all(soonest, turns))


@rule
def told_standing(box: Box, state: State, scratch: Scratch, own: int) -> int:
    """Of the seat that was counted last."""
    return tell(scratch.counted, INPUTS, scratch.totals, box.outlook, (2 * state.full + own) * INPUTS, box.outlooks)
