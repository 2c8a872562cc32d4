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

from bench.fitting import Differences, Numbers, made, write_down
from bench.train_amerique_win_model import GAME, SEATS, start
from tablee import games
from tablee.arena import HERE, Place
from tablee.bots import warmup
from tablee.bots.search import LONGEST_TURN
from tablee.cli.executor_options import ask_place, place
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, SHARE, VALUES, WHOLE_SHARE
from tablee.core.kernel import Desk
from tablee.core.loops import COURSE, MOVES, STEPS, WISE, lowest
from tablee.core.rng import lucky
from tablee.core.struct import Row, grid, numbers
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import INPUTS, INSIGHTS, ONE
from tablee.games.amerique_1500.loading import SIDES

OUT = Path("src/tablee/games/amerique_1500/learned_value.json")
HANDFUL = 20  # games that a worker is given at once
OFTEN = 0.12  # how often a choice is looked at
ASTRAY = 0.0, 0.1, 0.3  # how often another move than the best is taken then, game by game
BEST, OTHERS = 7, 3  # moves of a position that are looked at: those that promise most, and some of the rest
MOST = BEST + OTHERS
AHEAD, TIMES = 30, 6  # lines that two seats play on, and how often
A_BIT = MILLION // 10  # of a turn: what a seat is given to see what it does

Positions = tuple[
    Numbers, Numbers, Numbers
]  # by position and move: what is counted; promised, for a turn more, came to; whether there is one


