"""The generic loops: a bot's choice, a game to its end, a batch of games, rollouts and beam search over turns.

They call the functions of `contract.py` and are specialised for each room, so that a whole game runs as machine code. `workspace.py` has
the memory that they write to.

stream  nature's numbers, derived from the match's seed; if empty, nature draws from `rng`
log     a number per line, (seat + 1) << 32 | move; if empty, nothing is logged
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.core.contract import NATURE, NATURE_NEXT, OVER, POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import copy, jit, same
from tablee.core.rng import Rng, derive_key, next_number, pick, randbelow, reseed
from tablee.core.struct import Array, Grid, Struct, StructArray
from tablee.core.workspace import Beam, CandidateTurn, Progress, Rollouts, S, Workspace

if TYPE_CHECKING:  # the room's own, which `specialize` puts into this namespace
    from tablee.core.contract import (
        SECRETS,
        apply,
        determinize,
        leaf_value,
        legal,
        odds,
        redact,
        score,
        search_value,
        to_act,
        value,
        wins,
    )

# Levels of the bots inside the loops. GREEDY determinizes, then takes the move with the best evaluation; EASY is greedy among a random half
# of its moves. GREEDY_DETERMINIZED is greedy in a state that is determinized already. GREEDY_FOR_SEARCH (rollouts and training) is the
# same with the learned evaluation; BEAM_SEARCH, only in rollouts, takes the best whole turn.
RANDOM, GREEDY, GREEDY_DETERMINIZED, EASY, BEAM_SEARCH, GREEDY_FOR_SEARCH = range(6)
NO_MOVE = -1
NATURE_STREAM = 63  # seat number that seeds nature's draws
SEAT_SHIFT = 32


@jit
def choose(box: Struct, state: S, seat: int, level: int, workspace: Workspace[S], rng: Rng) -> int:
    """Return a bot's move; what its seat cannot see is redacted and sampled first, unless its level is for determinized states."""
    out = workspace.out
    count = legal(box, state, seat, out)
    if count == 1 or level == RANDOM:
        return out[randbelow(rng, count)]
    if level == EASY:
        count = forget_half(out, count, rng)
    if SECRETS and level not in (GREEDY_DETERMINIZED, GREEDY_FOR_SEARCH):
        copy(state, workspace.seen)
        redact(box, workspace.seen, seat)
        determinize(box, workspace.seen, seat, rng)
        return best_move(box, workspace.seen, seat, level, count, workspace, rng)
    return best_move(box, state, seat, level, count, workspace, rng)


@jit
def forget_half(out: Array, count: int, rng: Rng) -> int:
    """Drop each move with probability 1/2, keep at least one, and return the number left."""
    left, fallback = 0, out[randbelow(rng, count)]
    for place in range(count):
        if randbelow(rng, 2) == 0:
            out[left] = out[place]
            left += 1
    if left == 0:
        out[0], left = fallback, 1
    return left


@jit
def best_move(box: Struct, state: S, seat: int, level: int, count: int, workspace: Workspace[S], rng: Rng) -> int:
    """Return the move with the best evaluation one step ahead: by share of the win, then points; break ties at random."""
    out, trial, values = workspace.out, workspace.trial, workspace.values
    share, points, equal, best = 0, 0, 0, 0
    for place in range(count):
        copy(state, trial)
        apply(box, trial, seat, out[place])
        if level == GREEDY_FOR_SEARCH:
            evaluate_for_search(box, trial, workspace.scratch, seat, values)
        else:
            evaluate(box, trial, workspace.scratch, seat, values)
        better = values[SHARE] - share
        if better == 0:
            better = values[POINTS] - points
        if equal == 0 or better > 0:
            share, points, equal, best = values[SHARE], values[POINTS], 1, place
        elif better == 0:
            equal += 1
            if randbelow(rng, equal) == 0:
                best = place
    return out[best]


