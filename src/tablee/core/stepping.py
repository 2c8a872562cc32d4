"""Vectorised environment: a batch of games stepped together; each step takes an action and plays on until a learner is to act.

The loops call the functions of `contract.py` and `tensors.py` and are specialised for each room, like those of `loops.py`. The batch has
a slot per game; when a game ends, the next one starts in the same slot.

progress     a row per slot: the LINES and DRAWS of `loops.py` and the columns below
levels       by seat: LEARNER_LEVEL, or the level of a bot that plays inside the kernel
rng          for nature and the bots, keyed by game; the key is derived from the slot's key, in `progress`
observation  of the acting seat (`observe`)        mask  1 for each of its legal actions
scores       by seat: points of the last game that ended or was truncated
final_...    observation and mask of a game that ended or was truncated; if empty, they are not written
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.contract import NATURE, NATURE_NEXT, OVER
from tablee.core.jit import copy, jit, prefetch
from tablee.core.loops import DRAWS, LINES, lowest_seat, nature_number
from tablee.core.rng import mix32, pick, randbelow, reseed
from tablee.core.struct import Array, Grid
from tablee.core.tensors import NO_ACTION, NOTHING_CHOSEN

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import apply, legal, odds, score, to_act, wins
    from tablee.core.loops import choose
    from tablee.core.tensors import action_of, move_of, observe

LEARNER_LEVEL = -1
# Columns of a progress row, after those of `loops.py`; ROUND counts the games of the slot.
ACTING_SEAT, HALF, STEP_COUNT, ROUND, MASK_FIRST, MASK_LAST, FINAL_SEAT, KEY, KEY2 = range(DRAWS + 1, DRAWS + 10)
STEP_PROGRESS_SIZE = DRAWS + 10
REWARD_WIN, REWARD_TEAM_WIN, REWARD_POINTS = range(3)  # reward schemes
RUNNING, TERMINATED, TRUNCATED, RESTARTED = range(4)  # results of a step
PREFETCH_STATE_BYTES, PREFETCH_OBSERVATION_BYTES = 1280, 320  # of the next slot: what most steps read first


@jit
def advance(
    box: Any, state: Any, workspace: Any, scratch: Any, levels: Array, rng: Array, progress: Array, out: Array, weights: Array
) -> bool:
    """Play nature and the bots until a learner is to act; set ACTING_SEAT and return True, or False if the game is over."""
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


@jit
def observe_and_mask(box: Any, state: Any, half: int, seat: int, observation: Array, mask: Array, out: Array) -> None:
    """Write the observation and the action mask of a seat to act."""
    observe(box, state, half, seat, observation)
    write_mask(box, state, half, seat, mask, out)


@jit
def write_mask(box: Any, state: Any, half: int, seat: int, mask: Array, out: Array) -> None:
    """Write the action mask of a seat to act."""
    for action in range(len(mask)):
        mask[action] = 0
    for place in range(legal(box, state, seat, out)):
        action = action_of(box, state, half, seat, out[place])
        if action != NO_ACTION:
            mask[action] = 1


@jit
def update_mask(box: Any, state: Any, progress: Array, mask: Array, out: Array) -> None:
    """Write the action mask of the acting seat over the slot's previous one, which is zero outside MASK_FIRST to MASK_LAST.

    A long mask of few actions stays mostly untouched, which saves memory bandwidth.
    """
    for action in range(progress[MASK_FIRST], progress[MASK_LAST] + 1):
        mask[action] = 0
    least, most = len(mask), -1
    for place in range(legal(box, state, progress[ACTING_SEAT], out)):
        action = action_of(box, state, progress[HALF], progress[ACTING_SEAT], out[place])
        if action != NO_ACTION:
            mask[action] = 1
            least, most = min(least, action), max(most, action)
    progress[MASK_FIRST], progress[MASK_LAST] = least, most


@jit
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
    """Take an action of the acting seat and play on until a learner is to act; NO_ACTION starts the game."""
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


@jit
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
    reward_scheme: int,
    max_steps: int,
    out: Array,
    weights: Array,
) -> int:
    """Step one game by an action of the acting seat, write the rewards and return the result; truncate it after `max_steps` steps."""
    if action == NO_ACTION:
        return RESTARTED
    for seat in range(state.seats):
        rewards[seat] = -score(box, state, seat) if reward_scheme == REWARD_POINTS else 0
    result = take_action(box, state, workspace, scratch, levels, rng, progress, action, out, weights)
    reward(box, state, reward_scheme, result, rewards)
    return TRUNCATED if result == RUNNING and progress[STEP_COUNT] == max_steps else result


@jit
def reward(box: Any, state: Any, reward_scheme: int, result: int, rewards: Array) -> None:
    """Write the rewards: the gain in points (`rewards` holds the negated earlier ones), or the win reward at the end."""
    if reward_scheme == REWARD_POINTS:
        for seat in range(state.seats):
            rewards[seat] += score(box, state, seat)
    elif result == TERMINATED:
        winners = 0
        for seat in range(state.seats):
            winners += int(wins(box, state, seat))
        for seat in range(state.seats):
            rewards[seat] = win_reward(reward_scheme, state.seats, winners, wins(box, state, seat))


@jit
def win_reward(reward_scheme: int, seats: int, winners: int, won: bool) -> float:
    """Return the reward of a seat at the end: zero-sum, 1 for a sole winner and less for each of several; ±1 each for a team."""
    if reward_scheme == REWARD_TEAM_WIN:
        return 1.0 if winners else -1.0
    return (seats / winners - 1) / (seats - 1) if won else -1 / (seats - 1)


@jit
def write_final(
    box: Any,
    state: Any,
    progress: Array,
    result: int,
    observation: Array,
    final_observation: Array,
    final_mask: Array,
    scores: Array,
    out: Array,
) -> None:
    """Write the scores, the final observation and the final mask of a game that ended or was truncated.

    Observation and mask belong to the seat that would act next in a truncated game, and to the one that acted last in a finished game.
    """
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
    if result == TRUNCATED:
        write_mask(box, state, progress[HALF], progress[ACTING_SEAT], final_mask, out)


@jit
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
    """Start the next game of a slot in which a learner gets to act; bots may end a short game before that."""
    result = TERMINATED
    while result == TERMINATED:
        copy(start, state)
        begin_game(rng, progress)
        result = take_action(box, state, workspace, scratch, levels, rng, progress, NO_ACTION, out, weights)
    for place in range(len(observation)):
        observation[place] = 0


@jit
def begin_game(rng: Array, progress: Array) -> None:
    """Initialise `rng` and `progress` for the slot's next game, with a key derived from the slot's key and game count."""
    rng[2], rng[3] = mix32(progress[KEY] + progress[ROUND]), mix32(progress[KEY2] ^ progress[ROUND])
    progress[ROUND] += 1
    progress[LINES], progress[DRAWS], progress[STEP_COUNT], progress[HALF] = 0, 0, -1, NOTHING_CHOSEN


@jit
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
    reward_scheme: int,
    max_steps: int,
    out: Array,
    weights: Array,
    first: int,
    last: int,
) -> None:
    """Step the slots `first` to `last - 1` by one action each, or restart them (NO_ACTION); a finished or truncated slot restarts too."""
    for number in range(first, last):
        if number + 1 < last:
            prefetch(states[number + 1], PREFETCH_STATE_BYTES)
            prefetch(observations[number + 1], PREFETCH_OBSERVATION_BYTES)
        state, rng, progress, observation = states[number], rngs[number], progress_rows[number], observations[number]
        result = step(
            box, state, workspace, scratch, levels, rng, progress, actions[number], rewards[number], reward_scheme, max_steps, out, weights
        )
        ended[number], cut_off[number] = int(result == TERMINATED), int(result == TRUNCATED)
        if result != RUNNING:
            if result != RESTARTED:
                write_final(box, state, progress, result, observation, final_observations[number], final_masks[number], scores[number], out)
            restart(box, start, state, workspace, scratch, levels, rng, progress, observation, out, weights)
        observe(box, state, progress[HALF], progress[ACTING_SEAT], observation)
        update_mask(box, state, progress, masks[number], out)


@jit
def sample_batch(masks: Grid, rng: Array, actions: Array, first: int, last: int) -> None:
    """Sample a legal action uniformly for each slot `first` to `last - 1`."""
    for number in range(first, last):
        mask, count = masks[number], 0
        for action in range(len(mask)):
            count += mask[action]
        left, action = randbelow(rng, count), 0
        while left or not mask[action]:
            left -= mask[action]
            action += 1
        actions[number] = action


@jit
def first_illegal(masks: Grid, actions: Array) -> int:
    """Return the first slot whose action is illegal, or NO_ACTION if all are legal."""
    for number in range(len(actions)):
        if not 0 <= actions[number] < len(masks[number]) or not masks[number, actions[number]]:
            return number
    return NO_ACTION


LOOPS = (step_batch, sample_batch, first_illegal, take_action, observe_and_mask, write_mask)
