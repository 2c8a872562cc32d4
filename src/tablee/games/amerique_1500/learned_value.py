"""What a position promises as a search sees it where moves are chosen: the hand-made value, and how many turns sooner or later a seat will
be done than its plan says, as was learned from moves that were played out (`bench/train_amerique_value.py`). A small network (`core/network.py`) of what
is counted tells it; its weights lie in `learned_value.json`, others for each side of the boards, in millionths of a turn.
"""

from __future__ import annotations

from tablee.core.jit import rule
from tablee.core.network import tell
from tablee.core.struct import Array
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import INPUTS, SOONEST, Box
from tablee.games.amerique_1500.evaluation import rival_value, team_value
from tablee.games.amerique_1500.network_inputs import LONGEST, THOUSAND, count
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.rivals import look_at_rivals
from tablee.games.amerique_1500.state import State


@rule
def insight(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    scratch.viewer = seat
    if state.together:
        team_value(box, state, scratch, seat, out)
    else:
        look_at_rivals(box, state, scratch, seat)
        turns = count(box, state, scratch, seat)
        scratch.counted[SOONEST] = min(LONGEST * THOUSAND, scratch.soonest // THOUSAND)
        rival_value(box, state, scratch, seat, turns - sooner(box, state, scratch), out)


@rule
def sooner(box: Box, state: State, scratch: Scratch) -> float:
    """Turns, of the seat that was counted last."""
    return tell(scratch.counted, INPUTS, scratch.totals, box.insight, state.full * INPUTS, box.insights) / MILLION
