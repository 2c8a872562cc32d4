"""A turn (A6): the nature die, one action, then requests.

What is owed comes first; a step in which nothing is left to do is skipped.
"""

from __future__ import annotations

from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.game import Options
from tablee.core.jit import jit, popcount
from tablee.core.struct import Array
from tablee.games.amerique_1500.barter import can_swap, list_swaps, swap
from tablee.games.amerique_1500.box import FOODS, KINDS, MAX_SEATS, SOCIETIES, Box
from tablee.games.amerique_1500.cards import can_play, list_plays, play, plays
from tablee.games.amerique_1500.cooperative import fill_reserve, take_spare
from tablee.games.amerique_1500.craft import crafts, make, makeable, travels
from tablee.games.amerique_1500.ending import is_anyone_done, round_is_full, team_has_won
from tablee.games.amerique_1500.nature import apply_nature, drop_vain_draws
from tablee.games.amerique_1500.notation import BARTER, CARDS, CRAFT, DONE, EXPLORE, GIVE, HAND, LOTS, MAKE, PLAY, SERVE, SPARE, SWAP, TAKE
from tablee.games.amerique_1500.requests import DISCS_A_TURN, servable, serve
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, DEMANDS, ENDED, PLAYING, ROLL, SERVING, State
from tablee.games.amerique_1500.stock import list_owned

CARDS_EXPLORED = 2  # A8
MOST_MOVES = 128  # longest list: the 2-for-1 swaps of six kinds of goods, 6 x 5 + 15 x 4, and done


def setup(box: Box, seats: int, options: Options) -> State:
    """Return the first state: societies in the order of the option, their decks, and the goods printed on their boards (A1, A4, A5)."""
    state = State()
    state.seats, state.full, state.together = seats, int(options["game"] == "full"), int(bool(options["cooperative"]))
    for seat, society in zip(range(seats), str(options["societies"]).split("-"), strict=False):
        state.society[seat] = SOCIETIES.index(society)
        state.deck[seat] = box.copies[state.society[seat]]
        state.goods[seat] = box.start[state.society[seat]]
    if state.together:
        fill_reserve(box, state)
    if isinstance(options["first"], int):
        state.first = state.active = options["first"]
        state.phase = DEMANDS
    return state


@jit
def to_act(box: Box, state: State) -> int:
    """Return the mask of the seats that act now, or NATURE_NEXT, or OVER.

    Several seats act together when good neighbours give (A13) or a die lets everybody choose.
    """
    if state.owes:
        return state.owes
    if state.handing:
        return 1 << state.active
    if any_positive(state.draws):
        return NATURE_NEXT
    if any_positive(state.picks):
        return seat_mask(state.picks)
    if state.phase == ENDED:
        return OVER
    return 1 << state.active if state.sparing or state.phase > ROLL else NATURE_NEXT


@jit
def any_positive(counts: Array) -> bool:
    return counts[0] > 0 or counts[1] > 0 or counts[2] > 0 or counts[3] > 0


@jit
def seat_mask(counts: Array) -> int:
    """Return the mask of the seats with a count above zero."""
    seats = 0
    for seat in range(MAX_SEATS):
        if counts[seat]:
            seats |= 1 << seat
    return seats


@jit
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    """Write the seat's legal moves in a fixed order, and return their number."""
    if state.owes >> seat & 1:
        return list_owned(state.goods[seat], GIVE, out)
    if state.handing:
        return list_owned(state.goods[seat], HAND, out)
    if state.picks[seat]:
        return list_takes(state, out)
    if state.sparing:
        return list_owned(state.spare, SPARE, out)
    if state.phase == ACT:
        return list_actions(box, state, seat, out)
    return list_step(box, state, seat, out)


@jit
def list_takes(state: State, out: Array) -> int:
    """Write the goods that may be chosen: foods before the action, where the die gives, and any goods from cards."""
    count = FOODS if state.phase == ACT else KINDS
    for good in range(count):
        out[good] = TAKE + good
    return count


