"""What a seat is up against: how long the others' plans take, as far as it may know (R1). Many positions in a row differ in one's own seat
only, so what was last found of each of the others is kept.
"""

from __future__ import annotations

from tablee.core.jit import jit, popcount
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import KINDS, Box
from tablee.games.amerique_1500.pace import rough_turns
from tablee.games.amerique_1500.plan import CACHE_CHECK, CACHED_CARDS, CACHED_FAIR, CACHED_GOODS, CACHED_TURN, CACHED_TURNS, Scratch
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total

DISC_WEIGHT = 0.25  # turns: a disc on a request is safe from good neighbours
RIVAL_GOOD_WEIGHT = 0.002  # goods that others have


@jit
def evaluate_rivals(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    """The turns of whoever is soonest done, and what they are all worth together, half the best of them and half their average."""
    soonest, best, sum_of_all, goods = 1000.0, -1000.0, 0.0, 0.0
    for other in range(state.seats):
        if other != seat:
            turns = cached_rough_turns(box, state, scratch, other)
            worth = DISC_WEIGHT * popcount(state.placed[other]) - turns
            soonest, best, sum_of_all = min(soonest, turns), max(best, worth), sum_of_all + worth
            goods += RIVAL_GOOD_WEIGHT * total(state.goods[other]) * (1 + popcount(state.placed[other]))
    scratch.soonest = int(MILLION * soonest)
    scratch.rivals_value = int(MILLION * (goods + (best + sum_of_all / (state.seats - 1)) / 2))


@jit
def cached_rough_turns(box: Box, state: State, scratch: Scratch, other: int) -> float:
    """`rough_turns`, unless everything that it goes by is as it was: the goods, ten bits each; the cards held and to be drawn, and goods of
    choice; how the fair stands; what was crafted, and the turn under way if it is theirs. The check tells what was remembered from whatever
    else may have lain there, of another box or of none."""
    known, has, owns = scratch.rival_cache[other], 0, state.held[other] << 16 | state.draws[other] << 8 | state.picks[other]
    for good in range(KINDS):
        has = has << 10 | state.goods[other, good]
    stands = state.demands << 16 | state.placed[other] << 8 | state.seats << 4 | state.full << 2 | state.society[other]
    midst = state.made[other] << 27
    if state.active == other:
        midst |= 1 << 26 | state.phase << 22 | min(state.done, 255) << 14 | state.taken << 8 | state.handing << 4 | popcount(state.owes)
    check = box.checksum ^ has ^ owns << 1 ^ stands << 2 ^ midst << 3
    if (
        known[CACHED_GOODS] != has
        or known[CACHED_CARDS] != owns
        or known[CACHED_FAIR] != stands
        or known[CACHED_TURN] != midst
        or known[CACHE_CHECK] != check ^ known[CACHED_TURNS]
    ):
        known[CACHED_GOODS], known[CACHED_CARDS], known[CACHED_FAIR], known[CACHED_TURN] = has, owns, stands, midst
        known[CACHED_TURNS] = int(MILLION * rough_turns(box, state, scratch, other))
        known[CACHE_CHECK] = check ^ known[CACHED_TURNS]
    return known[CACHED_TURNS] / MILLION
