"""The generic loops, each written once: a bot's choice, a game to its end, a batch of games. They are written against the functions of
`contract.py` and bound to each room's own functions, so that a whole game runs as machine code.

desk    states to work on: what a seat imagines, a move tried out, a whole game
course  how far a game has come: its lines, the draws used up of `stream`, whether it is over; for a search, also nature's first number
beam    states to work on while whole turns are looked for
turns   a row for each turn: what it promises, how many moves it has, whether more may follow, how many stood for the place, and the moves
stream  nature's numbers as promised by the match's seed; without any, nature draws from `luck`
log     a number for each line, (seat + 1) << 32 | move; without room for any, none is kept
"""

from __future__ import annotations

from typing import Any

from tablee.core.contract import (
    NATURE,
    NATURE_NEXT,
    OVER,
    POINT,
    POINTS,
    SECRETS,
    SHARE,
    WHOLE_SHARE,
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
from tablee.core.jit import copy, same
from tablee.core.rng import mix32, next_number, pick, randbelow, reseed
from tablee.core.struct import Array, Grid

# The bots that play inside the loops. One that is KNOWING is greedy in a world that is imagined already; EASY is greedy too, but overlooks
# every other move, as children do. In a search and where one learns, WISE is knowing and goes by the room's insight; THOROUGH, only in a
# search, takes the best of whole turns.
RANDOM, GREEDY, GREEDY_DETERMINIZED, EASY, BEAM_SEARCH, GREEDY_LEARNED = range(6)
SEEN, TRIAL, GAME = range(3)  # the places of the desk
WORKSPACE_SIZE = 3
LINES, DRAWS, FINISHED, FIRST_DRAW = range(4)  # the places of a course
PROGRESS_SIZE = 4
STEPS, OPEN, TIES, MOVES = range(2, 6)  # the places of a turn, after SHARE and POINTS; its moves come last
NO_MOVE = -1
NATURE_STREAM = 63  # in the place of a seat
SEAT_SHIFT = 32


def choose(box: Any, state: Any, workspace: Any, scratch: Any, seat: int, level: int, rng: Array, out: Array, values: Array) -> int:
    """One of the seat's legal moves. What the seat may not know has no say in it, unless the level says that this world is imagined."""
    count = legal(box, state, seat, out)
    if count == 1 or level == RANDOM:
        return out[randbelow(rng, count)]
    if level == EASY:
        count = forget_half(rng, out, count)
    if SECRETS and level not in (GREEDY_DETERMINIZED, GREEDY_LEARNED):
        copy(state, workspace[SEEN])
        redact(box, workspace[SEEN], seat)
        determinize(box, workspace[SEEN], seat, rng)
        return best_move(box, workspace[SEEN], workspace[TRIAL], scratch, seat, level, rng, out, count, values)
    return best_move(box, state, workspace[TRIAL], scratch, seat, level, rng, out, count, values)


def forget_half(rng: Array, out: Array, count: int) -> int:
    """Keeps about half of the moves, at least one, and returns how many."""
    kept, last = 0, out[randbelow(rng, count)]
    for place in range(count):
        if randbelow(rng, 2) == 0:
            out[kept] = out[place]
            kept += 1
    if kept == 0:
        out[0], kept = last, 1
    return kept


def best_move(
    box: Any, state: Any, trial: Any, scratch: Any, seat: int, level: int, rng: Array, out: Array, count: int, values: Array
) -> int:
    """One step ahead: the move after which the position promises the seat most, first of the win, then of points; equal ones by lot."""
    share, points, equal, best = 0, 0, 0, 0
    for place in range(count):
        copy(state, trial)
        apply(box, trial, seat, out[place])
        if level == GREEDY_LEARNED:
            evaluate_learned(box, trial, scratch, seat, values)
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


def evaluate(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
    """What a position promises to a seat; when it is over, what it came to."""
    if to_act(box, state) != OVER:
        value(box, state, scratch, seat, values)
        return
    winners = 0
    for each in range(state.seats):
        winners += int(wins(box, state, each))
    values[SHARE] = WHOLE_SHARE // winners if wins(box, state, seat) else 0
    values[POINTS] = POINT * score(box, state, seat)


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
    """Plays a game to its end, a bot of some level in each seat; or until the stream is used up or the log is full. Between two draws the
    seats play in a loop of their own: on a GPU, games that are played side by side then meet again at every draw."""
    while True:
        seats = to_act(box, state)
        while seats > 0:
            if len(log) and progress[LINES] == len(log):
                return
            seat = lowest_seat(seats)
            reseed(rng, progress[LINES], seat)
            if levels[seat] == RANDOM:  # as `choose` does it, without the cost of a call
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


def apply_and_log(box: Any, state: Any, seat: int, move: int, progress: Array, log: Array) -> None:
    """Makes a move, and a line of it in the log."""
    apply(box, state, seat, move)
    if len(log):
        log[progress[LINES]] = (seat + 1) << SEAT_SHIFT | move
    progress[LINES] += 1


def nature_number(stream: Array, rng: Array, draw: int) -> int:
    """The number behind a draw. Without a stream it depends on the luck's key and on how many draws there were, on nothing else: so the
    same luck may try different moves."""
    if len(stream):
        return stream[draw]
    reseed(rng, draw, NATURE_STREAM)
    return next_number(rng)


def lowest_seat(seats: int) -> int:
    """The first seat of a mask."""
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


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
    """Plays on with every game of a batch that is not over; returns how many are left that need more numbers or more room."""
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


def collect_results(box: Any, states: Any, scores: Grid, winners: Array) -> None:
    """How each game of a batch ended: every seat's score, and a mask of those who win."""
    for number in range(len(states)):
        for seat in range(states[number].seats):
            scores[number, seat] = score(box, states[number], seat)
            winners[number] |= int(wins(box, states[number], seat)) << seat


def playouts(
    box: Any, start: Any, workspace: Any, scratch: Any, levels: Array, rng: Array, progress: Array, out: Array, weights: Array, games: int
) -> int:
    """Whole games from one position, nature drawing from luck too; returns how many lines they took."""
    lines = 0
    for _ in range(games):
        copy(start, workspace[GAME])
        progress[LINES], progress[DRAWS], progress[FINISHED] = 0, 0, 0
        play_to_end(box, workspace[GAME], workspace, scratch, levels, weights[:0], rng, progress, out[:0], out, weights)
        lines += progress[LINES]
        rng[2], rng[3] = rng[0], rng[1]
    return lines


def generate_turns(
    box: Any, state: Any, beam: Any, trial: Any, scratch: Any, seat: int, rng: Array, out: Array, values: Array, turns: Grid
) -> int:
    """The most promising whole turns of a seat: its moves one after the other, until it is somebody else's turn or nature's. Half of the
    `turns`, as many of their rows, are kept at every step; returns how many there are and leaves them in the first rows, in no order."""
    wide = len(turns) // 2
    have, here, going = 1, 0, True
    copy(state, beam[0])
    turns[0, STEPS], turns[0, OPEN] = 0, 1
    while going:
        there, found, going = wide - here, 0, False
        for row in range(here, here + have):
            if not turns[row, OPEN]:
                found = insert_in_beam(beam, beam[row], rng, turns, row, NO_MOVE, there, found)
                continue
            for place in range(legal(box, beam[row], seat, out)):
                copy(beam[row], trial)
                apply(box, trial, seat, out[place])
                evaluate_learned(box, trial, scratch, seat, values)
                turns[row, SHARE], turns[row, POINTS] = values[SHARE], values[POINTS]
                turns[row, OPEN] = int(is_to_act(box, trial, seat) and turns[row, STEPS] + 1 < len(turns[row]) - MOVES)
                found = insert_in_beam(beam, trial, rng, turns, row, out[place], there, found)
        have, here = found, there
        for row in range(here, here + have):
            going = going or turns[row, OPEN] == 1
    if here:
        for row in range(have):
            copy_turn(turns, here + row, row)
    return have


def insert_in_beam(beam: Any, state: Any, rng: Array, turns: Grid, row: int, move: int, there: int, found: int) -> int:
    """Notes down a turn one step longer, if it is among the best so far and does not lead to where one of them leads: most are the same
    moves in another order. If it promises just as much as the worst, the lot decides. Returns how many there are now."""
    wide, place = len(turns) // 2, there
    for other in range(there, there + found):
        if are_equal(turns, row, other) and same(state, beam[other]):
            return found
        if is_better(turns, place, other):
            place = other
    equals = 1
    if found < wide:
        place, found = there + found, found + 1
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


def copy_turn(turns: Grid, one: int, other: int) -> None:
    """Number by number: for a whole row at once Numba compiles seconds of sentences about shapes that do not fit."""
    for column in range(MOVES + turns[one, STEPS]):
        turns[other, column] = turns[one, column]


def are_equal(turns: Grid, one: int, other: int) -> bool:
    return turns[one, SHARE] == turns[other, SHARE] and turns[one, POINTS] == turns[other, POINTS]


def is_better(turns: Grid, one: int, other: int) -> bool:
    if turns[one, SHARE] != turns[other, SHARE]:
        return turns[one, SHARE] > turns[other, SHARE]
    return turns[one, POINTS] > turns[other, POINTS]


def is_to_act(box: Any, state: Any, seat: int) -> bool:
    seats = to_act(box, state)
    return seats > 0 and seats >> seat & 1 == 1


def evaluate_learned(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
    """`appraise`, by the best that the room knows."""
    if to_act(box, state) != OVER:
        search_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


def evaluate_leaf(box: Any, state: Any, scratch: Any, seat: int, values: Array) -> None:
    """What a playout comes to that is left off here."""
    if to_act(box, state) != OVER:
        leaf_value(box, state, scratch, seat, values)
    else:
        evaluate(box, state, scratch, seat, values)


def play_rollout(
    box: Any,
    workspace: Any,
    beam: Any,
    scratch: Any,
    levels: Array,
    rng: Array,
    progress: Array,
    most: int,
    out: Array,
    values: Array,
    turns: Grid,
) -> None:
    """Plays on from desk[GAME], in a world that is imagined already, for so many lines or a few more, or to the end: who is THOROUGH by
    whole turns, the others as they do."""
    while most == 0 or progress[LINES] < most:
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


def take_turn(
    box: Any, workspace: Any, beam: Any, scratch: Any, seat: int, rng: Array, progress: Array, out: Array, values: Array, turns: Grid
) -> None:
    """The best whole turn of a seat."""
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


def rollout(
    box: Any,
    state: Any,
    workspace: Any,
    beam: Any,
    scratch: Any,
    seat: int,
    tries: Grid,
    levels: Array,
    rng: Array,
    progress: Array,
    most: int,
    out: Array,
    weights: Array,
    turns: Grid,
    tried: Grid,
    first: int,
    times: int,
) -> int:
    """Plays each of these turns so many times, each time with the luck of that number for all of them alike, and on for so many lines;
    adds up what the positions then promise the seat. Nature's first draw goes through all that may come, in turn. Returns how many lines
    were played."""
    lines, key, other = 0, rng[2], rng[3]
    for number in range(first, first + times):
        for place in range(len(tries)):
            rng[2], rng[3] = mix32(key + number), mix32(other ^ number)
            reseed(rng, 0, NATURE_STREAM)
            copy(state, workspace[GAME])
            if SECRETS:
                redact(box, workspace[GAME], seat)
                determinize(box, workspace[GAME], seat, rng)
            for step in range(tries[place, STEPS]):
                apply(box, workspace[GAME], seat, tries[place, MOVES + step])
            progress[LINES], progress[DRAWS], progress[FINISHED], progress[FIRST_DRAW] = 0, 0, 0, key + number
            play_rollout(box, workspace, beam, scratch, levels, rng, progress, most, out, weights, turns)
            evaluate_leaf(box, workspace[GAME], scratch, seat, weights)
            tried[place, SHARE] += weights[SHARE]
            tried[place, POINTS] += weights[POINTS]
            lines += tries[place, STEPS] + progress[LINES]
    rng[2], rng[3] = key, other
    return lines


LOOPS = (choose, generate_turns, rollout, evaluate, play_batch, collect_results, playouts)
