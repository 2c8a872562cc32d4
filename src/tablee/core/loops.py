"""The generic loops, each written once: a bot's choice, a game to its end, a batch of games. They are written against the functions of
`contract.py` and bound to each room's own functions, so that a whole game runs as machine code.

desk    states to work on: what a seat imagines, a move tried out, a whole game
course  how far a game has come: its lines, the draws used up of `stream`, whether it is over
stream  nature's numbers as promised by the match's seed; without any, nature draws from `luck`
log     a number for each line, (seat + 1) << 32 | move; without room for any, none is kept
"""

from __future__ import annotations

from typing import Any

from tablee.core.cells import Array, Grid
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
    awaited,
    hide,
    imagine,
    legal,
    odds,
    score,
    value,
    wins,
)
from tablee.core.luck import below, next_number, pick, scatter, turn_to
from tablee.core.rule import copy

RANDOM, GREEDY, KNOWING = range(3)  # the bots that play inside the loops; one that is KNOWING is greedy in a world that is imagined already
SEEN, TRIAL, GAME = range(3)  # the places of the desk
DESK = 3
LINES, DRAWS, ENDED = range(3)  # the places of a course
COURSE = 3
NATURE_LUCK = 63  # in the place of a seat
SEAT_SHIFT = 32


def choose(box: Any, state: Any, desk: Any, scratch: Any, seat: int, level: int, luck: Array, out: Array, worth: Array) -> int:
    """One of the seat's legal moves; what the seat may not know has no say in it."""
    count = legal(box, state, seat, out)
    if count == 1 or level == RANDOM:
        return out[below(luck, count)]
    if SECRETS and level != KNOWING:
        copy(state, desk[SEEN])
        hide(box, desk[SEEN], seat)
        imagine(box, desk[SEEN], seat, luck)
        return best_move(box, desk[SEEN], desk[TRIAL], scratch, seat, luck, out, count, worth)
    return best_move(box, state, desk[TRIAL], scratch, seat, luck, out, count, worth)


def best_move(box: Any, state: Any, trial: Any, scratch: Any, seat: int, luck: Array, out: Array, count: int, worth: Array) -> int:
    """One step ahead: the move after which the position promises the seat most, first of the win, then of points; equal ones by lot."""
    share, points, equal, best = 0, 0, 0, 0
    for place in range(count):
        copy(state, trial)
        apply(box, trial, seat, out[place])
        appraise(box, trial, scratch, seat, worth)
        better = worth[SHARE] - share
        if better == 0:
            better = worth[POINTS] - points
        if equal == 0 or better > 0:
            share, points, equal, best = worth[SHARE], worth[POINTS], 1, place
        elif better == 0:
            equal += 1
            if below(luck, equal) == 0:
                best = place
    return out[best]


def appraise(box: Any, state: Any, scratch: Any, seat: int, worth: Array) -> None:
    """What a position promises to a seat; when it is over, what it came to."""
    if awaited(box, state) != OVER:
        value(box, state, scratch, seat, worth)
        return
    winners = 0
    for each in range(state.seats):
        winners += int(wins(box, state, each))
    worth[SHARE] = WHOLE_SHARE // winners if wins(box, state, seat) else 0
    worth[POINTS] = POINT * score(box, state, seat)


def play_on(
    box: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    stream: Array,
    luck: Array,
    course: Array,
    log: Array,
    out: Array,
    weights: Array,
) -> None:
    """Plays a game to its end, a bot of some level in each seat; or until the stream is used up or the log is full."""
    while True:
        seats = awaited(box, state)
        if seats == OVER:
            course[ENDED] = 1
            return
        if len(log) and course[LINES] == len(log):
            return
        if seats == NATURE_NEXT:
            if len(stream) and course[DRAWS] == len(stream):
                return
            seat, number = NATURE, nature_number(stream, luck, course[DRAWS])
            move = out[pick(weights, odds(box, state, out, weights), number)]
            course[DRAWS] += 1
        else:
            seat = lowest(seats)
            turn_to(luck, course[LINES], seat)
            if levels[seat] == RANDOM:  # as `choose` does it, without the cost of a call
                move = out[below(luck, legal(box, state, seat, out))]
            else:
                move = choose(box, state, desk, scratch, seat, levels[seat], luck, out, weights)
        apply(box, state, seat, move)
        if len(log):
            log[course[LINES]] = (seat + 1) << SEAT_SHIFT | move
        course[LINES] += 1


