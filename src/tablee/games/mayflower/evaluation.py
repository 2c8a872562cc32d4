"""Evaluation of a position for a seat: expected points in thousandths and, by the lead over the others, the share of the win.

Expected points are points made, open features by their chance to close before the explorers have passed, plains, and free settlers.
"""

from __future__ import annotations

from tablee.core.contract import POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import copy, jit
from tablee.core.struct import Array
from tablee.core.win_probability import win_share
from tablee.games.mayflower.box import FARM, PLAIN, SETTLERS, Box
from tablee.games.mayflower.completion_chances import CERTAIN, chance_to_score, chance_to_stay, count_bag, tiles_until_passed
from tablee.games.mayflower.explorers import BONUS, explorers_beside, explorers_in
from tablee.games.mayflower.features import NEIGHBOURS, column_under, is_complete, subject_kind, subject_of
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.learned_value import clear_inputs, settler_correction, supply_correction
from tablee.games.mayflower.scoring import extra_of, full_points, gain, score, tiles_of, wins
from tablee.games.mayflower.scoring_order import waiting
from tablee.games.mayflower.settlers import count_on, most_on, spots, stand_for
from tablee.games.mayflower.stands import AT_HOME, Stand, is_farm, segment_under
from tablee.games.mayflower.state import AT_END, SCORE, SETTLE, Scratch, State, feature_of, stand_of
from tablee.games.mayflower.turn import apply, go_on_scoring

SUPPLY_VALUES = (0, 18000, 30000, 37000, 42000, 44000)  # of 0 to 5 settlers in the supply, with the whole game to come
PLACED_SETTLER_VALUE = 200  # thousandths of a free settler's value while it stands on a feature that may never close
EXPLORER_BONUS_WEIGHT = 400  # thousandths of the explorers' bonus: they may have moved on when the feature closes
PLAIN_GROWTH = 8  # expected growth of a trapper's plain, per tile left
FUTURE_POINTS_PER_TILE = 3100  # further points of all seats together, per tile left, beyond the expected ones
SPREAD_NOW, SPREAD_PER_TILE = POINT, 340  # spread of the final lead, measured in 500 games of greedy against greedy
NO_VALUE = -1


@jit
def value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    scratch.learned_seat = NO_VALUE
    evaluate_turn_end(box, state, scratch, seat, out)


