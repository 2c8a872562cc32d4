"""Learned value for the choice of moves: the hand-made evaluation, with the turns of the seat's plan corrected by a network.

The network (`core/network.py`: integers, one hidden layer, ReLU) predicts how many turns sooner the seat will be done than its plan says.
`training/amerique_value.py` trains it on moves that were played out; the weights lie in `learned_value.json`, another set for each side
of the boards, in millionths of a turn.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.network import forward
from tablee.core.struct import Array
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import INPUTS, SOONEST, Box
from tablee.games.amerique_1500.evaluation import rival_value, team_value
from tablee.games.amerique_1500.network_inputs import MAX_TURNS, THOUSAND, fill_inputs
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.rivals import evaluate_rivals
from tablee.games.amerique_1500.state import State


@jit
def search_value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    scratch.viewer = seat
    if state.together:
        team_value(box, state, scratch, seat, out)
    else:
        evaluate_rivals(box, state, scratch, seat)
        turns = fill_inputs(box, state, scratch, seat)
        scratch.inputs[SOONEST] = min(MAX_TURNS * THOUSAND, scratch.soonest // THOUSAND)
        rival_value(box, state, scratch, seat, turns - learned_turns_saved(box, state, scratch), out)


@jit
def learned_turns_saved(box: Box, state: State, scratch: Scratch) -> float:
    """Return the network's output in turns, for the seat of the last `fill_inputs`."""
    return forward(scratch.inputs, INPUTS, scratch.hidden, box.learned_weights, state.full * INPUTS, box.value_units) / MILLION
