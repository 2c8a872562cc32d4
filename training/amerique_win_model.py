"""Training of Amérique 1500's win model: the win probability of each seat if all play on as in a search.

Bots with a given learned value play; without one, greedy bots. Half of the games begin with blunders, so that the model holds for more
positions than such bots reach; then positions are sampled, with the inputs of each seat: the viewer's with its hand, the others' without.
The weights are fitted to the winners by a softmax over the seats (`WinModelFit`).

Positions depend only on the learned value, the seed and the number of their chunk. Workers import this module by its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor
from tablee.bots import warmup
from tablee.core.game import Game, S
from tablee.core.loops import EASY, GREEDY_FOR_SEARCH
from tablee.core.rng import Rng
from tablee.core.struct import StructArray, int_grid
from tablee.core.win_probability import MILLION
from tablee.core.workspace import Progress
from tablee.games.amerique_1500 import open_box
from tablee.games.amerique_1500.box import SOCIETIES, VALUE_UNITS, WIN_UNITS
from tablee.games.amerique_1500.loading import SIDES
from tablee.games.amerique_1500.network_inputs import fill_inputs
from training.fitting import Numbers, WinModelFit

GAME = "amerique-1500"
SEATS = (2, 2, 2, 3, 4)  # of five chunks of games
GAMES_PER_CHUNK = 200  # games of a worker's task
MAX_BLUNDER_PHASES = 8  # in every other chunk
BLUNDER_PROBABILITY = 0.25  # that a seat plays as `easy` in a phase
BLUNDER_LINES = 1, 12  # log lines of a phase
SAMPLE_SPACING = 8, 24  # log lines between two sampled positions of a game

Positions = tuple[Numbers, Numbers]  # the inputs of each seat, the viewer's first; each seat's share of the win


def start(game: Game[S], side: str, seats: int, rng: random.Random) -> Any:
    societies = rng.choice(list(permutations(SOCIETIES)))
    return game.setup(seats, {"first": "random", "game": side, "cooperative": False, "societies": "-".join(societies)})


class SelfPlayWorker:
    """Worker that plays chunks of games and samples positions."""

    def __init__(self, learned: Numbers, seed: int, chunk_size: int) -> None:
        warmup.warm_once(GAME)
        self.seed, self.chunk_size = seed, chunk_size
        self.game = open_box(games.find(GAME).components)  # its own box: `games.find` shares one
        self.game.kernel.box.learned_weights.array[:] = learned.reshape(-1, VALUE_UNITS)
        self.kernel, self.workspace = self.game.kernel, self.game.kernel.workspace()

    def play(self, number: int) -> tuple[str, Positions]:
        """Play one chunk; return the side of the boards and the positions."""
        rng = random.Random(f"{self.seed} {number}")
        side, seats = SIDES[number % len(SIDES)], SEATS[number // len(SIDES) % len(SEATS)]
        batch = SelfPlayBatch(self, rng, [start(self.game, side, seats, rng) for _ in range(self.chunk_size)])
        for _ in range(rng.randint(-MAX_BLUNDER_PHASES, MAX_BLUNDER_PHASES)):
            batch.play_on(
                [EASY if rng.random() < BLUNDER_PROBABILITY else GREEDY_FOR_SEARCH for _ in range(seats)], rng.randint(*BLUNDER_LINES)
            )
        samples: list[tuple[list[int], list[int], Any]] = []  # games, viewers, inputs
        while batch.play_on([GREEDY_FOR_SEARCH] * seats, rng.randint(*SAMPLE_SPACING)):
            games_left = [number for number in range(self.chunk_size) if not batch.progress[number].finished]
            viewers = [rng.randrange(seats) for _ in games_left]
            inputs = [self.inputs(batch.states[number], viewer) for number, viewer in zip(games_left, viewers, strict=True)]
            samples.append((games_left, viewers, np.array(inputs)))
        won = batch.won()
        shares = [np.roll(won[game], -viewer) for numbers, viewers, _ in samples for game, viewer in zip(numbers, viewers, strict=True)]
        return side, (np.concatenate([inputs for _, _, inputs in samples]).astype(np.int16), np.array(shares, np.float32))

    def inputs(self, state: Any, viewer: int) -> list[Any]:
        """Return the inputs of each seat as the viewer sees it, the viewer first."""
        scratch: Any = self.workspace.scratch
        scratch.viewer, found = viewer, []
        for number in range(state.seats):
            fill_inputs(self.kernel.box, state, scratch, (viewer + number) % state.seats)
            found.append(scratch.native["inputs"].copy())
        return found


class SelfPlayBatch:
    """Batch of games that advance together."""

    def __init__(self, worker: SelfPlayWorker, rng: random.Random, starts: list[Any]) -> None:
        self.kernel, self.workspace, self.rng, self.states = (
            worker.kernel,
            worker.workspace,
            rng,
            StructArray(worker.kernel.state, len(starts)),
        )
        for number, start in enumerate(starts):
            self.states.array[number] = start.block[0]
        self.rngs, self.progress = StructArray(Rng, len(starts)), StructArray(Progress, len(starts))

    def play_on(self, levels: list[int], lines: int) -> int:
        """Play each game for up to `lines` log lines; return how many games are not over."""
        self.progress.array["lines"] = 0
        keys = np.random.default_rng(self.rng.getrandbits(64)).integers(0, 1 << 32, (len(self.states), 2))
        self.rngs.array["key_one"], self.rngs.array["key_two"] = keys.T
        no_streams, logs = int_grid(len(self.states), 0), int_grid(len(self.states), lines)
        arguments = self.kernel.level_array(levels), self.workspace, self.rngs, self.progress, no_streams, logs
        return int(self.kernel.loops.play_batch(self.kernel.box, self.states, *arguments))

    def won(self) -> Numbers:
        """Return each seat's share of the win, by game."""
        seats = self.states[0].seats
        won = np.array([[self.kernel.wins(self.states[place], seat) for seat in range(seats)] for place in range(len(self.states))], float)
        return won / won.sum(axis=1, keepdims=True)


def make_worker(learned: Numbers, seed: int, chunk_size: int) -> Callable[[int], tuple[str, Positions]]:
    return SelfPlayWorker(learned, seed, chunk_size).play


def positions(
    learned: Numbers, count: int, seed: int, executor: Executor = LOCAL_EXECUTOR, chunk_size: int = GAMES_PER_CHUNK
) -> Iterator[tuple[str, Positions]]:
    return iter(executor.map(partial(make_worker, learned, seed, chunk_size), range(-(-count // chunk_size))))


def learn(found: list[tuple[str, Positions]], side: str, seed: int) -> tuple[Numbers, str]:
    """Return the weights of one side in millionths, the others' first, and a report on the held-out positions."""
    model = WinModelFit([each for which, each in found if which == side], WIN_UNITS, seed)
    own, others = model.fit()
    report = f"{sum(map(len, model.known))} positions, off by {model.validation_error():.4f}"
    return np.rint(MILLION * np.array([others, own])).astype(np.int32), report