@jit
def evaluate(box: Struct, state: S, scratch: Struct, seat: int, values: Array) -> None:
    """Evaluate a position for a seat; write the actual result if the game is over."""
    if to_act(box, state) != OVER:
        value(box, state, scratch, seat, values)
        return
    winners = 0
    for each in range(state.seats):
        winners += int(wins(box, state, each))
    values[SHARE] = WHOLE_SHARE // winners if wins(box, state, seat) else 0
    values[POINTS] = POINT * score(box, state, seat)


@jit
def evaluate_for_search(box: Struct, state: S, scratch: Struct, seat: int, values: Array) -> None:
    """Evaluate like `evaluate`, with the room's learned evaluation (`search_value`)."""
    if to_act(box, state) != OVER:
        search_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


@jit
def evaluate_leaf(box: Struct, state: S, scratch: Struct, seat: int, values: Array) -> None:
    """Evaluate the leaf of a rollout (`leaf_value`)."""
    if to_act(box, state) != OVER:
        leaf_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


@jit
def play_to_end(
    box: Struct, state: S, levels: Array, workspace: Workspace[S], rng: Rng, progress: Progress, stream: Array, log: Array
) -> None:
    """Play a game with a bot in each seat until it ends, the stream is used up or the log is full.

    Between two draws the seats play in an inner loop: on a GPU, the threads of a warp then reconverge at every draw.
    """
    while True:
        seats = to_act(box, state)
        while seats > 0:
            if len(log) and progress.lines == len(log):
                return
            seat = lowest_seat(seats)
            reseed(rng, progress.lines, seat)
            if levels[seat] == RANDOM:  # inlined from `choose`: saves the call
                move = workspace.out[randbelow(rng, legal(box, state, seat, workspace.out))]
            else:
                move = choose(box, state, seat, levels[seat], workspace, rng)
            apply(box, state, seat, move)
            append_line(seat, move, progress, log)
            seats = to_act(box, state)
        if seats == OVER:
            progress.finished = 1
            return
        if (len(stream) and progress.draws == len(stream)) or (len(log) and progress.lines == len(log)):
            return
        append_line(NATURE, play_nature(box, state, workspace, nature_number(stream, rng, progress.draws)), progress, log)
        progress.draws += 1


@jit
def append_line(seat: int, move: int, progress: Progress, log: Array) -> None:
    """Count a line, and write it to the log, if there is one."""
    if len(log):
        log[progress.lines] = (seat + 1) << SEAT_SHIFT | move
    progress.lines += 1


@jit
def play_nature(box: Struct, state: S, workspace: Workspace[S], number: int) -> int:
    """Apply the outcome that a random number picks, and return it."""
    outcome = workspace.out[pick(workspace.weights, odds(box, state, workspace.out, workspace.weights), number)]
    apply(box, state, NATURE, outcome)
    return outcome


@jit
def nature_number(stream: Array, rng: Rng, draw: int) -> int:
    """Return the random number from which the outcome of draw number `draw` is chosen.

    Without a stream it depends only on the key of `rng` and on `draw`, so different moves are compared on common random numbers.
    """
    if len(stream):
        return stream[draw]
    reseed(rng, draw, NATURE_STREAM)
    return next_number(rng)


@jit
def lowest_seat(seats: int) -> int:
    """Return the lowest seat of a mask."""
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


@jit
def play_batch(
    box: Struct,
    states: StructArray[S],
    levels: Array,
    workspace: Workspace[S],
    rngs: StructArray[Rng],
    progress: StructArray[Progress],
    streams: Grid,
    logs: Grid,
) -> int:
    """Continue every unfinished game of a batch; return how many still need a longer stream or log."""
    left = 0
    for number in range(len(states)):
        if not progress[number].finished:
            play_to_end(box, states[number], levels, workspace, rngs[number], progress[number], streams[number], logs[number])
            left += 1 - progress[number].finished
    return left


