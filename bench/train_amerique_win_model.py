"""Learns from how games of Amérique 1500 end, and writes the room's `win_model.json`: who is likely to win from a position if all play on as
in a search, by the room's insight; `--anew`, as greedy bots do. Half of the games begin with some whims, so that what is learned holds for
more than what such bots come to; from then on they play as they do, and of some positions what is known of each seat is noted down, one's
own with its hand and the others' without. The weights are fitted to who won: each seat's chance is two to the power of its standing, among
all.

    python -m bench.train_amerique_win_model [--games 800000] [--anew] [--seed 1] [--jobs J] [--cluster ADDRESS]
                            [--out src/tablee/games/amerique_1500/win_model.json]

Positions depend on the insight, the seed and the number of their handful only. Workers find this file by its name, as they find Tablée.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from bench.fitting import Chances, Numbers, made, write_down
from tablee import games
from tablee.arena import HERE, Place
from tablee.bots import warmup
from tablee.cli.executor_options import ask_place, place
from tablee.core.game import Game
from tablee.core.kernel import Desk
from tablee.core.loops import COURSE, EASY, FINISHED, LINES, WISE
from tablee.core.rng import LUCK
from tablee.core.struct import Row, grid
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import OUTLOOKS, SOCIETIES
from tablee.games.amerique_1500.loading import SIDES
from tablee.games.amerique_1500.network_inputs import count

GAME = "amerique-1500"
OUT = Path("src/tablee/games/amerique_1500/win_model.json")
SEATS = (2, 2, 2, 3, 4)  # of five handfuls of games
HANDFUL = 200  # games that a worker is given at once
WHIMS = 8  # times, at most, that somebody may overlook half of what there is, in every other handful;
A_WHIM = 0.25  # with this chance
A_WHILE = 1, 12  # and for so many lines
APART = 8, 24  # lines between two positions of a game that are noted down

Positions = tuple[Numbers, Numbers]  # what is known of each seat, one's own first; and the share of the win of each


def start(game: Game, side: str, seats: int, rng: random.Random) -> Any:
    societies = rng.choice(list(permutations(SOCIETIES)))
    return game.setup(seats, {"first": "random", "game": side, "cooperative": False, "societies": "-".join(societies)})


class Worker:
    """Plays handfuls of games."""

    def __init__(self, seed: int, handful: int, anew: bool) -> None:
        warmup.warm_once(GAME)
        self.seed, self.handful, self.game = seed, handful, open_box(games.find(GAME).components)  # a box of its own, for all share theirs
        self.game.kernel.box.insight.array[:] *= not anew
        self.kernel, self.desk = self.game.kernel, Desk(self.game.kernel)

    def play(self, number: int) -> tuple[str, Positions]:
        """The side of the boards that was played with, and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        batch = Batch(self, rng, [start(self.game, side, seats, rng) for _ in range(self.handful)])
        for _ in range(rng.randint(-WHIMS, WHIMS)):
            batch.play_on([EASY if rng.random() < A_WHIM else WISE for _ in range(seats)], rng.randint(*A_WHILE))
        noted: list[tuple[list[int], list[int], Any]] = []  # the games, whose eyes, what is known
        while batch.play_on([WISE] * seats, rng.randint(*APART)):
            going = [place for place in range(self.handful) if not batch.courses[place, FINISHED]]
            eyes = [rng.randrange(seats) for _ in going]
            noted.append((going, eyes, np.array([self.known(batch.states[place], eye) for place, eye in zip(going, eyes, strict=True)])))
        won = batch.won()
        shares = [np.roll(won[place], -eye) for going, eyes, _ in noted for place, eye in zip(going, eyes, strict=True)]
        return side, (np.concatenate([known for _, _, known in noted]).astype(np.int16), np.array(shares, np.float32))

    def known(self, state: Any, eye: int) -> list[Any]:
        """Of each seat, as this one sees it, beginning with itself."""
        scratch: Any = self.desk.scratch
        scratch.viewer, found = eye, []
        for number in range(state.seats):
            count(self.kernel.box, state, scratch, (eye + number) % state.seats)
            found.append(scratch.record["counted"].copy())
        return found


class Batch:
    """Games that are played on together."""

    def __init__(self, worker: Worker, rng: random.Random, starts: list[Any]) -> None:
        self.kernel, self.desk, self.rng, self.states = worker.kernel, worker.desk, rng, Row(worker.kernel.state, len(starts))
        for number, start in enumerate(starts):
            self.states.array[number] = start.block[0]
        self.lucks, self.courses = grid(len(starts), LUCK), grid(len(starts), COURSE)

    def play_on(self, levels: list[int], lines: int) -> int:
        """For so many lines each; returns how many games are not over."""
        self.courses.array[:, LINES] = 0
        self.lucks.array[:, 2:] = np.random.default_rng(self.rng.getrandbits(64)).integers(0, 1 << 32, (len(self.states), 2))
        levels_, logs = self.kernel.seated(levels), grid(len(self.states), lines)
        places = self.states, self.desk.states, self.desk.scratch, levels_, grid(len(self.states), 0), self.lucks, self.courses, logs
        return int(self.kernel.loops.play_batch(self.kernel.box, *places, self.desk.out, self.desk.weights))

    def won(self) -> Numbers:
        """The share of the win of each seat, by game."""
        seats = self.states[0].seats
        won = np.array([[self.kernel.wins(self.states[place], seat) for seat in range(seats)] for place in range(len(self.states))], float)
        return won / won.sum(axis=1, keepdims=True)


def player(seed: int, handful: int, anew: bool) -> Callable[[int], tuple[str, Positions]]:
    return Worker(seed, handful, anew).play


def positions(count: int, seed: int, anew: bool, where: Place = HERE, handful: int = HANDFUL) -> Iterator[tuple[str, Positions]]:
    return iter(where.spread(partial(player, seed, handful, anew), range(-(-count // handful))))


def learn(found: list[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """The weights of one side, others' first, in millionths; and how well they tell."""
    chances = Chances([each for which, each in found if which == side], OUTLOOKS, seed)
    own, others = chances.fit()
    said = f"{sum(map(len, chances.known))} positions, off by {chances.off():.4f}"
    return np.rint(MILLION * np.array([others, own])).astype(np.int32), said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=800_000)
    parser.add_argument("--anew", action="store_true", help="as greedy bots play")
    parser.add_argument("--seed", type=int, default=1)
    ask_place(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    with place(chosen) as where:
        found = list(positions(chosen.games, chosen.seed, chosen.anew, where))
    command = f"python -m bench.train_amerique_win_model --games {chosen.games}{chosen.anew * ' --anew'} --seed {chosen.seed}"
    box: Any = games.find(GAME).kernel.box
    weights, where_from = [], {"box": box.stamp}
    for side in SIDES:
        learned, said = learn(found, side, chosen.seed)
        weights.append(learned)
        where_from[side] = made(command) | {"told": said}
        print(f"{side}: {said}")
    write_down(chosen.out, where_from, np.concatenate(weights))


if __name__ == "__main__":
    main()