def nature_number(stream: Array, luck: Array, draw: int) -> int:
    """The number behind a draw. Without a stream it depends on the luck's key and on how many draws there were, on nothing else: so the
    same luck may try different moves."""
    if len(stream):
        return stream[draw]
    turn_to(luck, draw, NATURE_LUCK)
    return next_number(luck)


def lowest(seats: int) -> int:
    """The first seat of a mask."""
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


def play_batch(
    box: Any,
    states: Any,
    desk: Any,
    scratch: Any,
    levels: Array,
    streams: Grid,
    lucks: Grid,
    courses: Grid,
    logs: Grid,
    out: Array,
    weights: Array,
) -> int:
    """Plays on with every game of a batch that is not over; returns how many are left that need more numbers or more room."""
    left = 0
    for number in range(len(states)):
        if not courses[number, ENDED]:
            play_on(
                box,
                states[number],
                desk,
                scratch,
                levels,
                streams[number],
                lucks[number],
                courses[number],
                logs[number],
                out,
                weights,
            )
            left += 1 - courses[number, ENDED]
    return left


def add_up(box: Any, states: Any, scores: Grid, winners: Array) -> None:
    """How each game of a batch ended: every seat's score, and a mask of those who win."""
    for number in range(len(states)):
        for seat in range(states[number].seats):
            scores[number, seat] = score(box, states[number], seat)
            winners[number] |= int(wins(box, states[number], seat)) << seat


def playouts(
    box: Any, start: Any, desk: Any, scratch: Any, levels: Array, luck: Array, course: Array, out: Array, weights: Array, games: int
) -> int:
    """Whole games from one position, nature drawing from luck too; returns how many lines they took."""
    lines = 0
    for _ in range(games):
        copy(start, desk[GAME])
        course[LINES], course[DRAWS], course[ENDED] = 0, 0, 0
        play_on(box, desk[GAME], desk, scratch, levels, weights[:0], luck, course, out[:0], out, weights)
        lines += course[LINES]
        luck[2], luck[3] = luck[0], luck[1]
    return lines


def try_out(
    box: Any,
    state: Any,
    desk: Any,
    scratch: Any,
    seat: int,
    moves: Array,
    levels: Array,
    luck: Array,
    course: Array,
    log: Array,
    out: Array,
    weights: Array,
    tried: Grid,
    first: int,
    times: int,
) -> int:
    """Plays each of these moves so many times, each time with the luck of that number for all of them alike, and on for as many lines as
    the log has room for, or to the end if it has none; adds up what the positions then promise the seat. Returns how many lines were
    played."""
    lines, key, other = 0, luck[2], luck[3]
    for number in range(first, first + times):
        for place in range(len(moves)):
            luck[2], luck[3] = scatter(key + number), scatter(other ^ number)
            turn_to(luck, 0, NATURE_LUCK)
            copy(state, desk[GAME])
            if SECRETS:
                hide(box, desk[GAME], seat)
                imagine(box, desk[GAME], seat, luck)
            apply(box, desk[GAME], seat, moves[place])
            course[LINES], course[DRAWS], course[ENDED] = 0, 0, 0
            play_on(box, desk[GAME], desk, scratch, levels, weights[:0], luck, course, log, out, weights)
            appraise(box, desk[GAME], scratch, seat, weights)
            tried[place, SHARE] += weights[SHARE]
            tried[place, POINTS] += weights[POINTS]
            lines += 1 + course[LINES]
    luck[2], luck[3] = key, other
    return lines


def rank(box: Any, state: Any, desk: Any, scratch: Any, seat: int, moves: Array, worth: Array, tried: Grid) -> None:
    """What each of these moves promises one step ahead."""
    for place in range(len(moves)):
        copy(state, desk[TRIAL])
        apply(box, desk[TRIAL], seat, moves[place])
        appraise(box, desk[TRIAL], scratch, seat, worth)
        tried[place, SHARE], tried[place, POINTS] = worth[SHARE], worth[POINTS]


LOOPS = (choose, rank, try_out, appraise, play_batch, add_up, playouts)
