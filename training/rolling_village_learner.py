"""Workers and learner of Rolling Village's value network, on any executor.

Games and targets depend only on the weights, the seed and their number. Workers import this module by its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor
from tablee.bots import warmup
from tablee.core.contract import NATURE, OVER, POINT, VALUES
from tablee.core.rng import make_rng, reseed
from tablee.core.struct import int_array
from tablee.core.win_probability import MILLION
from tablee.core.workspace import CandidateTurn
from tablee.games.rolling_village import open_box
from tablee.games.rolling_village.box import (
    AVENUES,
    BONUS_INPUTS,
    CELL_INPUTS,
    CELLS,
    COUNT_INPUTS,
    FOREST,
    HIDDEN_UNITS,
    HOUSE,
    INPUTS,
    LAKE,
    PARK,
    PARKS,
)
from tablee.games.rolling_village.learned_value import Scratch
from tablee.games.rolling_village.notation import ROLL_MOVE
from tablee.games.rolling_village.state import State
from training.fitting import Numbers, fit

GAME = "rolling-village"
BEAM = 4
LONGEST_TURN = 6
NOISE_LEVELS = 0.0, 0.3, 0.8, 2.0  # standard deviation of a turn's value in points; one of these for each game
ALTERNATIVE_MARGIN = 1.0  # the same, for alternative turns
ROLLS = 36
CHUNK_SIZE = 50  # games or sheets of a worker's task

Weights = Numbers  # integers: for each number of rounds left, a row for each input
Sheet = bytes  # a serialised state
LabelledSheets = tuple[Numbers, Numbers]  # of each sheet the inputs, and the points still to come


class SheetWorker:
    """Worker that plays games and labels sheets with given weights."""

    def __init__(self, weights: Weights, seed: str) -> None:
        warmup.warm_once(GAME)
        self.game, self.seed = open_box(games.find(GAME).components), seed  # its own box: `games.find` shares one
        self.kernel, self.rng = self.game.kernel, make_rng((0, 0))
        self.workspace, self.beam = self.kernel.workspace(), self.kernel.beam(BEAM, LONGEST_TURN)
        self.kernel.box.learned_weights.array[:] = weights.reshape(-1, HIDDEN_UNITS)

    def play(self, numbers: range) -> list[list[list[Sheet]]]:
        """Return for each game, for each round, the sheet after it and alternatives."""
        return [list(self._sheets(number)) for number in numbers]

    def _sheets(self, number: int) -> Iterator[list[Sheet]]:
        rng = random.Random(f"{self.seed} {number}")
        state = self.game.setup(1, {"setup_types": "different"})
        while self.kernel.to_act(state) != OVER:
            one, other = rng.randrange(6), rng.randrange(6)
            state = self.kernel.apply(state, NATURE, ROLL_MOVE + max(one, other) * 6 + min(one, other))
            turns = self._best_turns(state)
            alternative = self._after(state, _noisy_choice(turns, ALTERNATIVE_MARGIN, rng))
            third = self._half(state, _noisy_choice(turns, ALTERNATIVE_MARGIN, rng)) if rng.randrange(2) else self._any(state, rng)
            state = self._after(state, _noisy_choice(turns, NOISE_LEVELS[number % len(NOISE_LEVELS)], rng))
            yield [each.tobytes() for each in (state, alternative, third)]

    def _after(self, state: State, moves: Sequence[int]) -> State:
        for move in moves:
            state = self.kernel.apply(state, 0, move)
        return state

    def _half(self, state: State, moves: Sequence[int]) -> State:
        """Return the state without the last move of the round: a beam search evaluates such sheets too."""
        state = self._after(state, moves[:-1]).copy()
        state.todo[0] = 0
        return state

    def _any(self, state: State, rng: random.Random) -> State:
        while self.kernel.to_act(state) > 0:
            state = self.kernel.apply(state, 0, rng.choice(self.kernel.legal(state, 0)))
        return state

    def label(self, sheets: Sequence[Sheet]) -> LabelledSheets:
        states = [State.from_bytes(sheet) for sheet in sheets]
        return training_rows(sheets, [self._counted(state) for state in states], [self._expected_value(state) for state in states])

    def _best_turns(self, state: State) -> list[CandidateTurn]:
        """Return the best turns; the RNG is reseeded, so ties do not depend on earlier calls."""
        reseed(self.rng, 0, 0)
        return self.kernel.turns(state, 0, self.workspace, self.rng, self.beam)

    def _expected_value(self, state: State) -> float:
        """Return the mean value of the best turn over all rolls, in thousandths of a point."""
        odds, total = self.kernel.odds(state), 0
        for roll, weight in odds:
            total += weight * max(turn.points for turn in self._best_turns(self.kernel.apply(state, NATURE, roll)))
        return total / sum(weight for _, weight in odds)

    def _counted(self, state: State) -> list[int]:
        scratch = Scratch()
        self.kernel.rules.search_value(self.kernel.box, state, scratch, 0, int_array(VALUES))
        return scratch.count_inputs.tolist()


def training_rows(sheets: Sequence[Sheet], counted: Numbers, values: Numbers) -> LabelledSheets:
    """Return the network's inputs of these sheets and its targets, the points to come."""
    states = np.frombuffer(b"".join(sheets), State.layout)
    stands = states["marks"][:, 0, :, None] >> np.arange(CELLS) & 1
    taken = states["bonus"][:, 0, None] >> np.arange(PARK) & 1
    scored = states["points"][:, 0].sum(axis=1) + states["parks"][:, 0]
    known = np.hstack([np.array(counted, np.int32), stands.reshape(len(states), -1), taken])
    return known.astype(np.int32), (np.array(values) / POINT - scored).astype(np.float32)


