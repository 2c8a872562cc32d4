"""Whole games inside the compiled rules, played by lot: for measuring, and for bots that imagine how a game goes on."""

from __future__ import annotations

import numpy as np

from tablee.core.rule import Array, numbers, rule
from tablee.games.amerique_1500.box import MAX_SEATS, Box
from tablee.games.amerique_1500.ending import wins
from tablee.games.amerique_1500.nature import random_nature
from tablee.games.amerique_1500.state import OVER, State
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, awaited, legal, nature_is_next
from tablee.games.amerique_1500.worth import position_worth

ROUNDS = MAX_SEATS + 2
MOST_ROUNDS = 100
TALLY = ROUNDS + MOST_ROUNDS


@rule
def random_games(box: Box, table: list[State], games: int, seed: int) -> int:
    """Whole games from table[0], played on table[1] by uniformly random moves; returns how many moves the seats made."""
    np.random.seed(seed)
    out, weights, made = numbers(MOST_MOVES), numbers(MOST_MOVES), 0
    for _ in range(games):
        table[1] = table[0]
        state = table[1]
        while state.phase != OVER:
            if nature_is_next(state):
                apply(box, state, -1, random_nature(box, state, out, weights))
            else:
                seat = next_awaited(state)
                apply(box, state, seat, out[np.random.randint(legal(box, state, seat, out))])
                made += 1
    return made


@rule
def next_awaited(state: State) -> int:
    seat = state.active
    while not awaited(state, seat):
        seat = (seat + 1) % state.seats
    return seat


@rule
def greedy_move(box: Box, table: list[State], seat: int, out: Array) -> int:
    """The greedy bot's choice in table[1], tried out on table[2]; of equal moves one by lot."""
    count, best, equal, choice = legal(box, table[1], seat, out), 0, 0, 0
    for i in range(count if count > 1 else 0):
        table[2] = table[1]
        apply(box, table[2], seat, out[i])
        worth = position_worth(box, table[2], seat)
        if equal == 0 or worth > best:
            best, equal, choice = worth, 1, i
        elif worth == best:
            equal += 1
            if np.random.randint(equal) == 0:
                choice = i
    return out[choice]


@rule
def greedy_games(box: Box, table: list[State], games: int, seed: int, tally: Array) -> None:
    """Whole games from table[0] between greedy bots, added up in `tally`: each seat's wins in twelfths, shared wins, team wins, and
    from ROUNDS on how many games lasted so many rounds."""
    np.random.seed(seed)
    out, weights = numbers(MOST_MOVES), numbers(MOST_MOVES)
    for _ in range(games):
        table[1] = table[0]
        while table[1].phase != OVER:
            if nature_is_next(table[1]):
                apply(box, table[1], -1, random_nature(box, table[1], out, weights))
            else:
                seat = next_awaited(table[1])
                apply(box, table[1], seat, greedy_move(box, table, seat, out))
        add_result(table[1], tally)


@rule
def add_result(state: State, tally: Array) -> None:
    winners = 0
    for seat in range(state.seats):
        winners += wins(state, seat)
    for seat in range(state.seats):
        if wins(state, seat):
            tally[seat] += 12 // winners
    tally[MAX_SEATS] += winners > 1
    tally[MAX_SEATS + 1] += 1 - state.lost
    rounds = (state.turns + state.seats - 1) // state.seats
    tally[ROUNDS + min(rounds, MOST_ROUNDS - 1)] += 1
