"""Learning the weights of Rolling Village's insight, wherever that is done: games and judgements depend on the weights, the seed and their
own number only, so the place changes nothing. Workers find this file by its name, as they find Tablée.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import HERE, Place
from tablee.bots import warming
from tablee.core.cells import Row, fill, grid, numbers
from tablee.core.contract import NATURE, OVER, POINT, POINTS, VALUES
from tablee.core.kernel import Desk
from tablee.core.loops import MOVES, STEPS
from tablee.core.luck import lucky, turn_to
from tablee.games.rolling_village import open_box
from tablee.games.rolling_village.box import AVENUES, FEATURES, PARKS
from tablee.games.rolling_village.insight import Scratch
from tablee.games.rolling_village.notation import ROLL_MOVE
from tablee.games.rolling_village.state import State

GAME = "rolling-village"
BEAM = 8
LONGEST = 6
SLIPS = 0.3  # of the turns of every second game
MILLION = 1_000_000
RIDGE = 1e-5  # for each sheet
ROLLS = 36
HANDFUL = 50  # games, or sheets, that a worker is given at once

Weights = Sequence[Sequence[int]]  # a row for each number of rounds to come
Sheet = bytes  # of a state: as it travels
Judged = tuple[list[int], float]  # what can be counted on a sheet, and how many points are still to come


class Worker:
    """Plays and judges by the weights that all have."""

    def __init__(self, weights: Weights, seed: str) -> None:
        warming.warm_once(GAME)
        self.game, self.seed = open_box(games.find(GAME).components), seed  # a box of its own, for all others share theirs
        self.kernel, self.luck = self.game.kernel, lucky((0, 0))
        self.desk, self.beam, self.turns = Desk(self.kernel), Row(State, 2 * BEAM), grid(2 * BEAM, MOVES + LONGEST)
        for row, learned in zip(self.kernel.box.insight, weights, strict=True):
            fill(row, learned)

    def play(self, which: range) -> list[list[Sheet]]:
        """Of each of these games, what stood after each round."""
        return [list(self._sheets(number)) for number in which]

    def _sheets(self, number: int) -> Iterator[Sheet]:
        rng = random.Random(f"{self.seed} {number}")
        state = self.game.setup(1, {"setup_types": "different"})
        while self.kernel.awaited(state) != OVER:
            one, other = rng.randrange(6), rng.randrange(6)
            state = self.kernel.apply(state, NATURE, ROLL_MOVE + max(one, other) * 6 + min(one, other))
            turns = self._unfold(state)
            turn = rng.choice(turns) if number % 2 and rng.random() < SLIPS else turns[0]
            for move in turn[MOVES : MOVES + turn[STEPS]]:
                state = self.kernel.apply(state, 0, int(move))
            yield state.tobytes()

    def judge(self, sheets: Sequence[Sheet]) -> list[Judged]:
        states = [State.from_bytes(sheet) for sheet in sheets]
        return [(self._counted(state), self._worth(state) - self.kernel.score(state, 0)) for state in states]

    def _unfold(self, state: State) -> Any:
        """The best turns, best first; of equals the same lot decides every time, whatever was unfolded before."""
        desk, kernel = self.desk, self.kernel
        turn_to(self.luck, 0, 0)
        arguments = state, self.beam, desk.states[0], desk.scratch, 0, self.luck, desk.out, desk.weights, self.turns
        found = self.turns.array[: kernel.loops.unfold(kernel.box, *arguments)]
        return found[np.argsort(-found[:, POINTS], kind="stable")]

    def _worth(self, state: State) -> float:
        """In points: over all rolls, the best turn."""
        odds = self.kernel.odds(state)
        total = sum(weight * self._unfold(self.kernel.apply(state, NATURE, roll))[0][POINTS] for roll, weight in odds)
        return float(total) / sum(weight for _, weight in odds) / POINT

    def _counted(self, state: State) -> list[int]:
        scratch = Scratch()
        self.kernel.rules.insight(self.kernel.box, state, scratch, 0, numbers(VALUES))
        return [int(number) for number in scratch.counted]


def player(weights: Weights, seed: str) -> Callable[[range], list[list[Sheet]]]:
    return Worker(weights, seed).play


def judge(weights: Weights, seed: str) -> Callable[[Sequence[Sheet]], list[Judged]]:
    return Worker(weights, seed).judge


class Learner:
    """Begins with weights that know nothing but what is printed."""

    def __init__(self, seed: int, where: Place = HERE) -> None:
        self.seed, self.where = seed, where
        self.rounds: int = games.find(GAME).kernel.box.rounds
        self.weights = [[0] * FEATURES for _ in range(self.rounds + 1)]
        for left, row in enumerate(self.weights):
            row[PARKS], row[AVENUES] = MILLION, MILLION * left // ROLLS

    def sheets(self, count: int, time: int) -> list[list[Sheet]]:
        """By rounds to come, what stood after that round in so many games."""
        todo = [range(first, min(first + HANDFUL, count)) for first in range(0, count, HANDFUL)]
        played = chain.from_iterable(self.where.spread(partial(player, self.weights, f"{self.seed} {time}"), todo))
        return [list(column) for column in reversed(list(zip(*played, strict=True)))]

    def learn(self, sheets: Sequence[Sheet], left: int) -> None:
        """The weights for so many rounds to come, at once in force."""
        todo = [sheets[first : first + HANDFUL] for first in range(0, len(sheets), HANDFUL)]
        judged = chain.from_iterable(self.where.spread(partial(judge, self.weights, ""), todo))
        counted, worth = (np.array(column, float) for column in zip(*judged, strict=True))
        scale = np.abs(counted).max(axis=0) + (counted.max(axis=0) == 0)
        scaled = counted / scale
        weights = np.linalg.solve(scaled.T @ scaled + RIDGE * len(sheets) * np.eye(FEATURES), scaled.T @ worth) / scale
        self.weights[left] = [round(MILLION * weight) for weight in weights]
        print(f"{left} rounds to come: {worth.mean():.2f} points, error {np.std(worth - counted @ weights):.3f}", flush=True)
