"""Many games stepped together, written once: an action is taken, nature draws, bots answer, and the next seat that learns is shown what it
knows and may do. Written against `contract.py` and `tensors.py` and bound to each room's functions, as `loops.py` is.

course       a row for each game: where it stands, the LINES and DRAWS of `loops.py` and more, see below
levels       by seat: LEARNS, or the level of the bot that sits there and plays inside the kernel
luck         nature's and the bots', with the key of the game, which follows from the key of its place, in `course`
observation  what the asked seat knows (`observe`)        mask  1 for each action that it may choose
scores       by seat: points of the game that ended last, or was cut off
final_...    what is seen of a game that ended or was cut off, and may be done in it; without room for any, nothing is kept
"""

from __future__ import annotations

from typing import Any

from tablee.core.contract import NATURE, NATURE_NEXT, OVER, apply, awaited, legal, odds, score, wins
from tablee.core.jit import ask_for, copy
from tablee.core.loops import DRAWS, LINES, choose, lowest, nature_number
from tablee.core.rng import below, pick, scatter, turn_to
from tablee.core.struct import Array, Grid
from tablee.core.tensors import NO_ACTION, NOTHING, action_of, move_of, observe

LEARNS = -1  # in the place of a level
ASKED, HALF, AGE, ROUND, LEAST, MOST, FINAL_SEAT, KEY, OTHER_KEY = range(DRAWS + 1, DRAWS + 10)  # the places of a long course
LONG_COURSE = DRAWS + 10
WIN, TEAM_WIN, POINTS = range(3)  # what is rewarded
GOES_ON, ENDED, CUT_OFF, ANEW = range(4)  # what became of a game in a step
SOON, SHOWN_SOON = 1280, 320  # bytes of the next state and observation, asked for while a game is stepped: what most steps begin with


def go_on(box: Any, state: Any, desk: Any, scratch: Any, levels: Array, luck: Array, course: Array, out: Array, weights: Array) -> bool:
    """Nature and the bots play until a seat that learns is awaited, which is then the one asked; or it is over."""
    while True:
        seats = awaited(box, state)
        if seats == OVER:
            return False
        if seats == NATURE_NEXT:
            number = nature_number(out[:0], luck, course[DRAWS])
            apply(box, state, NATURE, out[pick(weights, odds(box, state, out, weights), number)])
            course[DRAWS] += 1
        else:
            seat = lowest(seats)
            if levels[seat] == LEARNS:
                course[ASKED] = seat
                return True
            turn_to(luck, course[LINES], seat)
            apply(box, state, seat, choose(box, state, desk, scratch, seat, levels[seat], luck, out, weights))
        course[LINES] += 1


def ask(box: Any, state: Any, half: int, seat: int, observation: Array, mask: Array, out: Array) -> None:
    """Shows an awaited seat what it knows, and what it may do."""
    observe(box, state, half, seat, observation)
    allow(box, state, half, seat, mask, out)


def allow(box: Any, state: Any, half: int, seat: int, mask: Array, out: Array) -> None:
    """The actions of an awaited seat."""
    for action in range(len(mask)):
        mask[action] = 0
    for place in range(legal(box, state, seat, out)):
        action = action_of(box, state, half, seat, out[place])
        if action != NO_ACTION:
            mask[action] = 1


def allow_anew(box: Any, state: Any, course: Array, mask: Array, out: Array) -> None:
    """The same over an earlier mask of this place, which has nothing but zeros outside course[LEAST] to course[MOST]: a long mask of few
    actions is mostly left alone, which saves memory's time."""
    for action in range(course[LEAST], course[MOST] + 1):
        mask[action] = 0
    least, most = len(mask), -1
    for place in range(legal(box, state, course[ASKED], out)):
        action = action_of(box, state, course[HALF], course[ASKED], out[place])
        if action != NO_ACTION:
            mask[action] = 1
            least, most = min(least, action), max(most, action)
    course[LEAST], course[MOST] = least, most


def take(
    box: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    luck: Array,
    course: Array,
    action: int,
    out: Array,
    weights: Array,
) -> int:
    """The asked seat does this, and the game goes on until a seat is asked again; NO_ACTION begins it."""
    course[AGE] += 1
    if action != NO_ACTION:
        move = move_of(box, state, course[HALF], course[ASKED], action)
        if move < 0:
            course[HALF] = move
            return GOES_ON
        course[HALF] = NOTHING
        apply(box, state, course[ASKED], move)
        course[LINES] += 1
    return GOES_ON if go_on(box, state, desk, scratch, levels, luck, course, out, weights) else ENDED


def step(
    box: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    luck: Array,
    course: Array,
    action: int,
    rewards: Array,
    rewarded: int,
    longest: int,
    out: Array,
    weights: Array,
) -> int:
    """One game takes an action of the asked seat, and what it brings is given; it is cut off when it is `longest` steps old."""
    if action == NO_ACTION:
        return ANEW
    for seat in range(state.seats):
        rewards[seat] = -score(box, state, seat) if rewarded == POINTS else 0
    became = take(box, state, desk, scratch, levels, luck, course, action, out, weights)
    reward(box, state, rewarded, became, rewards)
    return CUT_OFF if became == GOES_ON and course[AGE] == longest else became


