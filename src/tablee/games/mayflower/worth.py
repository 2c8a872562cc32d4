"""What a position is worth to a seat, for the greedy bot: points made, open features by their chance to close before the explorers
have passed, plains, and settlers kept. In thousandths of a point, so that it means the same compiled and interpreted.
"""

from __future__ import annotations

from tablee.core.game import Seat
from tablee.core.rule import numbers, row_of, rule
from tablee.games.mayflower.box import FARM, NONE, PLAIN, SETTLERS, SLOTS, Box, Pieces
from tablee.games.mayflower.explorers import BONUS, column_under, explorers_beside
from tablee.games.mayflower.features import NEIGHBOURS, is_complete, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.placement import look
from tablee.games.mayflower.scoring import extra_of, full_points, gain, tiles_of, total
from tablee.games.mayflower.settlers import count_on, most_on, spots
from tablee.games.mayflower.state import AT_HOME, COLUMN, DIAGONALS, GAP, NORTH, OVER, SCORE, SETTLE, STEPS, State
from tablee.games.mayflower.turn import apply, go_on_scoring

POINT = 1000
TILES_PER_STEP = 4  # about so many tiles are laid for one step of an explorer
TRUST = 800  # in a chance, against points in hand
HELPERS = 1  # a farm's neighbours are filled by everybody
KEPT = (0, 18000, 30000, 37000, 42000, 44000)  # settlers in the supply, with the whole game to come
AWAY = 200  # what is left of a settler's worth while it stands on a feature that may never close
LAST_MINUTE = 400  # of the explorers' bonus: they may have moved on when the feature closes
GROWTH = 8  # what the plain of a trapper may still gain, per tile left


@rule
def tiles_that_fit(box: Box, state: State, key: int) -> int:
    count = 0
    for design in range(box.designs):
        if box.fits[design, key]:
            count += state.bag[design]
    return count


@rule
def chance_to_fill(box: Box, state: State, cell: int, horizon: int, rivals: int) -> int:
    """That a tile for this cell turns up in time for one who wants it; sea and cells that nothing fits stay empty."""
    there = look(state, cell)
    if NONE < there < GAP:
        return POINT
    if there == NONE or state.left == 0:
        return 0
    likely = POINT * tiles_that_fit(box, state, state.key[there - GAP]) * horizon // state.left
    return POINT * likely // (likely + POINT * rivals)


@rule
def chance_to_close(box: Box, state: State, feature: int, horizon: int) -> int:
    """Of a road or town: every open edge must be met."""
    chance, segment = POINT, feature
    while chance:
        tile = state.tile_of[segment]
        for edge in range(4):
            if box.slot_at[state.design[tile], (edge - state.turned[tile]) & 3] == segment - state.first[tile]:
                chance = chance * chance_to_fill(box, state, state.place[tile] + STEPS[edge], horizon, state.seats) // POINT
        segment = state.ring[segment]
        if segment == feature:
            return chance
    return 0


@rule
def chance_to_surround(box: Box, state: State, tile: int, horizon: int) -> int:
    """Of a farm: every neighbour must be filled, by anybody."""
    chance, cell = POINT, state.place[tile]
    for edge in range(4):
        chance = chance * chance_to_fill(box, state, cell + STEPS[edge], horizon, HELPERS) // POINT
        chance = chance * chance_of_corner(box, state, cell + DIAGONALS[edge], horizon) // POINT
    return chance


@rule
def chance_of_corner(box: Box, state: State, cell: int, horizon: int) -> int:
    """A corner may lie beside no tile yet; sea stays empty for ever (R6)."""
    row = cell % COLUMN - NORTH
    if look(state, cell) != NONE:
        return chance_to_fill(box, state, cell, horizon, HELPERS)
    if cell < COLUMN or (state.rows and not 0 <= row < state.rows):
        return 0
    return POINT * horizon // (horizon + 2 * NEIGHBOURS)


@rule
def tiles_until_passed(state: State, column: int) -> int:
    """How many tiles will be laid before a settler in this column is left behind (M16), or the bag is empty."""
    steps = 2 * (column + 1) - state.explorers[0] - state.explorers[1]
    return min(state.left, max(0, steps) * TILES_PER_STEP)