@jit
def collect_results(box: Struct, states: StructArray[S], scores: Grid, winners: Array) -> None:
    """Write the result of each game of a batch: every seat's score, and a mask of the winners."""
    for number in range(len(states)):
        for seat in range(states[number].seats):
            scores[number, seat] = score(box, states[number], seat)
            winners[number] |= int(wins(box, states[number], seat)) << seat


@jit
def playouts(box: Struct, start: S, levels: Array, workspace: Workspace[S], rng: Rng, progress: Progress, games: int) -> int:
    """Play `games` playouts from one position, with nature drawing from `rng`, and return the number of lines played."""
    lines, nothing = 0, workspace.out[:0]
    for _ in range(games):
        copy(start, workspace.game)
        begin(progress)
        play_to_end(box, workspace.game, levels, workspace, rng, progress, nothing, nothing)
        lines += progress.lines
        rng.key_one, rng.key_two = rng.state_one, rng.state_two
    return lines


@jit
def begin(progress: Progress) -> None:
    progress.lines, progress.draws, progress.finished = 0, 0, 0


@jit
def generate_turns(box: Struct, state: S, seat: int, workspace: Workspace[S], rng: Rng, beam: Beam[S]) -> int:
    """Find the best whole turns of a seat by beam search; return their number and leave them first in `beam.turns`, unsorted."""
    width = len(beam.turns) // 2
    count, start, any_open = 1, 0, True
    copy(state, beam.states[0])
    beam.turns[0].steps, beam.turns[0].is_open = 0, 1
    while any_open:
        found, any_open = 0, False
        for row in range(start, start + count):
            if beam.turns[row].is_open:
                found = extend_turn(box, seat, row, found, workspace, rng, beam)
            else:
                found = insert_in_beam(beam, beam.states[row], row, NO_MOVE, found, rng)
        count, start = found, width - start
        for row in range(start, start + count):
            any_open = any_open or beam.turns[row].is_open == 1
    if start:
        for row in range(count):
            copy(beam.turns[start + row], beam.turns[row])
    return count


@jit
def extend_turn(box: Struct, seat: int, row: int, found: int, workspace: Workspace[S], rng: Rng, beam: Beam[S]) -> int:
    """Extend an open turn by each legal move, insert the results into the next generation and return its new size."""
    turn, trial, values = beam.turns[row], workspace.trial, workspace.values
    for place in range(legal(box, beam.states[row], seat, workspace.out)):
        move = workspace.out[place]
        copy(beam.states[row], trial)
        apply(box, trial, seat, move)
        evaluate_for_search(box, trial, workspace.scratch, seat, values)
        turn.share, turn.points = values[SHARE], values[POINTS]
        turn.is_open = int(is_to_act(box, trial, seat) and turn.steps + 1 < beam.longest)
        found = insert_in_beam(beam, trial, row, move, found, rng)
    return found


@jit
def insert_in_beam(beam: Beam[S], state: S, row: int, move: int, found: int, rng: Rng) -> int:
    """Insert an extended turn into the next generation if it is among the best, and return the generation's new size.

    Skip a turn that leads to the state of another one: most are the same moves in another order. Break ties with the worst at random.
    """
    turn, width = beam.turns[row], len(beam.turns) // 2
    first = 0 if row >= width else width  # of the next generation
    place = first
    for other in range(first, first + found):
        if are_equal(turn, beam.turns[other]) and same(state, beam.states[other]):
            return found
        if is_better(beam.turns[place], beam.turns[other]):
            place = other
    ties = 1
    if found < width:
        place, found = first + found, found + 1
    elif are_equal(turn, beam.turns[place]):
        ties = beam.turns[place].ties + 1
        beam.turns[place].ties = ties
        if randbelow(rng, ties) > 0:
            return found
    elif not is_better(turn, beam.turns[place]):
        return found
    copy(state, beam.states[place])
    copy(turn, beam.turns[place])
    beam.turns[place].ties = ties
    if move != NO_MOVE:
        beam.turns[place].moves[turn.steps] = move
        beam.turns[place].steps = turn.steps + 1
    return found