def reward(box: Any, state: Any, rewarded: int, became: int, rewards: Array) -> None:
    """Points as they come, what there was before being taken off already; or the win, at the end."""
    if rewarded == POINTS:
        for seat in range(state.seats):
            rewards[seat] += score(box, state, seat)
    elif became == ENDED:
        winners = 0
        for seat in range(state.seats):
            winners += int(wins(box, state, seat))
        for seat in range(state.seats):
            rewards[seat] = share(rewarded, state.seats, winners, wins(box, state, seat))


def share(rewarded: int, seats: int, winners: int, won: bool) -> float:
    """What the end brings a seat: 1 for who wins alone and less for who shares it, as much as the others lose together; a team wins or
    loses 1 each."""
    if rewarded == TEAM_WIN:
        return 1.0 if winners else -1.0
    return (seats / winners - 1) / (seats - 1) if won else -1 / (seats - 1)


def keep_end(
    box: Any,
    state: Any,
    course: Array,
    became: int,
    observation: Array,
    final_observation: Array,
    final_mask: Array,
    scores: Array,
    out: Array,
) -> None:
    """The points; and for who wants it what the seat that would be asked next knows and may do, in a game that is cut off. In one that is
    over it is what the seat that was asked last sees of the end."""
    for seat in range(state.seats):
        scores[seat] = score(box, state, seat)
    if len(final_observation) == 0:
        return
    course[FINAL_SEAT] = course[ASKED]
    observe(box, state, course[HALF], course[ASKED], observation)
    for place in range(len(observation)):
        final_observation[place] = observation[place]
    for action in range(len(final_mask)):
        final_mask[action] = 0
    if became == CUT_OFF:
        allow(box, state, course[HALF], course[ASKED], final_mask, out)


def begin_anew(
    box: Any,
    start: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    luck: Array,
    course: Array,
    observation: Array,
    out: Array,
    weights: Array,
) -> None:
    """The next game of a place in which somebody is asked: bots may end a short one before."""
    became = ENDED
    while became == ENDED:
        copy(start, state)
        begin(luck, course)
        became = take(box, state, desk, scratch, levels, luck, course, NO_ACTION, out, weights)
    for place in range(len(observation)):
        observation[place] = 0


def begin(luck: Array, course: Array) -> None:
    """The next game of a place: its key follows from the place's key and from how many games there were."""
    luck[2], luck[3] = scatter(course[KEY] + course[ROUND]), scatter(course[OTHER_KEY] ^ course[ROUND])
    course[ROUND] += 1
    course[LINES], course[DRAWS], course[AGE], course[HALF] = 0, 0, -1, NOTHING


def step_batch(
    box: Any,
    start: Any,
    states: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    lucks: Grid,
    courses: Grid,
    actions: Array,
    observations: Grid,
    masks: Grid,
    final_observations: Grid,
    final_masks: Grid,
    rewards: Grid,
    scores: Grid,
    ended: Array,
    cut_off: Array,
    rewarded: int,
    longest: int,
    out: Array,
    weights: Array,
    first: int,
    last: int,
) -> None:
    """Each game from the first to before the last takes an action, or begins anew (NO_ACTION). One that is over or cut off is followed by
    the next at once."""
    for number in range(first, last):
        if number + 1 < last:
            ask_for(states[number + 1], SOON)
            ask_for(observations[number + 1], SHOWN_SOON)
        state, luck, course, seen = states[number], lucks[number], courses[number], observations[number]
        became = step(box, state, desk, scratch, levels, luck, course, actions[number], rewards[number], rewarded, longest, out, weights)
        ended[number], cut_off[number] = int(became == ENDED), int(became == CUT_OFF)
        if became != GOES_ON:
            if became != ANEW:
                keep_end(box, state, course, became, seen, final_observations[number], final_masks[number], scores[number], out)
            begin_anew(box, start, state, desk, scratch, levels, luck, course, seen, out, weights)
        observe(box, state, course[HALF], course[ASKED], seen)
        allow_anew(box, state, course, masks[number], out)


def sample_batch(masks: Grid, luck: Array, actions: Array, first: int, last: int) -> None:
    """Any of the actions that each mask allows, all equally likely."""
    for number in range(first, last):
        mask, count = masks[number], 0
        for action in range(len(mask)):
            count += mask[action]
        left, action = below(luck, count), 0
        while left or not mask[action]:
            left -= mask[action]
            action += 1
        actions[number] = action


def refused(masks: Grid, actions: Array) -> int:
    """The first game whose action is not legal, or NO_ACTION if all are."""
    for number in range(len(actions)):
        if not 0 <= actions[number] < len(masks[number]) or not masks[number, actions[number]]:
            return number
    return NO_ACTION


LOOPS = (step_batch, sample_batch, refused, take, ask, allow)
