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

from tablee.core.contract import NATURE, NATURE_NEXT, OVER, apply, legal, odds, score, to_act, wins
from tablee.core.jit import copy, prefetch
from tablee.core.loops import DRAWS, LINES, choose, lowest_seat, nature_number
from tablee.core.rng import mix32, pick, randbelow, reseed
from tablee.core.struct import Array, Grid
from tablee.core.tensors import NO_ACTION, NOTHING_CHOSEN, action_of, move_of, observe

LEARNER_LEVEL = -1  # in the place of a level
ACTING_SEAT, HALF, STEP_COUNT, ROUND, MASK_FIRST, MASK_LAST, FINAL_SEAT, KEY, KEY2 = range(
    DRAWS + 1, DRAWS + 10
)  # the places of a long course
STEP_PROGRESS_SIZE = DRAWS + 10
REWARD_WIN, REWARD_TEAM_WIN, REWARD_POINTS = range(3)  # what is rewarded
RUNNING, TERMINATED, TRUNCATED, RESTARTED = range(4)  # what became of a game in a step
PREFETCH_STATE_BYTES, PREFETCH_OBSERVATION_BYTES = (
    1280,
    320,
)  # bytes of the next state and observation, asked for while a game is stepped: what most steps begin with


def advance(
    box: Any, state: Any, workspace: Any, scratch: Any, levels: Array, rng: Array, progress: Array, out: Array, weights: Array
) -> bool:
    """Nature and the bots play until a seat that learns is awaited, which is then the one asked; or it is over."""
    while True:
        seats = to_act(box, state)
        if seats == OVER:
            return False
        if seats == NATURE_NEXT:
            number = nature_number(out[:0], rng, progress[DRAWS])
            apply(box, state, NATURE, out[pick(weights, odds(box, state, out, weights), number)])
            progress[DRAWS] += 1
        else:
            seat = lowest_seat(seats)
            if levels[seat] == LEARNER_LEVEL:
                progress[ACTING_SEAT] = seat
                return True
            reseed(rng, progress[LINES], seat)
            apply(box, state, seat, choose(box, state, workspace, scratch, seat, levels[seat], rng, out, weights))
        progress[LINES] += 1


def observe_and_mask(box: Any, state: Any, half: int, seat: int, observation: Array, mask: Array, out: Array) -> None:
    """Shows an awaited seat what it knows, and what it may do."""
    observe(box, state, half, seat, observation)
    write_mask(box, state, half, seat, mask, out)


def write_mask(box: Any, state: Any, half: int, seat: int, mask: Array, out: Array) -> None:
    """The actions of an awaited seat."""
    for action in range(len(mask)):
        mask[action] = 0
    for place in range(legal(box, state, seat, out)):
        action = action_of(box, state, half, seat, out[place])
        if action != NO_ACTION:
            mask[action] = 1


def update_mask(box: Any, state: Any, progress: Array, mask: Array, out: Array) -> None:
    """The same over an earlier mask of this place, which has nothing but zeros outside course[LEAST] to course[MOST]: a long mask of few
    actions is mostly left alone, which saves memory's time."""
    for action in range(progress[MASK_FIRST], progress[MASK_LAST] + 1):
        mask[action] = 0
    least, most = len(mask), -1
    for place in range(legal(box, state, progress[ACTING_SEAT], out)):
        action = action_of(box, state, progress[HALF], progress[ACTING_SEAT], out[place])
        if action != NO_ACTION:
            mask[action] = 1
            least, most = min(least, action), max(most, action)
    progress[MASK_FIRST], progress[MASK_LAST] = least, most


def take_action(
    box: Any,
    state: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    rng: Array,
    progress: Array,
    action: int,
    out: Array,
    weights: Array,
) -> int:
    """The asked seat does this, and the game goes on until a seat is asked again; NO_ACTION begins it."""
    progress[STEP_COUNT] += 1
    if action != NO_ACTION:
        move = move_of(box, state, progress[HALF], progress[ACTING_SEAT], action)
        if move < 0:
            progress[HALF] = move
            return RUNNING
        progress[HALF] = NOTHING_CHOSEN
        apply(box, state, progress[ACTING_SEAT], move)
        progress[LINES] += 1
    return RUNNING if advance(box, state, workspace, scratch, levels, rng, progress, out, weights) else TERMINATED


