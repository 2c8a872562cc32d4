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

from bench.fitting import Numbers, WinModelFit, provenance, write_weights
from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor
from tablee.bots import warmup
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.core.game import Game
from tablee.core.kernel import Workspace
from tablee.core.loops import EASY, FINISHED, GREEDY_LEARNED, LINES, PROGRESS_SIZE
from tablee.core.rng import RNG_SIZE
from tablee.core.struct import StructArray, int_grid
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import SOCIETIES, WIN_UNITS
from tablee.games.amerique_1500.loading import SIDES
from tablee.games.amerique_1500.network_inputs import fill_inputs

GAME = "amerique-1500"
OUT = Path("src/tablee/games/amerique_1500/win_model.json")
SEATS = (2, 2, 2, 3, 4)  # of five handfuls of games
GAMES_PER_CHUNK = 200  # games that a worker is given at once
MAX_BLUNDER_PHASES = 8  # times, at most, that somebody may overlook half of what there is, in every other handful;
BLUNDER_PROBABILITY = 0.25  # with this chance
BLUNDER_LINES = 1, 12  # and for so many lines
SAMPLE_SPACING = 8, 24  # lines between two positions of a game that are noted down

Positions = tuple[Numbers, Numbers]  # what is known of each seat, one's own first; and the share of the win of each


def start(game: Game, side: str, seats: int, rng: random.Random) -> Any:
    societies = rng.choice(list(permutations(SOCIETIES)))
    return game.setup(seats, {"first": "random", "game": side, "cooperative": False, "societies": "-".join(societies)})


class SelfPlayWorker:
    """Plays handfuls of games."""

    def __init__(self, seed: int, handful: int, ignore_learned: bool) -> None:
        warmup.warm_once(GAME)
        self.seed, self.chunk_size, self.game = (
            seed,
            handful,
            open_box(games.find(GAME).components),
        )  # a box of its own, for all share theirs
        self.game.kernel.box.insight.array[:] *= not ignore_learned
        self.kernel, self.workspace = self.game.kernel, Workspace(self.game.kernel)

    def play(self, number: int) -> tuple[str, Positions]:
        """The side of the boards that was played with, and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        batch = SelfPlayBatch(self, rng, [start(self.game, side, seats, rng) for _ in range(self.chunk_size)])
        for _ in range(rng.randint(-MAX_BLUNDER_PHASES, MAX_BLUNDER_PHASES)):
            batch.play_on(
                [EASY if rng.random() < BLUNDER_PROBABILITY else GREEDY_LEARNED for _ in range(seats)], rng.randint(*BLUNDER_LINES)
            )
        noted: list[tuple[list[int], list[int], Any]] = []  # the games, whose eyes, what is known
        while batch.play_on([GREEDY_LEARNED] * seats, rng.randint(*SAMPLE_SPACING)):
            going = [place for place in range(self.chunk_size) if not batch.progress[place, FINISHED]]
            eyes = [rng.randrange(seats) for _ in going]
            noted.append((going, eyes, np.array([self.inputs(batch.states[place], eye) for place, eye in zip(going, eyes, strict=True)])))
        won = batch.won()
        shares = [np.roll(won[place], -eye) for going, eyes, _ in noted for place, eye in zip(going, eyes, strict=True)]
        return side, (np.concatenate([known for _, _, known in noted]).astype(np.int16), np.array(shares, np.float32))

    def inputs(self, state: Any, viewer: int) -> list[Any]:
        """Of each seat, as this one sees it, beginning with itself."""
        scratch: Any = self.workspace.scratch
        scratch.viewer, found = viewer, []
        for number in range(state.seats):
            fill_inputs(self.kernel.box, state, scratch, (viewer + number) % state.seats)
            found.append(scratch.record["inputs"].copy())
        return found


class SelfPlayBatch:
    """Games that are played on together."""

    def __init__(self, worker: SelfPlayWorker, rng: random.Random, starts: list[Any]) -> None:
        self.kernel, self.workspace, self.rng, self.states = (
            worker.kernel,
            worker.workspace,
            rng,
            StructArray(worker.kernel.state, len(starts)),
        )
        for number, start in enumerate(starts):
            self.states.array[number] = start.block[0]
        self.rngs, self.progress = int_grid(len(starts), RNG_SIZE), int_grid(len(starts), PROGRESS_SIZE)

    def play_on(self, levels: list[int], lines: int) -> int:
        """For so many lines each; returns how many games are not over."""
        self.progress.array[:, LINES] = 0
        self.rngs.array[:, 2:] = np.random.default_rng(self.rng.getrandbits(64)).integers(0, 1 << 32, (len(self.states), 2))
        levels_, logs = self.kernel.level_array(levels), int_grid(len(self.states), lines)
        places = (
            self.states,
            self.workspace.states,
            self.workspace.scratch,
            levels_,
            int_grid(len(self.states), 0),
            self.rngs,
            self.progress,
            logs,
        )
        return int(self.kernel.loops.play_batch(self.kernel.box, *places, self.workspace.out, self.workspace.weights))

    def won(self) -> Numbers:
        """The share of the win of each seat, by game."""
        seats = self.states[0].seats
        won = np.array([[self.kernel.wins(self.states[place], seat) for seat in range(seats)] for place in range(len(self.states))], float)
        return won / won.sum(axis=1, keepdims=True)


def make_worker(seed: int, handful: int, ignore_learned: bool) -> Callable[[int], tuple[str, Positions]]:
    return SelfPlayWorker(seed, handful, ignore_learned).play


def positions(
    count: int, seed: int, ignore_learned: bool, executor: Executor = LOCAL_EXECUTOR, chunk_size: int = GAMES_PER_CHUNK
) -> Iterator[tuple[str, Positions]]:
    return iter(executor.map(partial(make_worker, seed, chunk_size, ignore_learned), range(-(-count // chunk_size))))


def learn(found: list[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """The weights of one side, others' first, in millionths; and how well they tell."""
    chances = WinModelFit([each for which, each in found if which == side], WIN_UNITS, seed)
    own, others = chances.fit()
    said = f"{sum(map(len, chances.known))} positions, off by {chances.validation_error():.4f}"
    return np.rint(MILLION * np.array([others, own])).astype(np.int32), said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=800_000)
    parser.add_argument("--anew", action="store_true", help="as greedy bots play")
    parser.add_argument("--seed", type=int, default=1)
    add_executor_arguments(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    with open_executor(chosen) as where:
        found = list(positions(chosen.games, chosen.seed, chosen.anew, where))
    command = f"python -m bench.train_amerique_win_model --games {chosen.games}{chosen.anew * ' --anew'} --seed {chosen.seed}"
    box: Any = games.find(GAME).kernel.box
    weights, where_from = [], {"box": box.stamp}
    for side in SIDES:
        learned, said = learn(found, side, chosen.seed)
        weights.append(learned)
        where_from[side] = provenance(command) | {"told": said}
        print(f"{side}: {said}")
    write_weights(chosen.out, where_from, np.concatenate(weights))


if __name__ == "__main__":
    main()
