"""The generic loops: a bot's choice, a game to its end, a batch of games, rollouts and beam search over turns.

They call the functions of `contract.py` and are specialised for each room, so that a whole game runs as machine code.

workspace  three states: the determinized state of a seat, the state after a trial move, and the state of a rollout
progress   of a game: lines played, draws taken from `stream`, whether it is over; in a search, also the number of nature's first draw
beam       states of the rows of `turns` during beam search
turns      a row per turn: its evaluation, its number of moves, whether more may follow, the number of ties for the row, and the moves
stream     nature's numbers, derived from the match's seed; if empty, nature draws from `rng`
log        a number per line, (seat + 1) << 32 | move; if empty, nothing is logged
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.contract import NATURE, NATURE_NEXT, OVER, POINT, POINTS, SHARE, WHOLE_SHARE
from tablee.core.jit import copy, jit, same
from tablee.core.rng import mix32, next_number, pick, randbelow, reseed
from tablee.core.struct import Array, Grid

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
SEEN, TRIAL, GAME = range(3)  # indices into the workspace
WORKSPACE_SIZE = 3
LINES, DRAWS, FINISHED, FIRST_DRAW = range(4)  # indices into a progress row
PROGRESS_SIZE = 4
STEPS, OPEN, TIES, MOVES = range(2, 6)  # columns of a turn, after SHARE and POINTS; its moves come last
NO_MOVE = -1
NATURE_STREAM = 63  # seat number that seeds nature's draws
SEAT_SHIFT = 32


@jit
def choose(box: Any, state: Any, workspace: Any, scratch: Any, seat: int, level: int, rng: Array, out: Array, values: Array) -> int:
    """Return a bot's move; what its seat cannot see is redacted and sampled first, unless its level is for determinized states."""
    count = legal(box, state, seat, out)
    if count == 1 or level == RANDOM:
        return out[randbelow(rng, count)]
    if level == EASY:
        count = forget_half(rng, out, count)
    if SECRETS and level not in (GREEDY_DETERMINIZED, GREEDY_FOR_SEARCH):
        copy(state, workspace[SEEN])
        redact(box, workspace[SEEN], seat)
        determinize(box, workspace[SEEN], seat, rng)
        return best_move(box, workspace[SEEN], workspace[TRIAL], scratch, seat, level, rng, out, count, values)
    return best_move(box, state, workspace[TRIAL], scratch, seat, level, rng, out, count, values)


@jit
def forget_half(rng: Array, out: Array, count: int) -> int:
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
def best_move(
    box: Any, state: Any, trial: Any, scratch: Any, seat: int, level: int, rng: Array, out: Array, count: int, values: Array
) -> int:
    """Return the move with the best evaluation one step ahead: by share of the win, then points; break ties at random."""
    share, points, equal, best = 0, 0, 0, 0
    for place in range(count):
        copy(state, trial)
        apply(box, trial, seat, out[place])
        if level == GREEDY_FOR_SEARCH:
            evaluate_for_search(box, trial, scratch, seat, values)
        else:
            evaluate(box, trial, scratch, seat, values)
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
def evaluate(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
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
def play_to_end(
    box: Any,
    state: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    stream: Array,
    rng: Array,
    progress: Array,
    log: Array,
    out: Array,
    weights: Array,
) -> None:
    """Play a game with a bot in each seat until it ends, the stream is used up or the log is full.

    Between two draws the seats play in an inner loop: on a GPU, the threads of a warp then reconverge at every draw.
    """
    while True:
        seats = to_act(box, state)
        while seats > 0:
            if len(log) and progress[LINES] == len(log):
                return
            seat = lowest_seat(seats)
            reseed(rng, progress[LINES], seat)
            if levels[seat] == RANDOM:  # inlined from `choose`: saves the call
                move = out[randbelow(rng, legal(box, state, seat, out))]
            else:
                move = choose(box, state, workspace, scratch, seat, levels[seat], rng, out, weights)
            apply_and_log(box, state, seat, move, progress, log)
            seats = to_act(box, state)
        if seats == OVER:
            progress[FINISHED] = 1
            return
        if (len(stream) and progress[DRAWS] == len(stream)) or (len(log) and progress[LINES] == len(log)):
            return
        number = nature_number(stream, rng, progress[DRAWS])
        progress[DRAWS] += 1
        apply_and_log(box, state, NATURE, out[pick(weights, odds(box, state, out, weights), number)], progress, log)


@jit
def apply_and_log(box: Any, state: Any, seat: int, move: int, progress: Array, log: Array) -> None:
    """Apply a move and append it to the log, if there is one."""
    apply(box, state, seat, move)
    if len(log):
        log[progress[LINES]] = (seat + 1) << SEAT_SHIFT | move
    progress[LINES] += 1


@jit
def nature_number(stream: Array, rng: Array, draw: int) -> int:
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
    box: Any,
    states: Any,
    workspace: Any,
    scratch: Any,
    levels: Array,
    streams: Grid,
    rngs: Grid,
    progress_rows: Grid,
    logs: Grid,
    out: Array,
    weights: Array,
) -> int:
    """Continue every unfinished game of a batch; return how many still need a longer stream or log."""
    left = 0
    for number in range(len(states)):
        if not progress_rows[number, FINISHED]:
            play_to_end(
                box,
                states[number],
                workspace,
                scratch,
                levels,
                streams[number],
                rngs[number],
                progress_rows[number],
                logs[number],
                out,
                weights,
            )
            left += 1 - progress_rows[number, FINISHED]
    return left