def step(
    box: Any,
    state: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    rng: Array,
    progress: Array,
    action: int,
    rewards: Array,
    rewarded: int,
    longest: int,
    out: Array,
    weights: Array,
) -> int:
    """One game takes an action of the asked seat, and what it brings is given; it is cut off when it is `longest` steps old."""
    if action == NO_ACTION:
        return RESTARTED
    for seat in range(state.seats):
        rewards[seat] = -score(box, state, seat) if rewarded == REWARD_POINTS else 0
    became = take_action(box, state, workspace, scratch, levels, rng, progress, action, out, weights)
    reward(box, state, rewarded, became, rewards)
    return TRUNCATED if became == RUNNING and progress[STEP_COUNT] == longest else became


def reward(box: Any, state: Any, rewarded: int, became: int, rewards: Array) -> None:
    """Points as they come, what there was before being taken off already; or the win, at the end."""
    if rewarded == REWARD_POINTS:
        for seat in range(state.seats):
            rewards[seat] += score(box, state, seat)
    elif became == TERMINATED:
        winners = 0
        for seat in range(state.seats):
            winners += int(wins(box, state, seat))
        for seat in range(state.seats):
            rewards[seat] = win_reward(rewarded, state.seats, winners, wins(box, state, seat))


def win_reward(rewarded: int, seats: int, winners: int, won: bool) -> float:
    """What the end brings a seat: 1 for who wins alone and less for who shares it, as much as the others lose together; a team wins or
    loses 1 each."""
    if rewarded == REWARD_TEAM_WIN:
        return 1.0 if winners else -1.0
    return (seats / winners - 1) / (seats - 1) if won else -1 / (seats - 1)


def write_final(
    box: Any,
    state: Any,
    progress: Array,
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
    progress[FINAL_SEAT] = progress[ACTING_SEAT]
    observe(box, state, progress[HALF], progress[ACTING_SEAT], observation)
    for place in range(len(observation)):
        final_observation[place] = observation[place]
    for action in range(len(final_mask)):
        final_mask[action] = 0
    if became == TRUNCATED:
        write_mask(box, state, progress[HALF], progress[ACTING_SEAT], final_mask, out)


def restart(
    box: Any,
    start: Any,
    state: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    rng: Array,
    progress: Array,
    observation: Array,
    out: Array,
    weights: Array,
) -> None:
    """The next game of a place in which somebody is asked: bots may end a short one before."""
    became = TERMINATED
    while became == TERMINATED:
        copy(start, state)
        begin_game(rng, progress)
        became = take_action(box, state, workspace, scratch, levels, rng, progress, NO_ACTION, out, weights)
    for place in range(len(observation)):
        observation[place] = 0


def begin_game(rng: Array, progress: Array) -> None:
    """The next game of a place: its key follows from the place's key and from how many games there were."""
    rng[2], rng[3] = mix32(progress[KEY] + progress[ROUND]), mix32(progress[KEY2] ^ progress[ROUND])
    progress[ROUND] += 1
    progress[LINES], progress[DRAWS], progress[STEP_COUNT], progress[HALF] = 0, 0, -1, NOTHING_CHOSEN


def step_batch(
    box: Any,
    start: Any,
    states: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    rngs: Grid,
    progress_rows: Grid,
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
            prefetch(states[number + 1], PREFETCH_STATE_BYTES)
            prefetch(observations[number + 1], PREFETCH_OBSERVATION_BYTES)
        state, luck, course, seen = states[number], rngs[number], progress_rows[number], observations[number]
        became = step(
            box, state, workspace, scratch, levels, luck, course, actions[number], rewards[number], rewarded, longest, out, weights
        )
        ended[number], cut_off[number] = int(became == TERMINATED), int(became == TRUNCATED)
        if became != RUNNING:
            if became != RESTARTED:
                write_final(box, state, course, became, seen, final_observations[number], final_masks[number], scores[number], out)
            restart(box, start, state, workspace, scratch, levels, luck, course, seen, out, weights)
        observe(box, state, course[HALF], course[ACTING_SEAT], seen)
        update_mask(box, state, course, masks[number], out)


def sample_batch(masks: Grid, rng: Array, actions: Array, first: int, last: int) -> None:
    """Any of the actions that each mask allows, all equally likely."""
    for number in range(first, last):
        mask, count = masks[number], 0
        for action in range(len(mask)):
            count += mask[action]
        left, action = randbelow(rng, count), 0
        while left or not mask[action]:
            left -= mask[action]
            action += 1
        actions[number] = action


def first_illegal(masks: Grid, actions: Array) -> int:
    """The first game whose action is not legal, or NO_ACTION if all are."""
    for number in range(len(actions)):
        if not 0 <= actions[number] < len(masks[number]) or not masks[number, actions[number]]:
            return number
    return NO_ACTION


LOOPS = (step_batch, sample_batch, first_illegal, take_action, observe_and_mask, write_mask)
