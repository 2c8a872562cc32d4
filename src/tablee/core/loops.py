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
    awaited,
    hide,
    imagine,
    insight,
    legal,
    odds,
    outlook,
    score,
    value,
    wins,
)
from tablee.core.jit import copy, same
from tablee.core.rng import below, next_number, pick, scatter, turn_to
from tablee.core.struct import Array, Grid

# The bots that play inside the loops. One that is KNOWING is greedy in a world that is imagined already; EASY is greedy too, but overlooks
# every other move, as children do. In a search and where one learns, WISE is knowing and goes by the room's insight; THOROUGH, only in a
# search, takes the best of whole turns.
RANDOM, GREEDY, KNOWING, EASY, THOROUGH, WISE = range(6)
SEEN, TRIAL, GAME = range(3)  # the places of the desk
DESK = 3
LINES, DRAWS, FINISHED, FIRST_DRAW = range(4)  # the places of a course
COURSE = 4
STEPS, OPEN, EQUALS, MOVES = range(2, 6)  # the places of a turn, after SHARE and POINTS; its moves come last
NO_MOVE = -1
NATURE_LUCK = 63  # in the place of a seat
SEAT_SHIFT = 32


def choose(box: Any, state: Any, desk: Any, scratch: Any, seat: int, level: int, luck: Array, out: Array, worth: Array) -> int:
    """One of the seat's legal moves. What the seat may not know has no say in it, unless the level says that this world is imagined."""
    count = legal(box, state, seat, out)
    if count == 1 or level == RANDOM:
        return out[below(luck, count)]
    if level == EASY:
        count = noticed(luck, out, count)
    if SECRETS and level not in (KNOWING, WISE):
        copy(state, desk[SEEN])
        hide(box, desk[SEEN], seat)
        imagine(box, desk[SEEN], seat, luck)
        return best_move(box, desk[SEEN], desk[TRIAL], scratch, seat, level, luck, out, count, worth)
    return best_move(box, state, desk[TRIAL], scratch, seat, level, luck, out, count, worth)


def noticed(luck: Array, out: Array, count: int) -> int:
    """Keeps about half of the moves, at least one, and returns how many."""
    kept, last = 0, out[below(luck, count)]
    for place in range(count):
        if below(luck, 2) == 0:
            out[kept] = out[place]
            kept += 1
    if kept == 0:
        out[0], kept = last, 1
    return kept


def best_move(
    box: Any, state: Any, trial: Any, scratch: Any, seat: int, level: int, luck: Array, out: Array, count: int, worth: Array
) -> int:
    """One step ahead: the move after which the position promises the seat most, first of the win, then of points; equal ones by lot."""
    share, points, equal, best = 0, 0, 0, 0
    for place in range(count):
        copy(state, trial)
        apply(box, trial, seat, out[place])
        if level == WISE:
            foresee(box, trial, scratch, seat, worth)
        else:
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
    """Plays a game to its end, a bot of some level in each seat; or until the stream is used up or the log is full. Between two draws the
    seats play in a loop of their own: on a GPU, games that are played side by side then meet again at every draw."""
    while True:
        seats = awaited(box, state)
        while seats > 0:
            if len(log) and course[LINES] == len(log):
                return
            seat = lowest(seats)
            turn_to(luck, course[LINES], seat)
            if levels[seat] == RANDOM:  # as `choose` does it, without the cost of a call
                move = out[below(luck, legal(box, state, seat, out))]
            else:
                move = choose(box, state, desk, scratch, seat, levels[seat], luck, out, weights)
            take_down(box, state, seat, move, course, log)
            seats = awaited(box, state)
        if seats == OVER:
            course[FINISHED] = 1
            return
        if (len(stream) and course[DRAWS] == len(stream)) or (len(log) and course[LINES] == len(log)):
            return
        number = nature_number(stream, luck, course[DRAWS])
        course[DRAWS] += 1
        take_down(box, state, NATURE, out[pick(weights, odds(box, state, out, weights), number)], course, log)


def take_down(box: Any, state: Any, seat: int, move: int, course: Array, log: Array) -> None:
    """Makes a move, and a line of it in the log."""
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
        if not courses[number, FINISHED]:
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
            left += 1 - courses[number, FINISHED]
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
        course[LINES], course[DRAWS], course[FINISHED] = 0, 0, 0
        play_on(box, desk[GAME], desk, scratch, levels, weights[:0], luck, course, out[:0], out, weights)
        lines += course[LINES]
        luck[2], luck[3] = luck[0], luck[1]
    return lines


def unfold(box: Any, state: Any, beam: Any, trial: Any, scratch: Any, seat: int, luck: Array, out: Array, worth: Array, turns: Grid) -> int:
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
                found = keep(beam, beam[row], luck, turns, row, NO_MOVE, there, found)
                continue
            for place in range(legal(box, beam[row], seat, out)):
                copy(beam[row], trial)
                apply(box, trial, seat, out[place])
                foresee(box, trial, scratch, seat, worth)
                turns[row, SHARE], turns[row, POINTS] = worth[SHARE], worth[POINTS]
                turns[row, OPEN] = int(is_awaited(box, trial, seat) and turns[row, STEPS] + 1 < len(turns[row]) - MOVES)
                found = keep(beam, trial, luck, turns, row, out[place], there, found)
        have, here = found, there
        for row in range(here, here + have):
            going = going or turns[row, OPEN] == 1
    if here:
        for row in range(have):
            copy_turn(turns, here + row, row)
    return have