class Worker:
    """Plays by the weights that all have, and looks at positions."""

    def __init__(self, weights: Numbers, seed: int, handful: int) -> None:
        warmup.warm_once(GAME)
        self.seed, self.handful, self.worth = seed, handful, numbers(VALUES)
        self.game, bare = (open_box(games.find(GAME).components) for _ in range(2))  # boxes of its own, for all others share theirs
        self.kernel, self.bare, self.desk = self.game.kernel, bare.kernel, Desk(self.game.kernel)
        self.kernel.box.insight.array[:] = weights.reshape(-1, INSIGHTS)
        self.bare.box.insight.array[:] = 0
        self.narrow, self.turn = Row(self.kernel.state, 2), grid(2, MOVES + LONGEST_TURN)

    def play(self, number: int) -> tuple[str, Positions]:
        """The side of the boards that was played with, and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        found = [row for _ in range(self.handful) for row in self.positions(start(self.game, side, seats, rng), rng)]
        counted, known, there = (np.array(column) for column in zip(*found, strict=True))
        return side, (counted.astype(np.int16), known.astype(np.float32), there)

    def positions(self, state: Any, rng: random.Random) -> Iterator[Positions]:
        kernel, luck, astray = self.kernel, lucky((rng.getrandbits(32), rng.getrandbits(32))), rng.choice(ASTRAY)
        while (awaited := kernel.awaited(state)) != OVER:
            if awaited == NATURE_NEXT:
                draws, weights = zip(*kernel.odds(state), strict=True)
                state = kernel.apply(state, NATURE, rng.choices(draws, weights)[0])
                continue
            seat = lowest(awaited)
            moves = self.looked_at(state, seat, rng) if rng.random() < OFTEN else []
            if len(moves) > 1:
                came_to = self.played_out(state, seat, moves, rng)
                yield self.row(state, seat, moves, came_to)
                move = rng.choice(moves) if rng.random() < astray else moves[int(np.argmax(came_to))]
            else:
                move = kernel.choose(state, seat, WISE, luck)
            state = kernel.apply(state, seat, move)

    def looked_at(self, state: Any, seat: int, rng: random.Random) -> list[int]:
        """The moves that promise most by the hand-made value, and some others; none that ends the game: nothing has to be guessed then."""
        promised = {move: self.promised(self.kernel.apply(state, seat, move), seat) for move in self.kernel.legal(state, seat)}
        moves = sorted((move for move, share in promised.items() if share is not None), key=lambda move: promised[move] or 0, reverse=True)
        return moves[:BEST] + rng.sample(moves[BEST:], min(OTHERS, len(moves[BEST:])))

    def promised(self, state: Any, seat: int, more: int = 0) -> float | None:
        """By the hand-made value, if the seat were done so much sooner."""
        if self.bare.awaited(state) == OVER:
            return None
        for side in range(len(SIDES)):
            self.bare.box.insight[side * INPUTS + ONE, 0] = more
        self.bare.rules.insight(self.bare.box, state, self.desk.scratch, seat, self.worth)
        return self.worth[SHARE] / WHOLE_SHARE

    def played_out(self, state: Any, seat: int, moves: Sequence[int], rng: random.Random) -> Numbers:
        """What each move comes to, with the same luck for all."""
        desk, luck, sums = self.desk, lucky((rng.getrandbits(32), rng.getrandbits(32))), grid(len(moves), VALUES)
        tries, levels = grid(len(moves), MOVES + LONGEST_TURN), self.kernel.seated([WISE] * state.seats)
        tries.array[:, STEPS], tries.array[:, MOVES] = 1, moves
        places = desk.states, self.narrow, desk.scratch, seat, tries, levels, luck, numbers(COURSE), AHEAD * state.seats // 2
        self.kernel.loops.try_out(self.kernel.box, state, *places, desk.out, desk.weights, self.turn, sums, 0, TIMES)
        return sums.array[:, SHARE] / (TIMES * WHOLE_SHARE)

    def row(self, state: Any, seat: int, moves: Sequence[int], came_to: Numbers) -> Positions:
        counted, known, there = np.zeros((MOST, INPUTS)), np.zeros((MOST, 3)), np.arange(MOST) < len(moves)
        scratch: Any = self.desk.scratch
        for number, move in enumerate(moves):
            after = self.kernel.apply(state, seat, move)
            sooner, promised = self.promised(after, seat, A_BIT), self.promised(after, seat)
            assert sooner is not None
            assert promised is not None
            known[number] = promised, (sooner - promised) * MILLION / A_BIT, came_to[number]
            counted[number] = scratch.record["counted"]
        return counted, known, there


def player(weights: Numbers, seed: int, handful: int) -> Callable[[int], tuple[str, Positions]]:
    return Worker(weights, seed, handful).play


def positions(
    weights: Numbers, count: int, seed: int, where: Place = HERE, handful: int = HANDFUL, sides: Sequence[str] = SIDES
) -> Iterator[tuple[str, Positions]]:
    todo = [number for number in range(-(-count // handful)) if SIDES[number % len(SIDES)] in sides]
    return iter(where.spread(partial(player, weights, seed, handful), todo))


def in_force() -> Numbers:
    """The weights by which bots play, by side."""
    box: Any = games.find(GAME).kernel.box
    return box.insight.array.reshape(len(SIDES), INPUTS, INSIGHTS).copy()


def learn(found: Sequence[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """The weights of one side, in millionths of a turn, and what they are worth."""
    differences = Differences([each for which, each in found if which == side], INSIGHTS, seed)
    return np.rint(MILLION * differences.fit()).astype(np.int32), differences.told()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--anew", action="store_true", help="by the hand-made value")
    parser.add_argument("--side", choices=SIDES, help="learn for this side only, and leave the other's weights alone")
    parser.add_argument("--seed", type=int, default=1)
    ask_place(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    weights, kept, sides = in_force(), json.loads(OUT.read_text(encoding="utf-8")), [chosen.side] if chosen.side else SIDES
    box: Any = games.find(GAME).kernel.box
    where_from = {"box": box.stamp} | {side: kept[side] for side in SIDES}
    with place(chosen) as where:
        found = list(positions(weights * (not chosen.anew), chosen.games, chosen.seed, where, sides=sides))
    for side in sides:
        weights[SIDES.index(side)], said = learn(found, side, chosen.seed)
        command = f"python -m bench.train_amerique_value --games {chosen.games}{chosen.anew * ' --anew'} --side {side} --seed {chosen.seed}"
        where_from[side] = made(command) | {"told": said}
        print(f"{side}: {said}")
    write_down(chosen.out, where_from, weights)


if __name__ == "__main__":
    main()