@jit
def list_actions(box: Box, state: State, seat: int, out: Array) -> int:
    """Write Explore, and any other action in which something can be done (A8, R9)."""
    out[0], count = EXPLORE, 1
    if can_swap(box, state, seat):
        out[count] = BARTER
        count += 1
    if can_play(box, state, seat):
        out[count] = CARDS
        count += 1
    if makeable(box, state, seat):
        out[count] = CRAFT
        count += 1
    return count


@jit
def list_step(box: Box, state: State, seat: int, out: Array) -> int:
    """Write the moves of the step under way, and `done`, which needs one of them first in the action chosen (R11)."""
    if state.phase == BARTERING:
        count = list_swaps(box, state, seat, out)
    elif state.phase == PLAYING:
        count = list_plays(box, state, seat, out)
    elif state.phase == CRAFTING:
        count = list_each(makeable(box, state, seat), MAKE, out)
    else:
        count = list_each(servable(box, state, seat), SERVE, out)
    if state.done or state.phase == SERVING:
        out[count] = DONE
        count += 1
    return count


@jit
def list_each(mask: int, move: int, out: Array) -> int:
    """Write one move for each bit of the mask, and return their number."""
    count = 0
    while mask:
        lowest = mask & -mask
        out[count] = move + popcount(lowest - 1)
        count += 1
        mask ^= lowest
    return count


@jit
def apply(box: Box, state: State, seat: int, move: int) -> None:
    """Apply a move to the state in place; `Match` passes a copy."""
    if move >= LOTS:
        apply_nature(box, state, move)
    elif move == DONE:
        next_step(state)
    elif move >= PLAY:
        play(box, state, seat, move)
    elif move >= MAKE:
        make(box, state, seat, move - MAKE)
    elif move >= SERVE:
        serve(box, state, seat, move - SERVE)
    elif move >= SWAP:
        swap(state, seat, move)
    elif move >= TAKE:
        choose_good(state, seat, move)
    else:
        pick_action(box, state, seat, move)
    proceed(box, state)


@jit
def choose_good(state: State, seat: int, move: int) -> None:
    good = (move - TAKE) % KINDS
    if move >= SPARE:
        take_spare(state, seat, good)
    elif move >= HAND:  # A14
        state.goods[seat, good] -= 1
        state.goods[state.partner, good] += 1
        state.handing -= 1
    elif move >= GIVE:  # A13
        state.goods[seat, good] -= 1
        state.goods[state.active, good] += 1
        state.owes &= ~(1 << seat)
    else:
        state.goods[seat, good] += 1
        state.picks[seat] -= 1


@jit
def pick_action(box: Box, state: State, seat: int, action: int) -> None:
    """Move the pawn and start the action (A8); each means of travel draws one card more (A15)."""
    state.pawn[seat] = action
    state.phase = SERVING if action == EXPLORE else BARTERING + action - BARTER
    if action == EXPLORE:
        state.draws[seat] = CARDS_EXPLORED + travels(box, state.made[seat])


@jit
def proceed(box: Box, state: State) -> None:
    """Advance to the next choice of a seat or draw of nature."""
    if team_has_won(state):  # R7
        state.phase = ENDED
    drop_vain_draws(state)
    while not is_owed(state) and not goes_on(box, state):
        next_step(state)


@jit
def is_owed(state: State) -> bool:
    return state.owes > 0 or any_positive(state.draws) or any_positive(state.picks) or state.handing > 0 or state.sparing > 0


@jit
def goes_on(box: Box, state: State) -> bool:
    """Return whether this step has anything left to do but `done`."""
    seat, made = state.active, state.made[state.active]
    if state.phase == BARTERING:
        return can_swap(box, state, seat)
    if state.phase == PLAYING:
        return state.done < plays(box, made) and can_play(box, state, seat)
    if state.phase == CRAFTING:
        return state.done < crafts(box, made) and makeable(box, state, seat) != 0
    if state.phase == SERVING:
        return state.done < DISCS_A_TURN and servable(box, state, seat) != 0
    return True


@jit
def next_step(state: State) -> None:
    state.done = state.taken = state.partner = 0
    if state.phase != SERVING:
        state.phase = SERVING
        return
    state.turns += 1
    if round_is_full(state) and not state.together and is_anyone_done(state):
        state.phase = ENDED
        return
    state.active = (state.active + 1) % state.seats  # A6
    state.phase = ROLL