@jit
def search_value(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    """Evaluate like `value`, with the learned correction for the seat's own settlers (`learned_value.py`)."""
    scratch.learned_seat = seat
    clear_inputs(scratch)
    evaluate_turn_end(box, state, scratch, seat, out)


@jit
def evaluate_turn_end(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    """Evaluate the end of the seat's turn: after the best settler it may still put down, and the scoring."""
    copy(state, scratch)
    count_bag(box, scratch)
    out[SHARE], out[POINTS] = NO_VALUE, NO_VALUE
    if scratch.active == seat and scratch.phase == SETTLE:
        evaluate_spots(box, state, scratch, seat, out)
        return
    if scratch.active == seat and scratch.phase == SCORE:
        scratch.automatic = 1
        go_on_scoring(box, scratch)
    estimate_all_seats(box, scratch)
    keep_better(box, scratch, seat, seat_value(box, scratch, seat), out)


@jit
def evaluate_spots(box: Box, state: State, scratch: Scratch, seat: int, out: Array) -> None:
    """Evaluate every spot for a settler and write the best value.

    Spots that trigger no scoring differ only in the new settler's expected points; every other spot is played out.
    """
    count, ends_here = spots(box, scratch, scratch.spots), waiting(box, scratch) != 0 or scratch.left == 0
    if not ends_here:
        evaluate_quiet_spots(box, scratch, seat, count, out)
    for number in range(count):
        if ends_here or (number > 0 and scores_at_once(box, state, scratch.spots[number])):
            copy(state, scratch)
            scratch.automatic = 1
            apply(box, scratch, seat, scratch.spots[number])
            estimate_all_seats(box, scratch)
            keep_better(box, scratch, seat, seat_value(box, scratch, seat), out)


@jit
def scores_at_once(box: Box, state: State, settle: int) -> bool:
    return is_complete(box, state, subject_of(state, stand_for(box, state, settle)))


@jit
def evaluate_quiet_spots(box: Box, scratch: Scratch, seat: int, count: int, out: Array) -> None:
    estimate_all_seats(box, scratch)
    promised, free = scratch.expected[seat], scratch.free[seat]
    best = seat_value(box, scratch, seat)
    for number in range(1, count):
        stand = stand_for(box, scratch, scratch.spots[number])
        if not is_complete(box, scratch, subject_of(scratch, stand)):
            scratch.expected[seat], scratch.free[seat] = promised, free - POINT
            add_settler(box, scratch, seat, stand, True)
            best = max(best, seat_value(box, scratch, seat))
    keep_better(box, scratch, seat, best, out)


@jit
def estimate_all_seats(box: Box, scratch: Scratch) -> None:
    """Write every seat's expected points and free settlers."""
    for seat in range(scratch.seats):
        scratch.expected[seat], scratch.free[seat] = POINT * score(box, scratch, seat), POINT * scratch.supply[seat]
        if scratch.phase != AT_END:
            add_settlers(box, scratch, seat)


@jit
def add_settlers(box: Box, scratch: Scratch, seat: int) -> None:
    for number in range(SETTLERS):
        stand = stand_of(scratch, seat, number)
        if stand != AT_HOME:
            add_settler(box, scratch, seat, stand, is_alone(scratch, stand) or is_first_of_majority(scratch, seat, number))


@jit
def is_alone(scratch: Scratch, stand: Stand) -> bool:
    """Return whether no other settler stands on the same feature."""
    return is_farm(stand) or scratch.held[feature_of(scratch, segment_under(stand))] <= 1


@jit
def is_first_of_majority(scratch: Scratch, seat: int, number: int) -> bool:
    """Return whether a settler is the first of a majority (M12), so that a feature counts once per seat that would take it."""
    subject = subject_of(scratch, stand_of(scratch, seat, number))
    for earlier in range(number):
        stand = stand_of(scratch, seat, earlier)
        if stand != AT_HOME and subject_of(scratch, stand) == subject:
            return False
    return count_on(scratch, seat, subject) == most_on(scratch, subject)


@jit
def add_settler(box: Box, scratch: Scratch, seat: int, stand: Stand, takes: bool) -> None:
    """Add the value of a placed settler's return to the supply and, if its seat `takes` the feature, the feature's expected points."""
    subject = subject_of(scratch, stand)
    kind = subject_kind(box, scratch, subject)
    horizon, chance, before = tiles_until_passed(scratch, column_under(scratch, stand)), 0, scratch.expected[seat]
    if kind == PLAIN:
        scratch.expected[seat] += takes * (POINT * extra_of(scratch, subject) + PLAIN_GROWTH * scratch.left)
    else:
        chance = chance_to_score(box, scratch, subject, kind, horizon)
        stays = chance_to_stay(scratch, horizon)
        scratch.free[seat] += PLACED_SETTLER_VALUE + (POINT - PLACED_SETTLER_VALUE) * max(chance, CERTAIN - stays) // CERTAIN
        if takes and chance == CERTAIN:
            scratch.expected[seat] += POINT * gain(box, scratch, seat, subject)
        elif takes:
            completed = completed_points(scratch, seat, stand, kind)
            otherwise = stays * final_points(kind, tiles_of(scratch, subject), extra_of(scratch, subject))
            scratch.expected[seat] += (chance * completed + (CERTAIN - chance) * otherwise) // CERTAIN
    if scratch.learned_seat == seat:
        promised = scratch.expected[seat] - before
        scratch.expected[seat] += settler_correction(box, scratch, stand, takes, promised, horizon, chance)


@jit
def completed_points(scratch: Scratch, seat: int, stand: Stand, kind: int) -> int:
    """Return the points that a completed road, town or farm gives a seat whose majority includes this settler."""
    subject = subject_of(scratch, stand)
    alone = is_alone(scratch, stand)
    explorers = explorers_in(scratch, column_under(scratch, stand)) if alone else explorers_beside(scratch, seat, subject)
    tiles = 1 + NEIGHBOURS if kind == FARM else tiles_of(scratch, subject)
    return POINT * full_points(kind, tiles, extra_of(scratch, subject)) + EXPLORER_BONUS_WEIGHT * BONUS * explorers


@jit
def seat_value(box: Box, scratch: Scratch, seat: int) -> int:
    total = scratch.expected[seat] + supply_value(scratch.free[seat]) * scratch.left // (scratch.left + scratch.tiles)
    return total + supply_correction(box, scratch, scratch.free[seat]) if scratch.learned_seat == seat else total


@jit
def supply_value(free: int) -> int:
    whole = free // POINT
    if whole >= SETTLERS:
        return SUPPLY_VALUES[SETTLERS]
    return SUPPLY_VALUES[whole] + (SUPPLY_VALUES[whole + 1] - SUPPLY_VALUES[whole]) * (free - whole * POINT) // POINT


@jit
def keep_better(box: Box, scratch: Scratch, seat: int, own: int, out: Array) -> None:
    """Write this value if it beats the one written before: the share of the win comes first, then points."""
    points = own + FUTURE_POINTS_PER_TILE * scratch.left // scratch.seats
    if scratch.phase == AT_END:
        share = share_at_end(box, scratch, seat)
    else:
        share = win_share(own - mean_value_of_others(box, scratch, seat), SPREAD_NOW + SPREAD_PER_TILE * scratch.left, scratch.seats)
    if share > out[SHARE] or (share == out[SHARE] and points > out[POINTS]):
        out[SHARE], out[POINTS] = share, points


@jit
def mean_value_of_others(box: Box, scratch: Scratch, seat: int) -> int:
    others = 0
    for other in range(scratch.seats):
        if other != seat:
            others += seat_value(box, scratch, other)
    return others // (scratch.seats - 1)


@jit
def share_at_end(box: Box, scratch: Scratch, seat: int) -> int:
    winners = 0
    for each in range(scratch.seats):
        winners += int(wins(box, scratch, each))
    return WHOLE_SHARE // winners if wins(box, scratch, seat) else 0
