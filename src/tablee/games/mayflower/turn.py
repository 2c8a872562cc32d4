"""A turn in its order: draw (M5), lay (M6), settle (M7), score (M8); after the last tile the final scoring (M18)."""

from __future__ import annotations

from tablee.core.chance import list_equal
from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.jit import jit
from tablee.core.struct import Array, fill
from tablee.games.mayflower.box import NONE, Box
from tablee.games.mayflower.final import final_score
from tablee.games.mayflower.move_effects import ASIDE, ENDED, clear_effects, record_effect
from tablee.games.mayflower.notation import DRAW_MOVE, FIRST_MOVE, PASS, cell_of, turns_of
from tablee.games.mayflower.placement import fits_somewhere, lay, lay_coast, places
from tablee.games.mayflower.scoring import score_feature
from tablee.games.mayflower.scoring_order import best_first, score_moves, subject_for, waiting
from tablee.games.mayflower.settlers import settle, spots, stand_for
from tablee.games.mayflower.state import AT_END, BY_LOT, DRAW, LAY, MAX_GAPS, SCORE, SETTLE, State

MOST_MOVES = 4 * MAX_GAPS


def setup(box: Box, settlers: int, seats: int, first: int, rows: int, automatic: bool) -> State:
    """Set up the coast, each seat's settlers, both explorers in column 0 (M2-M4); if `first` is NONE, nature chooses the first seat."""
    state = State()
    state.seats, state.rows, state.automatic, state.drawn = seats, rows, int(automatic), NONE
    state.phase, state.active = (BY_LOT, 0) if first == NONE else (DRAW, first)
    fill(state.bag, box.copies)
    state.left = sum(box.copies)
    fill(state.supply[:seats], settlers)
    lay_coast(box, state)
    return state


@jit
def to_act(box: Box, state: State) -> int:
    if state.phase == AT_END:
        return OVER
    return NATURE_NEXT if state.phase in (DRAW, BY_LOT) else 1 << state.active


@jit
def odds(box: Box, state: State, out: Array, weights: Array) -> int:
    """Write nature's outcomes and weights: the seat that begins (M4), or the design drawn (M5); return their number."""
    if state.phase == BY_LOT:
        return list_equal(out, weights, FIRST_MOVE, state.seats)
    count = 0
    for design in range(box.designs):
        out[count], weights[count] = DRAW_MOVE + design, state.bag[design]
        count += int(state.bag[design] > 0)  # a design with none left is overwritten
    return count


@jit
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    """Write the active player's legal moves and return their number."""
    if state.phase == LAY:
        return places(box, state, out)
    if state.phase == SETTLE:
        return spots(box, state, out)
    return score_moves(box, state, out)


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    """Apply a move to the state in place; `Match` passes a copy."""
    clear_effects(state)
    if state.phase == LAY:
        apply_lay(box, state, move)
    elif state.phase == SETTLE:
        apply_settle(box, state, move)
    elif state.phase == SCORE:
        score_feature(box, state, subject_for(box, state, move))
        go_on_scoring(box, state)
    elif state.phase == DRAW:
        apply_draw(box, state, move - DRAW_MOVE)
    else:
        state.active, state.phase = move - FIRST_MOVE, DRAW  # M4


@jit
def apply_draw(box: Box, state: State, design: int) -> None:
    """Draw a tile; one that fits nowhere is set aside for good, and if the bag is then empty, the game ends (M5)."""
    state.bag[design] -= 1
    state.left -= 1
    if fits_somewhere(box, state, design):
        state.drawn, state.phase = design, LAY
    else:
        record_effect(state, ASIDE, 0, design)
        if state.left == 0:
            finish(box, state)


@jit
def apply_lay(box: Box, state: State, move: int) -> None:
    lay(box, state, cell_of(move), turns_of(move))
    state.drawn, state.phase = NONE, SETTLE


@jit
def apply_settle(box: Box, state: State, move: int) -> None:
    if move != PASS:
        settle(state, state.active, stand_for(box, state, move))
    go_on_scoring(box, state)


@jit
def go_on_scoring(box: Box, state: State) -> None:
    """Score the waiting features, and end the turn; while two or more wait, the active player chooses (M8).

    An explorer's move may leave fewer waiting features than there were (M16).
    """
    bits = waiting(box, state)
    while bits:
        if bits & (bits - 1) and not state.automatic:
            state.phase = SCORE
            return
        score_feature(box, state, best_first(box, state, bits))
        bits = waiting(box, state)
    end_turn(box, state)


@jit
def end_turn(box: Box, state: State) -> None:
    state.active, state.phase = (state.active + 1) % state.seats, DRAW
    if state.left == 0:
        finish(box, state)


@jit
def finish(box: Box, state: State) -> None:
    """End the game with the final scoring (M18)."""
    state.phase = AT_END
    record_effect(state, ENDED, 0, 0)
    final_score(box, state)
