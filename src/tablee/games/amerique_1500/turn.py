"""A turn (A6): the nature die, one action, then requests. What is owed comes first; a step in which nothing is left to do is skipped."""

from __future__ import annotations

from tablee.core.game import Options
from tablee.core.rule import Array, blank, rule
from tablee.games.amerique_1500.barter import can_swap, list_swaps, swap
from tablee.games.amerique_1500.box import FOODS, KINDS, NONE, SOCIETIES, Box
from tablee.games.amerique_1500.cards import can_play, list_plays, play, plays
from tablee.games.amerique_1500.cooperative import fill_reserve, take_spare
from tablee.games.amerique_1500.craft import can_make, crafts, list_makes, make, travels
from tablee.games.amerique_1500.ending import round_is_full, somebody_is_done, team_has_won
from tablee.games.amerique_1500.nature import apply_nature, drop_vain_draws, next_to_draw
from tablee.games.amerique_1500.notation import BARTER, CARDS, CRAFT, DONE, EXPLORE, GIVE, HAND, LOTS, MAKE, PLAY, SERVE, SPARE, SWAP, TAKE
from tablee.games.amerique_1500.requests import can_serve, list_serves, serve
from tablee.games.amerique_1500.state import ACT, BARTERING, CRAFTING, DEMANDS, OVER, PLAYING, ROLL, SERVING, State
from tablee.games.amerique_1500.stock import list_owned

CARDS_EXPLORED = 2  # A8
MOST_MOVES = 128  # the 2-for-1 swaps of six kinds of goods are the longest list: 6 x 5 + 15 x 4, and done


def setup(box: Box, seats: int, options: Options) -> State:
    """A1, A4, A5: societies in the order of the table's option, their decks, and the goods printed on their boards."""
    state = blank(State)
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


@rule
def awaited(state: State, seat: int) -> bool:
    """Is this seat's choice awaited now? Several are when good neighbours give (A13) or a die lets everybody choose."""
    if somebody(state.owes):
        return bool(state.owes[seat])
    if state.handing:
        return seat == state.active
    if next_to_draw(state) != NONE:
        return False
    if somebody(state.picks):
        return bool(state.picks[seat])
    return seat == state.active and (bool(state.sparing) or ACT <= state.phase <= SERVING)


@rule
def somebody(counts: Array) -> bool:
    return counts[0] > 0 or counts[1] > 0 or counts[2] > 0 or counts[3] > 0


@rule
def nature_is_next(state: State) -> bool:
    if somebody(state.owes) or state.handing:
        return False
    return somebody(state.draws) or (state.phase <= ROLL)


@rule
def legal(box: Box, state: State, seat: int, out: Array) -> int:
    """Writes the awaited seat's legal moves in a fixed order and returns how many there are."""
    if state.owes[seat]:
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


@rule
def list_takes(state: State, out: Array) -> int:
    """Before the action it is the die that gives, and it gives foods; cards give any good."""
    count = FOODS if state.phase == ACT else KINDS
    for good in range(count):
        out[good] = TAKE + good
    return count


@rule
def list_actions(box: Box, state: State, seat: int, out: Array) -> int:
    """A8, R9: Explore always, any other action if there is something to do in it."""
    out[0], count = EXPLORE, 1
    if can_swap(box, state, seat):
        out[count] = BARTER
        count += 1
    if can_play(box, state, seat):
        out[count] = CARDS
        count += 1
    if can_make(box, state, seat):
        out[count] = CRAFT
        count += 1
    return count


@rule
def list_step(box: Box, state: State, seat: int, out: Array) -> int:
    """What can be done in the step under way, and `done` to close it."""
    if state.phase == BARTERING:
        count = list_swaps(box, state, seat, out)
    elif state.phase == PLAYING:
        count = list_plays(box, state, seat, out)
    elif state.phase == CRAFTING:
        count = list_makes(box, state, seat, out)
    else:
        count = list_serves(box, state, seat, out)
    out[count] = DONE
    return count + 1


@rule
def apply(box: Box, state: State, seat: int, move: int) -> None:
    """Changes the state in place; `Match` hands it a copy of its own."""
    if move >= LOTS:
        apply_nature(box, state, move)
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
    elif move == DONE:
        next_step(state)
    else:
        pick_action(box, state, seat, move)
    proceed(box, state)


@rule
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
        state.owes[seat] = 0
    else:
        state.goods[seat, good] += 1
        state.picks[seat] -= 1


@rule
def pick_action(box: Box, state: State, seat: int, action: int) -> None:
    """A8: the pawn moves and the action is carried out at once; A15: each means of travel draws one card more."""
    state.pawn[seat] = action
    state.phase = SERVING if action == EXPLORE else BARTERING + action - BARTER
    if action == EXPLORE:
        state.draws[seat] = CARDS_EXPLORED + travels(box, state.made[seat])


@rule
def proceed(box: Box, state: State) -> None:
    """Goes on to where somebody has something to choose, or nature to draw."""
    if team_has_won(state):  # R7
        state.phase = OVER
    drop_vain_draws(state)
    while not is_owed(state) and not goes_on(box, state):
        next_step(state)


@rule
def is_owed(state: State) -> bool:
    return somebody(state.owes) or somebody(state.draws) or somebody(state.picks) or state.handing > 0 or state.sparing > 0


@rule
def goes_on(box: Box, state: State) -> bool:
    """Is there anything left to do in this step but to say `done`?"""
    seat, made = state.active, state.made[state.active]
    if state.phase == BARTERING:
        return can_swap(box, state, seat)
    if state.phase == PLAYING:
        return state.done < plays(box, made) and can_play(box, state, seat)
    if state.phase == CRAFTING:
        return state.done < crafts(box, made) and can_make(box, state, seat)
    if state.phase == SERVING:
        return can_serve(box, state, seat)
    return True


@rule
def next_step(state: State) -> None:
    state.done = state.taken = state.partner = 0
    if state.phase != SERVING:
        state.phase = SERVING
        return
    state.turns += 1
    if round_is_full(state) and not state.together and somebody_is_done(state):
        state.phase = OVER
        return
    state.active = (state.active + 1) % state.seats  # A6
    state.phase = ROLL
