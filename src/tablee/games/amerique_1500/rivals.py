"""Evaluation of the other seats: how many turns their plans take, as far as the seat may know (R1).

Most successive positions of a search differ in the searching seat only, so the last result for each other seat is cached.
"""

from __future__ import annotations

from tablee.core.jit import jit, popcount, product
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import KINDS, Box
from tablee.games.amerique_1500.pace import rough_turns
from tablee.games.amerique_1500.plan import CACHE_CHECK, CACHED_CARDS, CACHED_FAIR, CACHED_GOODS, CACHED_TURN, CACHED_TURNS, Scratch
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total

DISC_WEIGHT = 0.25  # turns: a disc on a request is safe from Good neighbours
RIVAL_GOOD_WEIGHT = 0.002  # turns for each good of a rival


@jit
def evaluate_rivals(box: Box, state: State, scratch: Scratch, seat: int) -> None:
    """Store the fewest turns that a rival's plan takes, and the rivals' combined value: their goods, plus the mean of best and average."""
    soonest, best, sum_of_all, goods = 1000.0, -1000.0, 0.0, 0.0
    for other in range(state.seats):
        if other != seat:
            turns = cached_rough_turns(box, state, scratch, other)
            estimate = product(DISC_WEIGHT, popcount(state.placed[other])) - turns
            soonest, best, sum_of_all = min(soonest, turns), max(best, estimate), sum_of_all + estimate
            goods += product(product(RIVAL_GOOD_WEIGHT, total(state.goods[other])), 1 + popcount(state.placed[other]))
    scratch.soonest = int(product(MILLION, soonest))
    scratch.rivals_value = int(product(MILLION, goods + (best + sum_of_all / (state.seats - 1)) / 2))


@jit
def cached_rough_turns(box: Box, state: State, scratch: Scratch, other: int) -> float:
    """Return `rough_turns`, from the cache if none of its inputs goods changed.

    The inputs are packed into four integers: the goods, ten bits each; the cards held and to be drawn, and goods of choice; the requests
    and the table; the items crafted, and the turn under way if it is the seat's. CACHE_CHECK tells a valid entry from uninitialised memory
    or an entry of another box.
    """
    cached, goods, cards = scratch.rival_cache[other], 0, state.held[other] << 16 | state.draws[other] << 8 | state.picks[other]
    for good in range(KINDS):
        goods = goods << 10 | state.goods[other, good]
    fair = state.demands << 16 | state.placed[other] << 8 | state.seats << 4 | state.full << 2 | state.society[other]
    turn = state.made[other] << 27
    if state.active == other:
        turn |= 1 << 26 | state.phase << 22 | min(state.done, 255) << 14 | state.taken << 8 | state.handing << 4 | popcount(state.owes)
    check = box.checksum ^ goods ^ cards << 1 ^ fair << 2 ^ turn << 3
    if (
        cached[CACHED_GOODS] != goods
        or cached[CACHED_CARDS] != cards
        or cached[CACHED_FAIR] != fair
        or cached[CACHED_TURN] != turn
        or cached[CACHE_CHECK] != check ^ cached[CACHED_TURNS]
    ):
        cached[CACHED_GOODS], cached[CACHED_CARDS], cached[CACHED_FAIR], cached[CACHED_TURN] = goods, cards, fair, turn
        cached[CACHED_TURNS] = int(product(MILLION, rough_turns(box, state, scratch, other)))
        cached[CACHE_CHECK] = check ^ cached[CACHED_TURNS]
    return cached[CACHED_TURNS] / MILLION
