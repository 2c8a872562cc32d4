"""Learns from moves of Amérique 1500 that are played out, and writes the room's `learned_value.json`: how many turns sooner or later a seat will
be done than its plan says. The hand-made value says what each move of a position promises, playouts say what it comes to. Where they differ
*between the moves of one position*, the network is to make up for it. A few playouts of each move are enough, for their noise averages
out over the positions, of which many are needed. Games are played, and played on, by what was learned before, and judged by the room's
outlook where they are left off; `--anew` begins with the hand-made value.

    python -m bench.train_amerique_value [--games 50000] [--anew] [--side quick|full] [--seed 1] [--jobs J] [--cluster ADDRESS]
                          [--out src/tablee/games/amerique_1500/learned_value.json]

Positions depend on the weights, the seed and the number of their handful only. Workers find this file by its name, as they find Tablée.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.fitting import Numbers, RankingFit, provenance, write_weights
from bench.train_amerique_win_model import GAME, SEATS, start
from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor
from tablee.bots import warmup
from tablee.bots.search import LONGEST_TURN
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, SHARE, VALUES, WHOLE_SHARE
from tablee.core.kernel import Workspace
from tablee.core.loops import GREEDY_LEARNED, MOVES, PROGRESS_SIZE, STEPS, lowest_seat
from tablee.core.rng import make_rng
from tablee.core.struct import StructArray, int_array, int_grid
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import BIAS, INPUTS, VALUE_UNITS
from tablee.games.amerique_1500.loading import SIDES

OUT = Path("src/tablee/games/amerique_1500/learned_value.json")
GAMES_PER_CHUNK = 20  # games that a worker is given at once
SAMPLE_PROBABILITY = 0.12  # how often a choice is looked at
BLUNDER_PROBABILITIES = 0.0, 0.1, 0.3  # how often another move than the best is taken then, game by game
BEST, OTHERS = 7, 3  # moves of a position that are looked at: those that promise most, and some of the rest
MOST = BEST + OTHERS
PLAYOUT_LINES, PLAYOUTS = 30, 6  # lines that two seats play on, and how often
PERTURBATION = MILLION // 10  # of a turn: what a seat is given to see what it does

Positions = tuple[
    Numbers, Numbers, Numbers
]  # by position and move: what is counted; promised, for a turn more, came to; whether there is one


class MoveWorker:
    """Plays by the weights that all have, and looks at positions."""

    def __init__(self, weights: Numbers, seed: int, handful: int) -> None:
        warmup.warm_once(GAME)
        self.seed, self.chunk_size, self.value_buffer = seed, handful, int_array(VALUES)
        self.game, bare = (open_box(games.find(GAME).components) for _ in range(2))  # boxes of its own, for all others share theirs
        self.kernel, self.bare, self.workspace = self.game.kernel, bare.kernel, Workspace(self.game.kernel)
        self.kernel.box.insight.array[:] = weights.reshape(-1, VALUE_UNITS)
        self.bare.box.insight.array[:] = 0
        self.narrow, self.turn = StructArray(self.kernel.state, 2), int_grid(2, MOVES + LONGEST_TURN)

    def play(self, number: int) -> tuple[str, Positions]:
        """The side of the boards that was played with, and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        found = [row for _ in range(self.chunk_size) for row in self.positions(start(self.game, side, seats, rng), rng)]
        counted, known, there = (np.array(column) for column in zip(*found, strict=True))
        return side, (counted.astype(np.int16), known.astype(np.float32), there)

    def positions(self, state: Any, rng: random.Random) -> Iterator[Positions]:
        kernel, luck, astray = self.kernel, make_rng((rng.getrandbits(32), rng.getrandbits(32))), rng.choice(BLUNDER_PROBABILITIES)
        while (awaited := kernel.to_act(state)) != OVER:
            if awaited == NATURE_NEXT:
                draws, weights = zip(*kernel.odds(state), strict=True)
                state = kernel.apply(state, NATURE, rng.choices(draws, weights)[0])
                continue
            seat = lowest_seat(awaited)
            moves = self.sampled_moves(state, seat, rng) if rng.random() < SAMPLE_PROBABILITY else []
            if len(moves) > 1:
                came_to = self.played_out(state, seat, moves, rng)
                yield self.row(state, seat, moves, came_to)
                move = rng.choice(moves) if rng.random() < astray else moves[int(np.argmax(came_to))]
            else:
                move = kernel.choose(state, seat, GREEDY_LEARNED, luck)
            state = kernel.apply(state, seat, move)

    def sampled_moves(self, state: Any, seat: int, rng: random.Random) -> list[int]:
        """The moves that promise most by the hand-made value, and some others; none that ends the game: nothing has to be guessed then."""
        promised = {move: self.hand_made_value(self.kernel.apply(state, seat, move), seat) for move in self.kernel.legal(state, seat)}
        moves = sorted((move for move, share in promised.items() if share is not None), key=lambda move: promised[move] or 0, reverse=True)
        return moves[:BEST] + rng.sample(moves[BEST:], min(OTHERS, len(moves[BEST:])))

    def hand_made_value(self, state: Any, seat: int, more: int = 0) -> float | None:
        """By the hand-made value, if the seat were done so much sooner."""
        if self.bare.to_act(state) == OVER:
            return None
        for side in range(len(SIDES)):
            self.bare.box.insight[side * INPUTS + BIAS, 0] = more
        self.bare.rules.search_value(self.bare.box, state, self.workspace.scratch, seat, self.value_buffer)
        return self.value_buffer[SHARE] / WHOLE_SHARE

    def played_out(self, state: Any, seat: int, moves: Sequence[int], rng: random.Random) -> Numbers:
        """What each move comes to, with the same luck for all."""
        desk, luck, sums = self.workspace, make_rng((rng.getrandbits(32), rng.getrandbits(32))), int_grid(len(moves), VALUES)
        tries, levels = int_grid(len(moves), MOVES + LONGEST_TURN), self.kernel.level_array([GREEDY_LEARNED] * state.seats)
        tries.array[:, STEPS], tries.array[:, MOVES] = 1, moves
        places = (
            desk.states,
            self.narrow,
            desk.scratch,
            seat,
            tries,
            levels,
            luck,
            int_array(PROGRESS_SIZE),
            PLAYOUT_LINES * state.seats // 2,
        )
        self.kernel.loops.rollout(self.kernel.box, state, *places, desk.out, desk.weights, self.turn, sums, 0, PLAYOUTS)
        return sums.array[:, SHARE] / (PLAYOUTS * WHOLE_SHARE)

    def row(self, state: Any, seat: int, moves: Sequence[int], came_to: Numbers) -> Positions:
        counted, known, there = np.zeros((MOST, INPUTS)), np.zeros((MOST, 3)), np.arange(MOST) < len(moves)
        scratch: Any = self.workspace.scratch
        for number, move in enumerate(moves):
            after = self.kernel.apply(state, seat, move)
            sooner, promised = self.hand_made_value(after, seat, PERTURBATION), self.hand_made_value(after, seat)
            assert sooner is not None
            assert promised is not None
            known[number] = promised, (sooner - promised) * MILLION / PERTURBATION, came_to[number]
            counted[number] = scratch.record["inputs"]
        return counted, known, there