@rule
def chance_to_stay(state: State, stand: int) -> int:
    """That the explorers have not passed a settler when the game ends."""
    return POINT * tiles_until_passed(state, column_under(state, stand)) // state.left if state.left else POINT


@rule
def chance_to_score(box: Box, state: State, stand: int) -> int:
    """That the feature under a settler is completed before the explorers have passed; a plain never is."""
    subject, horizon = subject_of(state, stand), tiles_until_passed(state, column_under(state, stand))
    kind = subject_kind(box, state, subject)
    if kind == PLAIN:
        return 0
    if is_complete(box, state, subject):
        return POINT
    if kind == FARM:
        return TRUST * chance_to_surround(box, state, tile_under(state, stand), horizon) // POINT
    return TRUST * chance_to_close(box, state, subject - 1, horizon) // POINT


@rule
def feature_worth(box: Box, state: State, seat: int, stand: int, chance: int) -> int:
    """What a feature promises to a seat that leads on it: completed, or else as it stands at the end."""
    subject = subject_of(state, stand)
    kind, tiles, extra = subject_kind(box, state, subject), tiles_of(state, subject), extra_of(state, subject)
    if kind == PLAIN:
        return POINT * extra + GROWTH * state.left
    if chance == POINT:
        return POINT * gain(box, state, seat, subject)
    full = POINT * full_points(kind, 1 + NEIGHBOURS if kind == FARM else tiles, extra)
    bonus = LAST_MINUTE * BONUS * explorers_beside(state, seat, subject)
    otherwise = chance_to_stay(state, stand) * final_points(kind, tiles, extra)
    return (chance * (full + bonus) + (POINT - chance) * otherwise) // POINT


@rule
def is_counted(state: State, seat: int, number: int) -> bool:
    """Whether an earlier settler of this seat stands on the same feature."""
    subject = subject_of(state, state.stands[seat, number])
    for earlier in range(number):
        stand = state.stands[seat, earlier]
        if stand != AT_HOME and subject_of(state, stand) == subject:
            return True
    return False


@rule
def seat_worth(box: Box, state: State, seat: int) -> int:
    worth, free = POINT * total(state, seat), POINT * state.supply[seat]
    if state.phase == OVER:
        return worth
    for number in range(SETTLERS):
        stand = state.stands[seat, number]
        if stand == AT_HOME:
            continue
        subject, chance = subject_of(state, stand), chance_to_score(box, state, stand)
        if subject_kind(box, state, subject) != PLAIN:
            free += AWAY + (POINT - AWAY) * max(chance, POINT - chance_to_stay(state, stand)) // POINT
        if not is_counted(state, seat, number) and count_on(state, seat, subject) == most_on(state, subject):
            worth += feature_worth(box, state, seat, stand, chance)
    return worth + kept_worth(free) * state.left // (state.left + state.tiles)


@rule
def kept_worth(free: int) -> int:
    whole = free // POINT
    if whole >= SETTLERS:
        return KEPT[SETTLERS]
    return KEPT[whole] + (KEPT[whole + 1] - KEPT[whole]) * (free - whole * POINT) // POINT


@rule
def standing_worth(box: Box, state: State, seat: int) -> int:
    """A seat's own worth less the others' average."""
    others = 0
    for other in range(state.seats):
        if other != seat:
            others += seat_worth(box, state, other)
    return seat_worth(box, state, seat) - others // (state.seats - 1)


@rule
def worth(box: Box, table: list[State], seat: int) -> int:
    """Looks to the end of the seat's turn: the best settler it may still put down, and the scoring. table[1] is for trying."""
    state = table[0]
    if state.active != seat or state.phase not in (SETTLE, SCORE):
        return standing_worth(box, state, seat)
    if state.phase == SCORE:
        table[1] = table[0]
        table[1].automatic = 1
        go_on_scoring(box, table[1])
        return standing_worth(box, table[1], seat)
    out = numbers(SLOTS + 2)
    count, best = spots(box, state, out), 0
    for number in range(count):
        table[1] = table[0]
        table[1].automatic = 1
        apply(box, table[1], out[number])
        value = standing_worth(box, table[1], seat)
        if number == 0 or value > best:
            best = value
    return best


def appraise(pieces: Pieces, state: State, seat: Seat) -> float:
    return int(worth(pieces.box, row_of(state, 2), int(seat))) / POINT