def keep(beam: Any, state: Any, luck: Array, turns: Grid, row: int, move: int, there: int, found: int) -> int:
    """Notes down a turn one step longer, if it is among the best so far and does not lead to where one of them leads: most are the same
    moves in another order. If it promises just as much as the worst, the lot decides. Returns how many there are now."""
    wide, place = len(turns) // 2, there
    for other in range(there, there + found):
        if are_equal(turns, row, other) and same(state, beam[other]):
            return found
        if promises_more(turns, place, other):
            place = other
    equals = 1
    if found < wide:
        place, found = there + found, found + 1
    elif are_equal(turns, row, place):
        equals = turns[place, EQUALS] + 1
        turns[place, EQUALS] = equals
        if below(luck, equals) > 0:
            return found
    elif not promises_more(turns, row, place):
        return found
    copy(state, beam[place])
    copy_turn(turns, row, place)
    turns[place, EQUALS] = equals
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


def promises_more(turns: Grid, one: int, other: int) -> bool:
    if turns[one, SHARE] != turns[other, SHARE]:
        return turns[one, SHARE] > turns[other, SHARE]
    return turns[one, POINTS] > turns[other, POINTS]


def is_awaited(box: Any, state: Any, seat: int) -> bool:
    seats = awaited(box, state)
    return seats > 0 and seats >> seat & 1 == 1


def foresee(box: Any, state: Any, scratch: Any, seat: int, worth: Array) -> None:
    """`appraise`, by the best that the room knows."""
    if awaited(box, state) != OVER:
        insight(box, state, scratch, seat, worth)
    else:
        appraise(box, state, scratch, seat, worth)


def look_out(box: Any, state: Any, scratch: Any, seat: int, worth: Array) -> None:
    """What a playout comes to that is left off here."""
    if awaited(box, state) != OVER:
        outlook(box, state, scratch, seat, worth)
    else:
        appraise(box, state, scratch, seat, worth)


def play_turns(
    box: Any,
    desk: Any,
    beam: Any,
    scratch: Any,
    levels: Array,
    luck: Array,
    course: Array,
    most: int,
    out: Array,
    worth: Array,
    turns: Grid,
) -> None:
    """Plays on from desk[GAME], in a world that is imagined already, for so many lines or a few more, or to the end: who is THOROUGH by
    whole turns, the others as they do."""
    while most == 0 or course[LINES] < most:
        seats = awaited(box, desk[GAME])
        if seats == OVER:
            return
        if seats == NATURE_NEXT:
            number = course[FIRST_DRAW] if course[DRAWS] == 0 else nature_number(out[:0], luck, course[DRAWS])
            apply(box, desk[GAME], NATURE, out[pick(worth, odds(box, desk[GAME], out, worth), number)])
            course[DRAWS] += 1
            course[LINES] += 1
            continue
        seat = lowest(seats)
        turn_to(luck, course[LINES], seat)
        if levels[seat] == THOROUGH:
            take_turn(box, desk, beam, scratch, seat, luck, course, out, worth, turns)
        else:
            apply(box, desk[GAME], seat, choose(box, desk[GAME], desk, scratch, seat, levels[seat], luck, out, worth))
            course[LINES] += 1


def take_turn(
    box: Any, desk: Any, beam: Any, scratch: Any, seat: int, luck: Array, course: Array, out: Array, worth: Array, turns: Grid
) -> None:
    """The best whole turn of a seat."""
    best, equals = 0, 1
    for row in range(1, unfold(box, desk[GAME], beam, desk[TRIAL], scratch, seat, luck, out, worth, turns)):
        if are_equal(turns, row, best):
            equals += 1
            if below(luck, equals) == 0:
                best = row
        elif promises_more(turns, row, best):
            best, equals = row, 1
    for step in range(turns[best, STEPS]):
        apply(box, desk[GAME], seat, turns[best, MOVES + step])
    course[LINES] += turns[best, STEPS]


def try_out(
    box: Any,
    state: Any,
    desk: Any,
    beam: Any,
    scratch: Any,
    seat: int,
    tries: Grid,
    levels: Array,
    luck: Array,
    course: Array,
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
    lines, key, other = 0, luck[2], luck[3]
    for number in range(first, first + times):
        for place in range(len(tries)):
            luck[2], luck[3] = scatter(key + number), scatter(other ^ number)
            turn_to(luck, 0, NATURE_LUCK)
            copy(state, desk[GAME])
            if SECRETS:
                hide(box, desk[GAME], seat)
                imagine(box, desk[GAME], seat, luck)
            for step in range(tries[place, STEPS]):
                apply(box, desk[GAME], seat, tries[place, MOVES + step])
            course[LINES], course[DRAWS], course[FINISHED], course[FIRST_DRAW] = 0, 0, 0, key + number
            play_turns(box, desk, beam, scratch, levels, luck, course, most, out, weights, turns)
            look_out(box, desk[GAME], scratch, seat, weights)
            tried[place, SHARE] += weights[SHARE]
            tried[place, POINTS] += weights[POINTS]
            lines += tries[place, STEPS] + course[LINES]
    luck[2], luck[3] = key, other
    return lines


LOOPS = (choose, unfold, try_out, appraise, play_batch, add_up, playouts)