def make_worker(weights: Numbers, seed: int, handful: int) -> Callable[[int], tuple[str, Positions]]:
    return MoveWorker(weights, seed, handful).play


def positions(
    weights: Numbers,
    count: int,
    seed: int,
    executor: Executor = LOCAL_EXECUTOR,
    chunk_size: int = GAMES_PER_CHUNK,
    sides: Sequence[str] = SIDES,
) -> Iterator[tuple[str, Positions]]:
    todo = [number for number in range(-(-count // chunk_size)) if SIDES[number % len(SIDES)] in sides]
    return iter(executor.map(partial(make_worker, weights, seed, chunk_size), todo))


def current_weights() -> Numbers:
    """The weights by which bots play, by side."""
    box: Any = games.find(GAME).kernel.box
    return box.insight.array.reshape(len(SIDES), INPUTS, VALUE_UNITS).copy()


def learn(found: Sequence[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """The weights of one side, in millionths of a turn, and what they are worth."""
    differences = RankingFit([each for which, each in found if which == side], VALUE_UNITS, seed)
    return np.rint(MILLION * differences.fit()).astype(np.int32), differences.validation_gain()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--anew", action="store_true", help="by the hand-made value")
    parser.add_argument("--side", choices=SIDES, help="learn for this side only, and leave the other's weights alone")
    parser.add_argument("--seed", type=int, default=1)
    add_executor_arguments(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    weights, kept, sides = current_weights(), json.loads(OUT.read_text(encoding="utf-8")), [chosen.side] if chosen.side else SIDES
    box: Any = games.find(GAME).kernel.box
    where_from = {"box": box.stamp} | {side: kept[side] for side in SIDES}
    with open_executor(chosen) as where:
        found = list(positions(weights * (not chosen.anew), chosen.games, chosen.seed, where, sides=sides))
    for side in sides:
        weights[SIDES.index(side)], said = learn(found, side, chosen.seed)
        command = f"python -m bench.train_amerique_value --games {chosen.games}{chosen.anew * ' --anew'} --side {side} --seed {chosen.seed}"
        where_from[side] = provenance(command) | {"told": said}
        print(f"{side}: {said}")
    write_weights(chosen.out, where_from, weights)


if __name__ == "__main__":
    main()