def mirror() -> list[int]:
    """Return the permutation of inputs for a sheet turned upside down, with lakes and houses exchanged.

    The dice 1 to 6 become 6 to 1 and the value stays the same, so each sheet gives two samples.
    """
    kinds = LAKE, FOREST, HOUSE, PARK
    stands = [CELL_INPUTS + kind * CELLS + cell for kind in kinds for cell in reversed(range(CELLS))]
    return [*range(COUNT_INPUTS), *stands, *(BONUS_INPUTS + kind for kind in kinds[:PARK])]


def _noisy_choice(turns: list[CandidateTurn], points: float, rng: random.Random) -> list[int]:
    """Return the moves of the best turn by values with Gaussian noise of this many points."""
    best = max(turns, key=lambda turn: turn.points + POINT * rng.gauss(0, points))
    return [*best.moves[: best.steps]]


def make_player(weights: Weights, seed: str) -> Callable[[range], list[list[list[Sheet]]]]:
    return SheetWorker(weights, seed).play


def make_labeller(weights: Weights, seed: str) -> Callable[[Sequence[Sheet]], LabelledSheets]:
    return SheetWorker(weights, seed).label


class Learner:
    """Learner of the weights; the initial ones count only the printed points."""

    def __init__(self, seed: int, executor: Executor = LOCAL_EXECUTOR, gpu: bool = False) -> None:
        """Create a learner; with `gpu` the executor plays the games and a GPU of this machine labels the sheets."""
        self.seed, self.executor, self.gpu = seed, executor, gpu
        self.rounds: int = games.find(GAME).kernel.box.rounds
        self.weights = np.zeros((self.rounds + 1, INPUTS, HIDDEN_UNITS), np.int32)
        self.weights[:, PARKS, 0] = MILLION
        self.weights[:, AVENUES, 0] = MILLION * np.arange(self.rounds + 1) // ROLLS

    def sheets(self, count: int, iteration: int) -> list[list[Sheet]]:
        """Play `count` games; return their sheets and alternatives, by the number of rounds left."""
        tasks = [range(first, min(first + CHUNK_SIZE, count)) for first in range(0, count, CHUNK_SIZE)]
        played = chain.from_iterable(self.executor.map(partial(make_player, self.weights, f"{self.seed} {iteration}"), tasks))
        return [list(chain.from_iterable(column)) for column in reversed(list(zip(*played, strict=True)))]

    def learn(self, sheets: Sequence[Sheet], left: int) -> None:
        """Fit and install the weights for this number of rounds left."""
        known, targets = self._on_gpu(sheets) if self.gpu else self._by_workers(sheets)
        weights, error = fit(np.vstack([known, known[:, mirror()]]), np.tile(targets, 2), HIDDEN_UNITS, self.seed)
        self.weights[left] = np.rint(MILLION * weights)
        print(f"{left} rounds to come: {targets.mean():.2f} points, error {error:.3f}", flush=True)

    def _by_workers(self, sheets: Sequence[Sheet]) -> LabelledSheets:
        tasks = [sheets[first : first + CHUNK_SIZE] for first in range(0, len(sheets), CHUNK_SIZE)]
        found = self.executor.map(partial(make_labeller, self.weights, ""), tasks)
        known, targets = (np.concatenate(column) for column in zip(*found, strict=True))
        return known, targets

    def _on_gpu(self, sheets: Sequence[Sheet]) -> LabelledSheets:
        self._gpu_evaluator.kernel.box.learned_weights.array[:] = self.weights.reshape(-1, HIDDEN_UNITS)
        return training_rows(sheets, *self._gpu_evaluator(np.frombuffer(b"".join(sheets), State.layout)))

    @cached_property
    def _gpu_evaluator(self) -> Any:
        from training.rolling_village_gpu import GpuEvaluator  # noqa: PLC0415  few have a GPU

        return GpuEvaluator(open_box(games.find(GAME).components).kernel, BEAM, LONGEST_TURN)
