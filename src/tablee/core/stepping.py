"""Many games stepped together, written once: an action is taken, nature draws, bots answer, and the next seat that learns is shown what it
knows and may do. Written against `contract.py` and `tensors.py` and bound to each room's functions, as `loops.py` is.

course       a row for each game: where it stands, see below
levels       by seat: LEARNS, or the level of the bot that sits there and plays inside the kernel
luck         nature's and the bots', with the key of the game, which follows from the key of its place, in `course`
observation  what the asked seat knows (`observe`)        mask  1 for each action that it may choose
scores       by seat: points of the game that ended last
"""

from __future__ import annotations

from typing import Any

from tablee.core.cells import Array, Grid
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, apply, awaited, legal, odds, score, wins
from tablee.core.loops import choose, lowest, nature_number
from tablee.core.luck import below, pick, scatter, turn_to
from tablee.core.rule import ask_for, copy
from tablee.core.tensors import NO_ACTION, NOTHING, action_of, move_of, observe

LEARNS = -1  # in the place of a level
LINES, DRAWS, ASKED, HALF, STEPS, ROUND, LEAST, MOST, KEY, OTHER_KEY = range(10)  # the places of a course
COURSE = 10
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
    course[STEPS] += 1
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
    start: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    luck: Array,
    course: Array,
    action: int,
    observation: Array,
    mask: Array,
    rewards: Array,
    scores: Array,
    rewarded: int,
    longest: int,
    out: Array,
    weights: Array,
) -> int:
    """One game takes an action of the asked seat, or a new one begins (NO_ACTION). One that is over, or `longest` steps old, is followed
    by the next at once."""
    became = ANEW
    if action != NO_ACTION:
        for seat in range(state.seats):
            rewards[seat] = -score(box, state, seat) if rewarded == POINTS else 0
        became = take(box, state, desk, scratch, levels, luck, course, action, out, weights)
        reward(box, state, rewarded, became, scores, rewards)
        if became == GOES_ON and course[STEPS] == longest:
            became = CUT_OFF
    if became != GOES_ON:
        anew = ENDED
        while anew == ENDED:  # bots may end a short game before anybody is asked
            copy(start, state)
            begin(luck, course)
            anew = take(box, state, desk, scratch, levels, luck, course, NO_ACTION, out, weights)
        for place in range(len(observation)):
            observation[place] = 0
    observe(box, state, course[HALF], course[ASKED], observation)
    allow_anew(box, state, course, mask, out)
    return became


def begin(luck: Array, course: Array) -> None:
    """The next game of a place: its key follows from the place's key and from how many games there were."""
    luck[2], luck[3] = scatter(course[KEY] + course[ROUND]), scatter(course[OTHER_KEY] ^ course[ROUND])
    course[ROUND] += 1
    course[LINES], course[DRAWS], course[STEPS], course[HALF] = 0, 0, -1, NOTHING


def reward(box: Any, state: Any, rewarded: int, became: int, scores: Array, rewards: Array) -> None:
    """POINTS: as they come, what there was before being taken off already. A win: at the end, 1 for whoever wins alone and less for who
    shares it, as much as the others lose together; a team wins or loses 1 each."""
    if rewarded == POINTS:
        for seat in range(state.seats):
            rewards[seat] += score(box, state, seat)
    if became != ENDED:
        return
    winners = 0
    for seat in range(state.seats):
        scores[seat] = score(box, state, seat)
        winners += int(wins(box, state, seat))
    for seat in range(state.seats):
        if rewarded == TEAM_WIN:
            rewards[seat] = 1 if winners else -1
        elif rewarded == WIN:
            rewards[seat] = (state.seats / winners - 1) / (state.seats - 1) if wins(box, state, seat) else -1 / (state.seats - 1)


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
    """Each game from the first to before the last takes an action, or begins anew."""
    for number in range(first, last):
        if number + 1 < last:
            ask_for(states[number + 1], SOON)
            ask_for(observations[number + 1], SHOWN_SOON)
        became = step(
            box,
            start,
            states[number],
            desk,
            scratch,
            levels,
            lucks[number],
            courses[number],
            actions[number],
            observations[number],
            masks[number],
            rewards[number],
            scores[number],
            rewarded,
            longest,
            out,
            weights,
        )
        ended[number], cut_off[number] = int(became == ENDED), int(became == CUT_OFF)


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
