"""Vectorised environment: a batch of games stepped together; each step takes an action and plays on until a learner is to act.

The loops call the functions of `contract.py` and `tensors.py` and are specialised for each room, like those of `loops.py`. The batch has
a slot per game; when a game ends, the next one starts in the same slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.jit import copy, jit
from tablee.core.loops import lowest_seat, nature_number
from tablee.core.rng import Rng, derive_key, randbelow, reseed
from tablee.core.slots import LEARNER_LEVEL, REWARD_POINTS, REWARD_TEAM_WIN, Environment, SlotProgress, Slots
from tablee.core.struct import Array, Grid, Struct
from tablee.core.tensors import NO_ACTION, NOTHING_CHOSEN
from tablee.core.workspace import S, Workspace

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import apply, legal, redact, score, to_act, wins
    from tablee.core.loops import choose, play_nature
    from tablee.core.tensors import REDACTED, action_of, move_of, observe

RUNNING, TERMINATED, TRUNCATED, RESTARTED = range(4)  # results of a step
WAIT = -2  # in place of an action: leave the slot as it is


@jit
def advance(box: Struct, state: S, levels: Array, workspace: Workspace[S], rng: Rng, progress: SlotProgress) -> bool:
    """Play nature and the bots until a learner is to act; set the acting seat and return True, or False if the game is over."""
    while True:
        seats = to_act(box, state)
        if seats == OVER:
            return False
        if seats == NATURE_NEXT:
            play_nature(box, state, workspace, nature_number(workspace.out[:0], rng, progress.draws))
            progress.draws += 1
        else:
            seat = lowest_seat(seats)
            if levels[seat] == LEARNER_LEVEL:
                progress.acting_seat = seat
                return True
            reseed(rng, progress.lines, seat)
            apply(box, state, seat, choose(box, state, seat, levels[seat], workspace, rng))
        progress.lines += 1


@jit
def write_observation(box: Struct, state: S, half: int, seat: int, seen: S, observation: Array) -> None:
    """Write the observation of a seat; `seen` is memory for the redacted state, where `observe` wants one."""
    if REDACTED:
        copy(state, seen)
        redact(box, seen, seat)
        observe(box, seen, half, seat, observation)
    else:
        observe(box, state, half, seat, observation)


@jit
def observe_and_mask(box: Struct, state: S, half: int, seat: int, seen: S, observation: Array, mask: Array, out: Array) -> None:
    """Write the observation and the action mask of a seat to act."""
    write_observation(box, state, half, seat, seen, observation)
    write_mask(box, state, half, seat, mask, out)


@jit
def write_mask(box: Struct, state: S, half: int, seat: int, mask: Array, out: Array) -> None:
    """Write the action mask of a seat to act."""
    for action in range(len(mask)):
        mask[action] = 0
    for place in range(legal(box, state, seat, out)):
        action = action_of(box, state, half, seat, out[place])
        if action != NO_ACTION:
            mask[action] = 1


@jit
def update_mask(box: Struct, state: S, progress: SlotProgress, mask: Array, out: Array) -> None:
    """Write the action mask of the acting seat over the slot's previous one, which is zero outside `mask_first` to `mask_last`.

    A long mask of few actions stays mostly untouched, which saves memory bandwidth.
    """
    for action in range(progress.mask_first, progress.mask_last + 1):
        mask[action] = 0
    least, most = len(mask), -1
    for place in range(legal(box, state, progress.acting_seat, out)):
        action = action_of(box, state, progress.half, progress.acting_seat, out[place])
        if action != NO_ACTION:
            mask[action] = 1
            least, most = min(least, action), max(most, action)
    progress.mask_first, progress.mask_last = least, most


@jit
def write_candidate_mask(box: Struct, state: S, seat: int, mask: Array, out: Array) -> int:
    """Write a mask with 1 for each legal move of a seat to act, as many as it has room for, and return the number of legal moves."""
    count = legal(box, state, seat, out)
    for place in range(len(mask)):
        mask[place] = int(place < count)
    return count


@jit
def list_candidates(box: Struct, slots: Slots[S], number: int, out: Array) -> None:
    """List the legal moves of a slot's acting seat, in the room's order, and write the mask over the list."""
    moves = slots.candidate_moves[number]
    slots.candidate_counts[number] = write_candidate_mask(
        box, slots.states[number], slots.progress[number].acting_seat, slots.masks[number], out
    )
    for place in range(min(len(moves), slots.candidate_counts[number])):
        moves[place] = out[place]


@jit
def take_action(box: Struct, state: S, levels: Array, workspace: Workspace[S], rng: Rng, progress: SlotProgress, action: int) -> int:
    """Take an action of the acting seat and play on until a learner is to act; NO_ACTION starts the game."""
    progress.step_count += 1
    if action != NO_ACTION:
        move = move_of(box, state, progress.half, progress.acting_seat, action)
        if move < 0:
            progress.half = move
            return RUNNING
        play_move(box, state, progress, move)
    return RUNNING if advance(box, state, levels, workspace, rng, progress) else TERMINATED


@jit
def take_candidate(box: Struct, state: S, levels: Array, workspace: Workspace[S], rng: Rng, progress: SlotProgress, move: int) -> int:
    """Take a listed move of the acting seat and play on until a learner is to act."""
    progress.step_count += 1
    play_move(box, state, progress, move)
    return RUNNING if advance(box, state, levels, workspace, rng, progress) else TERMINATED


@jit
def play_move(box: Struct, state: S, progress: SlotProgress, move: int) -> None:
    progress.half = NOTHING_CHOSEN
    apply(box, state, progress.acting_seat, move)
    progress.lines += 1


@jit
def step(box: Struct, environment: Environment[S], slots: Slots[S], number: int, workspace: Workspace[S]) -> int:
    """Step one game by its action, write the rewards and return the result; truncate it after `max_steps` steps."""
    state, progress, rewards, action = slots.states[number], slots.progress[number], slots.rewards[number], slots.actions[number]
    if action == NO_ACTION:
        return RESTARTED
    for seat in range(state.seats):
        rewards[seat] = -score(box, state, seat) if environment.reward_scheme == REWARD_POINTS else 0
    if len(slots.candidate_moves[number]):
        move = slots.candidate_moves[number, action]
        result = take_candidate(box, state, environment.levels, workspace, slots.rngs[number], progress, move)
    else:
        result = take_action(box, state, environment.levels, workspace, slots.rngs[number], progress, action)
    reward(box, state, environment.reward_scheme, result, rewards)
    return TRUNCATED if result == RUNNING and progress.step_count == environment.max_steps else result


@jit
def reward(box: Struct, state: S, reward_scheme: int, result: int, rewards: Array) -> None:
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
def write_final(box: Struct, slots: Slots[S], number: int, result: int, workspace: Workspace[S]) -> None:
    """Write the scores, the final observation and the final mask of a game that ended or was truncated.

    Observation and mask belong to the seat that would act next in a truncated game, and to the one that acted last in a finished game.
    """
    state, progress = slots.states[number], slots.progress[number]
    for seat in range(state.seats):
        slots.scores[number, seat] = score(box, state, seat)
    observation, final_observation, final_mask = slots.observations[number], slots.final_observations[number], slots.final_masks[number]
    if len(final_observation) == 0:
        return
    slots.final_seats[number] = progress.acting_seat
    write_observation(box, state, progress.half, progress.acting_seat, workspace.seen, observation)
    for place in range(len(observation)):
        final_observation[place] = observation[place]
    for action in range(len(final_mask)):
        final_mask[action] = 0
    if result == TRUNCATED and len(slots.candidate_moves[number]):
        write_candidate_mask(box, state, progress.acting_seat, final_mask, workspace.out)
    elif result == TRUNCATED:
        write_mask(box, state, progress.half, progress.acting_seat, final_mask, workspace.out)


@jit
def restart(box: Struct, environment: Environment[S], slots: Slots[S], number: int, workspace: Workspace[S]) -> None:
    """Start the next game of a slot in which a learner gets to act; bots may end a short game before that."""
    state, rng, progress, observation = slots.states[number], slots.rngs[number], slots.progress[number], slots.observations[number]
    result = TERMINATED
    while result == TERMINATED:
        copy(environment.start, state)
        begin_game(rng, progress)
        result = take_action(box, state, environment.levels, workspace, rng, progress, NO_ACTION)
    for place in range(len(observation)):
        observation[place] = 0


@jit
def begin_game(rng: Rng, progress: SlotProgress) -> None:
    """Initialise `rng` and `progress` for the slot's next game, with a key derived from the slot's key and game count."""
    derive_key(rng, progress.key_one, progress.key_two, progress.games)
    progress.games += 1
    progress.lines, progress.draws, progress.step_count, progress.half = 0, 0, -1, NOTHING_CHOSEN


@jit
def step_batch(box: Struct, environment: Environment[S], slots: Slots[S], workspace: Workspace[S], first: int, last: int) -> None:
    """Step the slots `first` to `last - 1` by one action each, or restart them (NO_ACTION); a finished or truncated slot restarts too."""
    for number in range(first, last):
        if slots.actions[number] == WAIT:
            continue
        result = step(box, environment, slots, number, workspace)
        slots.ended[number], slots.cut_off[number] = int(result == TERMINATED), int(result == TRUNCATED)
        if result != RUNNING:
            if result != RESTARTED:
                write_final(box, slots, number, result, workspace)
            restart(box, environment, slots, number, workspace)
        state, progress = slots.states[number], slots.progress[number]
        write_observation(box, state, progress.half, progress.acting_seat, workspace.seen, slots.observations[number])
        if len(slots.candidate_moves[number]):
            list_candidates(box, slots, number, workspace.out)
        else:
            update_mask(box, state, progress, slots.masks[number], workspace.out)
        slots.seats[number] = progress.acting_seat


@jit
def sample_batch(masks: Grid, rng: Rng, actions: Array, first: int, last: int) -> None:
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


LOOPS = (step_batch, sample_batch, first_illegal, take_action, write_observation, observe_and_mask, write_mask)