@jit
def are_equal(one: CandidateTurn, other: CandidateTurn) -> bool:
    return one.share == other.share and one.points == other.points


@jit
def is_better(one: CandidateTurn, other: CandidateTurn) -> bool:
    return one.share > other.share if one.share != other.share else one.points > other.points


@jit
def is_to_act(box: Struct, state: S, seat: int) -> bool:
    seats = to_act(box, state)
    return seats > 0 and seats >> seat & 1 == 1


@jit
def rollout(
    box: Struct,
    state: S,
    seat: int,
    workspace: Workspace[S],
    rollouts: Rollouts[S],
    candidates: StructArray[CandidateTurn],
    first: int,
    last: int,
) -> int:
    """Run the rollouts `first` to `last - 1` of every candidate, back their values up and return the number of lines played.

    A rollout uses the same random numbers for all candidates, which reduces the variance of their differences.
    """
    lines = 0
    for number in range(first, last):
        for place in range(len(candidates)):
            determinize_for_rollout(box, state, seat, workspace, rollouts, number)
            turn = candidates[place]
            for step in range(turn.steps):
                apply(box, workspace.game, seat, turn.moves[step])
            play_rollout(box, workspace, rollouts, number)
            evaluate_leaf(box, workspace.game, workspace.scratch, seat, workspace.values)
            turn.share_sum += workspace.values[SHARE]
            turn.points_sum += workspace.values[POINTS]
            lines += turn.steps + rollouts.progress.lines
    return lines


@jit
def determinize_for_rollout(box: Struct, state: S, seat: int, workspace: Workspace[S], rollouts: Rollouts[S], number: int) -> None:
    """Write the state that rollout `number` starts from, determinized for the seat that searches."""
    derive_key(rollouts.rng, rollouts.key.key_one, rollouts.key.key_two, number)
    reseed(rollouts.rng, 0, NATURE_STREAM)
    copy(state, workspace.game)
    if SECRETS:
        redact(box, workspace.game, seat)
        determinize(box, workspace.game, seat, rollouts.rng)


@jit
def play_rollout(box: Struct, workspace: Workspace[S], rollouts: Rollouts[S], number: int) -> None:
    """Play on from `workspace.game` for `max_lines` lines; a whole turn may exceed them.

    Nature's first draw is stratified: successive rollouts cycle through its outcomes.
    """
    state, rng, progress = workspace.game, rollouts.rng, rollouts.progress
    begin(progress)
    while rollouts.max_lines == 0 or progress.lines < rollouts.max_lines:
        seats = to_act(box, state)
        if seats == OVER:
            return
        if seats == NATURE_NEXT:
            first = rollouts.key.key_one + number
            play_nature(box, state, workspace, nature_number(workspace.out[:0], rng, progress.draws) if progress.draws else first)
            progress.draws += 1
            progress.lines += 1
            continue
        seat = lowest_seat(seats)
        reseed(rng, progress.lines, seat)
        if rollouts.levels[seat] == BEAM_SEARCH:
            progress.lines += take_turn(box, seat, workspace, rng, rollouts.beam)
        else:
            apply(box, state, seat, choose(box, state, seat, rollouts.levels[seat], workspace, rng))
            progress.lines += 1


@jit
def take_turn(box: Struct, seat: int, workspace: Workspace[S], rng: Rng, beam: Beam[S]) -> int:
    """Play the best whole turn of a seat in a rollout, found by beam search, and return its length; break ties at random."""
    best, equals = 0, 1
    for row in range(1, generate_turns(box, workspace.game, seat, workspace, rng, beam)):
        if are_equal(beam.turns[row], beam.turns[best]):
            equals += 1
            if randbelow(rng, equals) == 0:
                best = row
        elif is_better(beam.turns[row], beam.turns[best]):
            best, equals = row, 1
    turn = beam.turns[best]
    for step in range(turn.steps):
        apply(box, workspace.game, seat, turn.moves[step])
    return turn.steps
