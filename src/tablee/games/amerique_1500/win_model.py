"""Who is likely to win, as a search sees it where it leaves off playing on: a small network (`core/network.py`) of what is counted of a
seat tells its standing, in millionths of a doubling; whoever stands one higher is twice as likely to win.

The weights are learned from how games end (`bench/train_amerique_win_model.py`) and lie in `win_model.json`, others for each side of the boards, and for one's
own seat and those whose hands may not be looked at (R1). Smooth as it is, it does not know what can just be paid for, so no turn is chosen
by it. A team, and a box that nothing was learned with, go by the insight here too, which then is the hand-made value.
"""

from __future__ import annotations

from tablee.core.contract import POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import jit
from tablee.core.network import forward
from tablee.core.struct import Array
from tablee.core.win_probability import MILLION, exp2_fixed
from tablee.games.amerique_1500.box import INPUTS, Box
from tablee.games.amerique_1500.evaluation import chance_of_all, expected_points
from tablee.games.amerique_1500.learned_value import search_value
from tablee.games.amerique_1500.network_inputs import fill_inputs
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.state import State


@jit
def leaf_value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    if state.together or box.win_units == 0:
        search_value(box, state, scratch, seat, out)
    else:
        scratch.viewer = seat
        rival_win_share(box, state, scratch, seat, out)


@jit
def rival_win_share(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    turns = fill_inputs(box, state, scratch, seat)
    mine, soonest, others = network_standing(box, state, scratch, 1), 1000.0, 0
    for other in range(state.seats):
        if other != seat:
            soonest = min(soonest, fill_inputs(box, state, scratch, other))
            others += exp2_fixed(network_standing(box, state, scratch, 0) - mine)
    out[SHARE] = WHOLE_SHARE * MILLION // (MILLION + others)
    out[POINTS] = expected_points(box, state, seat, chance_of_all(soonest, turns))


@jit
def network_standing(box: Box, state: State, scratch: Scratch, own: int) -> int:
    """Of the seat that was counted last."""
    return forward(scratch.inputs, INPUTS, scratch.hidden, box.win_weights, (2 * state.full + own) * INPUTS, box.win_units)
