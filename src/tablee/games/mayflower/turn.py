"""A turn in its order: draw (M5), lay (M6), settle (M7), score (M8); after the last tile the final scoring (M18)."""

from __future__ import annotations

import numpy as np

from tablee.core.rule import Array, blank, numbers, pick, rule
from tablee.games.mayflower.box import NONE, SETTLERS, Box
from tablee.games.mayflower.final import final_score
from tablee.games.mayflower.news import ASIDE, ENDED, forget, tell
from tablee.games.mayflower.notation import DRAW_MOVE, FIRST_MOVE, LAY_MOVE, PASS
from tablee.games.mayflower.placement import fits_somewhere, lay, lay_coast, places
from tablee.games.mayflower.scoring import score
from tablee.games.mayflower.settlers import settle, spots, stand_for
from tablee.games.mayflower.state import DRAW, FIRST, LAY, MAX_GAPS, OVER, SCORE, SETTLE, State
from tablee.games.mayflower.waiting import best_first, score_moves, subject_for, waiting

MOST_MOVES = 4 * MAX_GAPS


def setup(box: Box, seats: int, first: int, rows: int, automatic: bool) -> State:
    """M2-M4: the coast, five settlers each, both explorers in column 0. `first` may be NONE: nature names the seat."""
    state = blank(State)
    state.seats, state.rows, state.automatic, state.drawn = seats, rows, int(automatic), NONE
    state.phase, state.active = (FIRST, 0) if first == NONE else (DRAW, first)
    state.bag[:] = box.copies
    state.left = int(box.copies.sum())
    state.supply[:seats] = SETTLERS
    lay_coast(box, state)
    return state


@rule
def legal(box: Box, state: State, out: Array) -> int:
    """Writes the active player's legal moves and returns how many there are; their order follows the frontier's."""
    if state.phase == LAY:
        return places(box, state, out)
    if state.phase == SETTLE:
        return spots(box, state, out)
    if state.phase == SCORE:
        return score_moves(box, state, out)
    return 0


@rule
def apply(box: Box, state: State, move: int) -> None:
    """Changes the state in place; `Match` hands it a copy of its own."""
    forget(state)
    if state.phase == LAY:
        apply_lay(box, state, move)
    elif state.phase == SETTLE:
        apply_settle(box, state, move)
    elif state.phase == SCORE:
        score(box, state, subject_for(box, state, move))
        go_on_scoring(box, state)
    elif state.phase == DRAW:
        apply_draw(box, state, move - DRAW_MOVE)
    else:
        state.active, state.phase = move - FIRST_MOVE, DRAW  # M4


@rule
def apply_draw(box: Box, state: State, design: int) -> None:
    """M5: a tile that fits nowhere is set aside for good; if the bag runs out that way, the game ends."""
    state.bag[design] -= 1
    state.left -= 1
    if fits_somewhere(box, state, design):
        state.drawn, state.phase = design, LAY
    else:
        tell(state, ASIDE, 0, design)
        if state.left == 0:
            finish(box, state)


@rule
def apply_lay(box: Box, state: State, move: int) -> None:
    lay(box, state, (move - LAY_MOVE) // 4, (move - LAY_MOVE) % 4)
    state.drawn, state.phase = NONE, SETTLE


@rule
def apply_settle(box: Box, state: State, move: int) -> None:
    if move != PASS:
        settle(state, state.active, stand_for(box, state, move))
    go_on_scoring(box, state)


@rule
def go_on_scoring(box: Box, state: State) -> None:
    """M8: the active player chooses while two or more features wait; M16 may leave fewer than there were."""
    bits = waiting(box, state)
    while bits:
        if bits & (bits - 1) and not state.automatic:
            state.phase = SCORE
            return
        score(box, state, best_first(box, state, bits))
        bits = waiting(box, state)
    end_turn(box, state)


@rule
def end_turn(box: Box, state: State) -> None:
    state.active, state.phase = (state.active + 1) % state.seats, DRAW
    if state.left == 0:
        finish(box, state)


@rule
def finish(box: Box, state: State) -> None:
    """M18: the game ends here."""
    state.phase = OVER
    tell(state, ENDED, 0, 0)
    final_score(box, state)


@rule
def random_games(box: Box, table: list[State], games: int, seed: int) -> int:
    """Whole games from table[0], played on table[1] by uniformly random moves; returns how many moves were made."""
    np.random.seed(seed)
    out, made = numbers(MOST_MOVES), 0
    for _ in range(games):
        table[1] = table[0]
        state = table[1]
        while state.phase != OVER:
            apply(box, state, random_move(box, state, out))
            made += 1
    return made


@rule
def random_move(box: Box, state: State, out: Array) -> int:
    if state.phase == DRAW:
        return DRAW_MOVE + pick(state.bag, box.designs)
    if state.phase == FIRST:
        return FIRST_MOVE + np.random.randint(state.seats)
    return out[np.random.randint(legal(box, state, out))]
