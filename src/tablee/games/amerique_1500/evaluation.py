"""Hand-made evaluation: how much sooner a seat's plan is done than the others' plans, or how likely the team is to be in time.

It never reads the hands of other seats (R1). The win probabilities are fitted to games of greedy bots.
"""

from __future__ import annotations

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import jit, popcount, product
from tablee.core.struct import Array
from tablee.core.win_probability import MILLION, win_share
from tablee.games.amerique_1500.box import FACES, Box
from tablee.games.amerique_1500.ending import DISCS_TO_WIN, score, team_discs
from tablee.games.amerique_1500.pace import turns_to_go
from tablee.games.amerique_1500.plan import Scratch, discs_wanted
from tablee.games.amerique_1500.rivals import DISC_WEIGHT, evaluate_rivals
from tablee.games.amerique_1500.state import BARTERING, SERVING, State
from tablee.games.amerique_1500.stock import total

TURN_SCALE = 100_000  # leads are integers, so that equal positions are equal on every machine
GOOD_WEIGHT = 0.1  # goods left break a tie (A10)
STEP_WEIGHT = 0.001  # tie-break: of two equal sequences of steps the shorter
LAST_TURNS = 5.0  # a rival's last turns take longer than planned
SPREAD_NOW, SPREAD_PER_TURN = 0.5, 0.25  # spread of the win probability: now, and for each turn of the soonest rival

TEAM_DISC_WEIGHT = 6.0  # turns: more than it costs to plan for the next disc
TEAMMATE_WEIGHT = 0.5  # of a teammate's turn, against one's own
TEAM_SPREAD = 3 * TURN_SCALE
RESERVE_MARGIN = 6.0  # rounds that the special reserve should last longer


@jit
def value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    scratch.viewer = seat
    if state.together:
        team_value(box, state, scratch, seat, out)
    else:
        evaluate_rivals(box, state, scratch, seat)
        rival_value(box, state, scratch, seat, turns_to_go(box, state, scratch, seat), out)


@jit
def rival_value(box: Box, state: State, scratch: Scratch, seat: int, turns: float, out: Array) -> None:
    """Write the value from the lead over the rivals (see `evaluate_rivals`), if the seat's plan takes this many turns."""
    soonest, lead = scratch.soonest / MILLION, standing(state, seat) - turns - scratch.rivals_value / MILLION
    spread = SPREAD_NOW + product(SPREAD_PER_TURN, soonest)
    out[SHARE] = win_share(int(product(TURN_SCALE, lead)), int(product(TURN_SCALE, spread)), state.seats)
    out[POINTS] = expected_points(box, state, seat, chance_of_all(soonest, turns))


@jit
def team_value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    """Write the value of a team, from how many rounds the special reserve outlasts its plans.

    One roll of six takes a good of the reserve (A18), so each good lasts six rolls.
    """
    estimate = standing(state, seat) + product(TEAM_DISC_WEIGHT, team_discs(state)) - turns_to_go(box, state, scratch, seat)
    for other in range(state.seats):
        if other != seat:
            estimate -= product(TEAMMATE_WEIGHT, turns_to_go(box, state, scratch, other))
    lead = (estimate / 2 + FACES * total(state.spare)) / state.seats - RESERVE_MARGIN
    chance = win_share(int(product(TURN_SCALE, lead)), TEAM_SPREAD, 2)
    out[SHARE] = chance // state.seats
    out[POINTS] = expected_points(box, state, seat, chance / WHOLE_SHARE)


@jit
def standing(state: State, seat: int) -> float:
    """Return what a seat has besides its plan, in turns.

    Before the last disc a good counts no more than a card that will bring it.
    """
    estimate = product(DISC_WEIGHT, popcount(state.placed[seat]))
    if popcount(state.placed[seat]) >= DISCS_TO_WIN:
        estimate += product(GOOD_WEIGHT, total(state.goods[seat]))
    if BARTERING <= state.phase <= SERVING and state.active == seat:
        estimate -= STEP_WEIGHT if state.phase == SERVING else product(2, STEP_WEIGHT)
    return estimate


@jit
def chance_of_all(soonest: float, turns: float) -> float:
    """Return the probability that the game lasts long enough for all discs of a plan.

    A learned correction can make `turns` negative.
    """
    return (soonest + LAST_TURNS) / (soonest + LAST_TURNS + max(0.0, turns))


@jit
def expected_points(box: Box, state: State, seat: int, chance: float) -> int:
    """Return the expected discs: those placed, and those still wanted if the game lasts long enough."""
    return POINT * score(box, state, seat) + int(product(product(POINT, chance), discs_wanted(box, state, seat)))
