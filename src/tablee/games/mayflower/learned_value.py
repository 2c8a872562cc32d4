"""Learned correction of the evaluation: a linear model over the settlers on the land, by kind, and those in the supply.

It predicts how far rollouts differ from `evaluation.py` (`training/mayflower_value.py`). Each input has two weights, for early and late
in the game: w·x·(tiles left) + w'·x·(tiles laid). The weights in `learned_value.json` are millionths of a thousandth of a point.
"""

from __future__ import annotations

from tablee.core.contract import POINT
from tablee.core.jit import jit
from tablee.games.mayflower.box import FARM, INPUTS, INPUTS_PER_KIND, INPUTS_PER_PHASE, PLAIN, SETTLERS, Box
from tablee.games.mayflower.explorers import explorers_in
from tablee.games.mayflower.features import column_under, subject_kind, subject_of
from tablee.games.mayflower.scoring import extra_of, tiles_of
from tablee.games.mayflower.stands import Stand, segment_under
from tablee.games.mayflower.state import OPEN_EDGES, Scratch

BIAS, EXPECTED, NO_MAJORITY, HORIZON, TILES, EXTRA, CHANCE, NO_CHANCE, EXPLORERS, OPEN = range(INPUTS_PER_KIND)
MILLION = 1_000_000


# `training/mayflower_value.py` reads `scratch.inputs`. They are valid only where the seat has nothing more to settle: spots that are
# tried out are added too.


@jit
def clear_inputs(scratch: Scratch) -> None:
    for place in range(INPUTS):
        scratch.inputs[place] = 0


@jit
def settler_correction(box: Box, scratch: Scratch, stand: Stand, takes: bool, promised: int, horizon: int, chance: int) -> int:
    subject = subject_of(scratch, stand)
    kind = subject_kind(box, scratch, subject)
    first = SETTLERS + INPUTS_PER_KIND * (kind - PLAIN)
    total = accumulate_input(box, scratch, first + BIAS, 1) + accumulate_input(box, scratch, first + EXPECTED, promised)
    total += accumulate_input(box, scratch, first + HORIZON, horizon) + accumulate_input(box, scratch, first + CHANCE, chance)
    if not takes:
        total += accumulate_input(box, scratch, first + NO_MAJORITY, 1)
    if kind != PLAIN:
        total += accumulate_input(box, scratch, first + NO_CHANCE, int(chance == 0))
        total += accumulate_input(box, scratch, first + EXPLORERS, explorers_in(scratch, column_under(scratch, stand)))
    if kind != FARM:
        total += accumulate_input(box, scratch, first + TILES, tiles_of(scratch, subject))
        total += accumulate_input(box, scratch, first + EXTRA, extra_of(scratch, subject))
        if kind != PLAIN:
            total += accumulate_input(box, scratch, first + OPEN, scratch.segment[segment_under(subject), OPEN_EDGES])
    return total // MILLION


@jit
def supply_correction(box: Box, scratch: Scratch, free: int) -> int:
    total = 0
    for number in range(SETTLERS):
        total += accumulate_input(box, scratch, number, max(0, free - number * POINT))
    return total // MILLION


@jit
def accumulate_input(box: Box, scratch: Scratch, place: int, count: int) -> int:
    early, late = scratch.left * count, scratch.tiles * count
    scratch.inputs[place] += early
    scratch.inputs[INPUTS_PER_PHASE + place] += late
    return box.learned_weights[place] * early + box.learned_weights[INPUTS_PER_PHASE + place] * late
