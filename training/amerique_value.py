"""Training of Amérique 1500's learned value: how many turns earlier or later a seat finishes than its plan says.

The network learns the difference between playouts and the hand-made value *between the moves of one position*. A few playouts of each move
are enough: their noise averages out over many positions. Given weights play the games and the playouts, and a given win model evaluates
where a playout stops.

Positions depend only on the weights, the seed and the number of their chunk. Workers import this module by its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor
from tablee.bots import warmup
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, SHARE, VALUES, WHOLE_SHARE
from tablee.core.loops import GREEDY_FOR_SEARCH, lowest_seat
from tablee.core.rng import make_rng
from tablee.core.struct import int_array
from tablee.core.win_probability import MILLION
from tablee.core.workspace import turn_of
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import BIAS, INPUTS, VALUE_UNITS, WIN_UNITS
from tablee.games.amerique_1500.loading import SIDES
from training.amerique_win_model import GAME, SEATS, start
from training.fitting import Numbers, RankingFit

GAMES_PER_CHUNK = 20  # games of a worker's task
SAMPLE_PROBABILITY = 0.12  # share of the decisions that are sampled
BLUNDER_PROBABILITIES = 0.0, 0.1, 0.3  # of playing another move than the best there; one of these for each game
BEST, OTHERS = 7, 3  # sampled moves of a position: the best by the hand-made value, and random others
MOST = BEST + OTHERS
PLAYOUT_LINES, PLAYOUTS = 30, 6  # log lines of a playout with two seats, and playouts per move
PERTURBATION = MILLION // 10  # of a turn, for the slope of the value by finite difference

# by position and move: the inputs; the hand-made value, its slope by a turn, the playouts' result; whether the move exists
Positions = tuple[Numbers, Numbers, Numbers]


class MoveWorker:
    """Worker that plays games with given weights and samples positions."""

    def __init__(self, weights: Numbers, win_weights: Numbers, seed: int, chunk_size: int) -> None:
        warmup.warm_once(GAME)
        self.seed, self.chunk_size, self.value_buffer = seed, chunk_size, int_array(VALUES)
        self.game, bare = (open_box(games.find(GAME).components) for _ in range(2))  # its own boxes: `games.find` shares one
        self.kernel, self.bare, self.workspace = self.game.kernel, bare.kernel, self.game.kernel.workspace()
        self.kernel.box.learned_weights.array[:] = weights.reshape(-1, VALUE_UNITS)
        self.kernel.box.win_weights.array[:], self.kernel.box.win_units = win_weights.reshape(-1, WIN_UNITS), WIN_UNITS
        self.bare.box.learned_weights.array[:] = 0
        self.narrow = self.kernel.beam(1)

    def play(self, number: int) -> tuple[str, Positions]:
        """Play one chunk; return the side of the boards and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        found = [row for _ in range(self.chunk_size) for row in self.positions(start(self.game, side, seats, rng), rng)]
        counted, known, there = (np.array(column) for column in zip(*found, strict=True))
        return side, (counted.astype(np.int16), known.astype(np.float32), there)

    def positions(self, state: Any, rng: random.Random) -> Iterator[Positions]:
        kernel, bot_rng, blunder = self.kernel, make_rng((rng.getrandbits(32), rng.getrandbits(32))), rng.choice(BLUNDER_PROBABILITIES)
        while (to_act := kernel.to_act(state)) != OVER:
            if to_act == NATURE_NEXT:
                draws, weights = zip(*kernel.odds(state), strict=True)
                state = kernel.apply(state, NATURE, rng.choices(draws, weights)[0])
                continue
            seat = lowest_seat(to_act)
            moves = self.sampled_moves(state, seat, rng) if rng.random() < SAMPLE_PROBABILITY else []
            if len(moves) > 1:
                came_to = self.played_out(state, seat, moves, rng)
                yield self.row(state, seat, moves, came_to)
                move = rng.choice(moves) if rng.random() < blunder else moves[int(np.argmax(came_to))]
            else:
                move = kernel.choose(state, seat, GREEDY_FOR_SEARCH, bot_rng)
            state = kernel.apply(state, seat, move)

    def sampled_moves(self, state: Any, seat: int, rng: random.Random) -> list[int]:
        """Return the best moves by the hand-made value and random others; none that ends the game, where no estimate is needed."""
        promised = {move: self.hand_made_value(self.kernel.apply(state, seat, move), seat) for move in self.kernel.legal(state, seat)}
        moves = sorted((move for move, share in promised.items() if share is not None), key=lambda move: promised[move] or 0, reverse=True)
        return moves[:BEST] + rng.sample(moves[BEST:], min(OTHERS, len(moves[BEST:])))

    def hand_made_value(self, state: Any, seat: int, sooner: int = 0) -> float | None:
        """Return the hand-made value of a position, None if it is over; `sooner` shortens the seat's plan, in millionths of a turn."""
        if self.bare.to_act(state) == OVER:
            return None
        for side in range(len(SIDES)):
            self.bare.box.learned_weights[side * INPUTS + BIAS, 0] = sooner
        self.bare.rules.search_value(self.bare.box, state, self.workspace.scratch, seat, self.value_buffer)
        return self.value_buffer[SHARE] / WHOLE_SHARE

    def played_out(self, state: Any, seat: int, moves: Sequence[int], rng: random.Random) -> Numbers:
        """Return each move's mean playout result; all moves share their random numbers."""
        key, levels = (rng.getrandbits(32), rng.getrandbits(32)), [GREEDY_FOR_SEARCH] * state.seats
        rollouts = self.kernel.rollouts(levels, PLAYOUT_LINES * state.seats // 2, key, self.narrow)
        turns = [turn_of([move]) for move in moves]
        _, played = self.kernel.rollout(state, seat, turns, self.workspace, rollouts, range(PLAYOUTS))
        return np.asarray(played.array["share_sum"] / (PLAYOUTS * WHOLE_SHARE))

    def row(self, state: Any, seat: int, moves: Sequence[int], came_to: Numbers) -> Positions:
        counted, known, there = np.zeros((MOST, INPUTS)), np.zeros((MOST, 3)), np.arange(MOST) < len(moves)
        scratch: Any = self.workspace.scratch
        for number, move in enumerate(moves):
            after = self.kernel.apply(state, seat, move)
            sooner, promised = self.hand_made_value(after, seat, PERTURBATION), self.hand_made_value(after, seat)
            assert sooner is not None
            assert promised is not None
            known[number] = promised, (sooner - promised) * MILLION / PERTURBATION, came_to[number]
            counted[number] = scratch.native["inputs"]
        return counted, known, there


def make_worker(weights: Numbers, win_weights: Numbers, seed: int, chunk_size: int) -> Callable[[int], tuple[str, Positions]]:
    return MoveWorker(weights, win_weights, seed, chunk_size).play


def positions(
    weights: Numbers,
    win_weights: Numbers,
    count: int,
    seed: int,
    executor: Executor = LOCAL_EXECUTOR,
    chunk_size: int = GAMES_PER_CHUNK,
    sides: Sequence[str] = SIDES,
) -> Iterator[tuple[str, Positions]]:
    tasks = [number for number in range(-(-count // chunk_size)) if SIDES[number % len(SIDES)] in sides]
    return iter(executor.map(partial(make_worker, weights, win_weights, seed, chunk_size), tasks))


def learn(found: Sequence[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """Return the weights of one side, in millionths of a turn, and a report on the held-out positions."""
    ranking = RankingFit([each for which, each in found if which == side], VALUE_UNITS, seed)
    return np.rint(MILLION * ranking.fit()).astype(np.int32), ranking.validation_gain()
