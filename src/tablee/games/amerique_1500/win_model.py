"""Learned win probability for the leaves of a search: softmax to base 2 over the seats' standings.

A network (`core/network.py`: integers, one hidden layer, ReLU) maps a seat's inputs to its standing in millionths of a doubling: a seat
that stands 1 higher is twice as likely to win. `training/amerique_win_model.py` trains it on how games end; the weights lie in
`win_model.json`, another set for each side of the boards, and for the own seat and those whose hands are hidden (R1).

The model is smooth and does not know what can just be paid for, so moves are not chosen by it. A team, and a box for which no weights were
trained, use `search_value` here too, which then is the hand-made evaluation.
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
    """Return the network's output, for the seat of the last `fill_inputs`; `own` is 1 for the viewer's seat."""
    return forward(scratch.inputs, INPUTS, scratch.hidden, box.win_weights, (2 * state.full + own) * INPUTS, box.win_units)
