"""What was learned of settlers: how much more, or less, than `worth.py` says turns come to that are played out (`bench/train_mayflower_value.py`). A
weighted sum of what is counted for each settler on the land, by what is under it, and for those at hand, early and late in the game. The
weights lie in `learned_value.json`, in millionths of a thousandth of a point.
"""

from __future__ import annotations

from tablee.core.contract import POINT
from tablee.core.jit import rule
from tablee.games.mayflower.box import COUNTED, FARM, LEARNED, PLAIN, SETTLED, SETTLERS, Box
from tablee.games.mayflower.explorers import explorers_in
from tablee.games.mayflower.features import column_under, subject_kind, subject_of
from tablee.games.mayflower.scoring import extra_of, tiles_of
from tablee.games.mayflower.stands import Stand, segment_under
from tablee.games.mayflower.state import OPEN_EDGES, Scratch

ONE, PROMISED, IN_VAIN, HORIZON, TILES, EXTRA, CHANCE, HOPELESS, EXPLORERS, OPEN = range(SETTLED)
MILLION = 1_000_000


# What is counted is kept for `bench/train_mayflower_value.py`. It is true only where the seat has nothing more to settle: spots that are tried count too.


@rule
def count_nothing(scratch: Scratch) -> None:
    for place in range(LEARNED):
        scratch.counted_up[place] = 0


@rule
def learned_of_settler(box: Box, scratch: Scratch, stand: Stand, takes: bool, promised: int, horizon: int, chance: int) -> int:
    subject = subject_of(scratch, stand)
    kind = subject_kind(box, scratch, subject)
    first = SETTLERS + SETTLED * (kind - PLAIN)
    total = learned_of(box, scratch, first + ONE, 1) + learned_of(box, scratch, first + PROMISED, promised)
    total += learned_of(box, scratch, first + HORIZON, horizon) + learned_of(box, scratch, first + CHANCE, chance)
    if not takes:
        total += learned_of(box, scratch, first + IN_VAIN, 1)
    if kind != PLAIN:
        total += learned_of(box, scratch, first + HOPELESS, int(chance == 0))
        total += learned_of(box, scratch, first + EXPLORERS, explorers_in(scratch, column_under(scratch, stand)))
    if kind != FARM:
        total += learned_of(box, scratch, first + TILES, tiles_of(scratch, subject))
        total += learned_of(box, scratch, first + EXTRA, extra_of(scratch, subject))
        if kind != PLAIN:
            total += learned_of(box, scratch, first + OPEN, scratch.segment[segment_under(subject), OPEN_EDGES])
    return total // MILLION


@rule
def learned_of_free(box: Box, scratch: Scratch, free: int) -> int:
    total = 0
    for number in range(SETTLERS):
        total += learned_of(box, scratch, number, max(0, free - number * POINT))
    return total // MILLION


@rule
def learned_of(box: Box, scratch: Scratch, place: int, count: int) -> int:
    early, late = scratch.left * count, scratch.tiles * count
    scratch.counted_up[place] += early
    scratch.counted_up[COUNTED + place] += late
    return box.insight[place] * early + box.insight[COUNTED + place] * late