@jit
def collect_results(box: Any, states: Any, scores: Grid, winners: Array) -> None:
    """Write the result of each game of a batch: every seat's score, and a mask of the winners."""
    for number in range(len(states)):
        for seat in range(states[number].seats):
            scores[number, seat] = score(box, states[number], seat)
            winners[number] |= int(wins(box, states[number], seat)) << seat


@jit
def playouts(
    box: Any, start: Any, workspace: Any, scratch: Any, levels: Array, rng: Array, progress: Array, out: Array, weights: Array, games: int
) -> int:
    """Play `games` playouts from one position, with nature drawing from `rng`, and return the number of lines played."""
    lines = 0
    for _ in range(games):
        copy(start, workspace[GAME])
        progress[LINES], progress[DRAWS], progress[FINISHED] = 0, 0, 0
        play_to_end(box, workspace[GAME], workspace, scratch, levels, weights[:0], rng, progress, out[:0], out, weights)
        lines += progress[LINES]
        rng[2], rng[3] = rng[0], rng[1]
    return lines


@jit
def generate_turns(
    box: Any, state: Any, beam: Any, trial: Any, scratch: Any, seat: int, rng: Array, out: Array, values: Array, turns: Grid
) -> int:
    """Find the best whole turns of a seat by beam search; return their number and leave them in the first rows of `turns`, unsorted.

    A turn is the seat's moves until another seat or nature is to act. The beam width is half the rows of `turns`; the halves hold the
    present and the next generation.
    """
    width = len(turns) // 2
    count, start, any_open = 1, 0, True
    copy(state, beam[0])
    turns[0, STEPS], turns[0, OPEN] = 0, 1
    while any_open:
        next_start, found, any_open = width - start, 0, False
        for row in range(start, start + count):
            if not turns[row, OPEN]:
                found = insert_in_beam(beam, beam[row], rng, turns, row, NO_MOVE, next_start, found)
                continue
            for place in range(legal(box, beam[row], seat, out)):
                copy(beam[row], trial)
                apply(box, trial, seat, out[place])
                evaluate_for_search(box, trial, scratch, seat, values)
                turns[row, SHARE], turns[row, POINTS] = values[SHARE], values[POINTS]
                turns[row, OPEN] = int(is_to_act(box, trial, seat) and turns[row, STEPS] + 1 < len(turns[row]) - MOVES)
                found = insert_in_beam(beam, trial, rng, turns, row, out[place], next_start, found)
        count, start = found, next_start
        for row in range(start, start + count):
            any_open = any_open or turns[row, OPEN] == 1
    if start:
        for row in range(count):
            copy_turn(turns, start + row, row)
    return count


@jit
def insert_in_beam(beam: Any, state: Any, rng: Array, turns: Grid, row: int, move: int, next_start: int, found: int) -> int:
    """Insert an extended turn into the next generation if it is among the best, and return the generation's new size.

    Skip a turn that leads to the state of another one: most are the same moves in another order. Break ties with the worst at random.
    """
    width, place = len(turns) // 2, next_start
    for other in range(next_start, next_start + found):
        if are_equal(turns, row, other) and same(state, beam[other]):
            return found
        if is_better(turns, place, other):
            place = other
    equals = 1
    if found < width:
        place, found = next_start + found, found + 1
    elif are_equal(turns, row, place):
        equals = turns[place, TIES] + 1
        turns[place, TIES] = equals
        if randbelow(rng, equals) > 0:
            return found
    elif not is_better(turns, row, place):
        return found
    copy(state, beam[place])
    copy_turn(turns, row, place)
    turns[place, TIES] = equals
    if move != NO_MOVE:
        turns[place, MOVES + turns[row, STEPS]] = move
        turns[place, STEPS] += 1
    return found


@jit
def copy_turn(turns: Grid, source: int, target: int) -> None:
    """Copy a turn number by number: for a row assignment Numba spends seconds on compiling shape-mismatch errors."""
    for column in range(MOVES + turns[source, STEPS]):
        turns[target, column] = turns[source, column]


