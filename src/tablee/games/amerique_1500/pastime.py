"""Whole games inside the compiled rules, played by lot: for measuring, and for bots that imagine how a game goes on."""

from __future__ import annotations

import numpy as np

from tablee.core.rule import numbers, rule
from tablee.games.amerique_1500.box import Box
from tablee.games.amerique_1500.nature import random_nature
from tablee.games.amerique_1500.state import OVER, State
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, awaited, legal, nature_is_next


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