@jit
def are_equal(turns: Grid, one: int, other: int) -> bool:
    return turns[one, SHARE] == turns[other, SHARE] and turns[one, POINTS] == turns[other, POINTS]


@jit
def is_better(turns: Grid, one: int, other: int) -> bool:
    if turns[one, SHARE] != turns[other, SHARE]:
        return turns[one, SHARE] > turns[other, SHARE]
    return turns[one, POINTS] > turns[other, POINTS]


@jit
def is_to_act(box: Any, state: Any, seat: int) -> bool:
    seats = to_act(box, state)
    return seats > 0 and seats >> seat & 1 == 1


@jit
def evaluate_for_search(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
    """Evaluate like `evaluate`, with the room's learned evaluation (`search_value`)."""
    if to_act(box, state) != OVER:
        search_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


@jit
def evaluate_leaf(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
    """Evaluate the leaf of a rollout (`leaf_value`)."""
    if to_act(box, state) != OVER:
        leaf_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


@jit
def play_rollout(
    box: Any,
    workspace: Any,
    beam: Any,
    scratch: Any,
    levels: Array,
    rng: Array,
    progress: Array,
    max_lines: int,
    out: Array,
    values: Array,
    turns: Grid,
) -> None:
    """Play on from workspace[GAME], which is already determinized, until `max_lines` lines are reached (0: to the end).

    BEAM_SEARCH seats play whole turns, which may exceed `max_lines`; the others play move by move.
    """
    while max_lines == 0 or progress[LINES] < max_lines:
        seats = to_act(box, workspace[GAME])
        if seats == OVER:
            return
        if seats == NATURE_NEXT:
            number = progress[FIRST_DRAW] if progress[DRAWS] == 0 else nature_number(out[:0], rng, progress[DRAWS])
            apply(box, workspace[GAME], NATURE, out[pick(values, odds(box, workspace[GAME], out, values), number)])
            progress[DRAWS] += 1
            progress[LINES] += 1
            continue
        seat = lowest_seat(seats)
        reseed(rng, progress[LINES], seat)
        if levels[seat] == BEAM_SEARCH:
            take_turn(box, workspace, beam, scratch, seat, rng, progress, out, values, turns)
        else:
            apply(box, workspace[GAME], seat, choose(box, workspace[GAME], workspace, scratch, seat, levels[seat], rng, out, values))
            progress[LINES] += 1


@jit
def take_turn(
    box: Any, workspace: Any, beam: Any, scratch: Any, seat: int, rng: Array, progress: Array, out: Array, values: Array, turns: Grid
) -> None:
    """Play the best whole turn of a seat, found by beam search; break ties at random."""
    best, equals = 0, 1
    for row in range(1, generate_turns(box, workspace[GAME], beam, workspace[TRIAL], scratch, seat, rng, out, values, turns)):
        if are_equal(turns, row, best):
            equals += 1
            if randbelow(rng, equals) == 0:
                best = row
        elif is_better(turns, row, best):
            best, equals = row, 1
    for step in range(turns[best, STEPS]):
        apply(box, workspace[GAME], seat, turns[best, MOVES + step])
    progress[LINES] += turns[best, STEPS]


@jit
def rollout(
    box: Any,
    state: Any,
    workspace: Any,
    beam: Any,
    scratch: Any,
    seat: int,
    candidates: Grid,
    levels: Array,
    rng: Array,
    progress: Array,
    max_lines: int,
    out: Array,
    weights: Array,
    turns: Grid,
    sums: Grid,
    first: int,
    times: int,
) -> int:
    """Roll each candidate turn out `times` times for `max_lines` lines, add up the leaf evaluations and return the number of lines played.

    Rollout `number` uses the same random numbers for all candidates, which reduces the variance of their differences. Nature's first draw
    is stratified: successive rollouts cycle through its outcomes.
    """
    lines, key, other = 0, rng[2], rng[3]
    for number in range(first, first + times):
        for place in range(len(candidates)):
            rng[2], rng[3] = mix32(key + number), mix32(other ^ number)
            reseed(rng, 0, NATURE_STREAM)
            copy(state, workspace[GAME])
            if SECRETS:
                redact(box, workspace[GAME], seat)
                determinize(box, workspace[GAME], seat, rng)
            for step in range(candidates[place, STEPS]):
                apply(box, workspace[GAME], seat, candidates[place, MOVES + step])
            progress[LINES], progress[DRAWS], progress[FINISHED], progress[FIRST_DRAW] = 0, 0, 0, key + number
            play_rollout(box, workspace, beam, scratch, levels, rng, progress, max_lines, out, weights, turns)
            evaluate_leaf(box, workspace[GAME], scratch, seat, weights)
            sums[place, SHARE] += weights[SHARE]
            sums[place, POINTS] += weights[POINTS]
            lines += candidates[place, STEPS] + progress[LINES]
    rng[2], rng[3] = key, other
    return lines
