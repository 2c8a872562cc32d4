"""Learning the weights of Rolling Village's insight, wherever that is done: games and judgements depend on the weights, the seed and their
own number only, so the place changes nothing. Workers find this file by its name, as they find Tablée.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from bench.fitting import Numbers, fit
from tablee import games
from tablee.arena import HERE, Place
from tablee.bots import warmup
from tablee.core.contract import NATURE, OVER, POINT, POINTS, VALUES
from tablee.core.kernel import Desk
from tablee.core.loops import MOVES, STEPS
from tablee.core.rng import lucky, turn_to
from tablee.core.struct import Row, grid, numbers
from tablee.core.win_probability import MILLION
from tablee.games.rolling_village import open_box
from tablee.games.rolling_village.box import (
    AVENUES,
    CELLS,
    COUNTS,
    FOREST,
    HOUSE,
    INPUTS,
    LAKE,
    PARK,
    PARKS,
    STANDS,
    TAKEN,
    TOTALS,
)
from tablee.games.rolling_village.learned_value import Scratch
from tablee.games.rolling_village.notation import ROLL_MOVE
from tablee.games.rolling_village.state import State

GAME = "rolling-village"
BEAM = 4
LONGEST_TURN = 6
SLIPS = 0.0, 0.3, 0.8, 2.0  # how many points a turn seems better or worse than it is, game by game
NEAR = 1.0  # and where another turn of the position is wanted
ROLLS = 36
HANDFUL = 50  # games, or sheets, that a worker is given at once

Weights = Numbers  # for each number of rounds to come, a row for each input: whole numbers
Sheet = bytes  # of a state: as it travels
Judged = tuple[Numbers, Numbers]  # of each sheet, what is known of it, and how many points are still to come


class Worker:
    """Plays and judges by the weights that all have."""

    def __init__(self, weights: Weights, seed: str) -> None:
        warmup.warm_once(GAME)
        self.game, self.seed = open_box(games.find(GAME).components), seed  # a box of its own, for all others share theirs
        self.kernel, self.luck = self.game.kernel, lucky((0, 0))
        self.desk, self.beam, self.turns = Desk(self.kernel), Row(State, 2 * BEAM), grid(2 * BEAM, MOVES + LONGEST_TURN)
        self.kernel.box.insight.array[:] = weights.reshape(-1, TOTALS)

    def play(self, which: range) -> list[list[list[Sheet]]]:
        """Of each of these games, what stood after each round, and what else might have."""
        return [list(self._sheets(number)) for number in which]

    def _sheets(self, number: int) -> Iterator[list[Sheet]]:
        rng = random.Random(f"{self.seed} {number}")
        state = self.game.setup(1, {"setup_types": "different"})
        while self.kernel.awaited(state) != OVER:
            one, other = rng.randrange(6), rng.randrange(6)
            state = self.kernel.apply(state, NATURE, ROLL_MOVE + max(one, other) * 6 + min(one, other))
            turns = self._unfold(state)
            near = self._after(state, _slip(turns, NEAR, rng))
            third = self._half(state, _slip(turns, NEAR, rng)) if rng.randrange(2) else self._any(state, rng)
            state = self._after(state, _slip(turns, SLIPS[number % len(SLIPS)], rng))
            yield [each.tobytes() for each in (state, near, third)]

    def _after(self, state: State, moves: Sequence[int]) -> State:
        for move in moves:
            state = self.kernel.apply(state, 0, move)
        return state

    def _half(self, state: State, moves: Sequence[int]) -> State:
        """As if the round were over before the last move: a beam looks at such sheets too."""
        state = self._after(state, moves[:-1]).copy()
        state.todo[0] = 0
        return state

    def _any(self, state: State, rng: random.Random) -> State:
        while self.kernel.awaited(state) > 0:
            state = self.kernel.apply(state, 0, rng.choice(self.kernel.legal(state, 0)))
        return state

    def judge(self, sheets: Sequence[Sheet]) -> Judged:
        states = [State.from_bytes(sheet) for sheet in sheets]
        return judged(sheets, [self._counted(state) for state in states], [self._worth(state) for state in states])

    def _unfold(self, state: State) -> Any:
        """The best turns; of equals the same lot decides every time, whatever was unfolded before."""
        desk, kernel = self.desk, self.kernel
        turn_to(self.luck, 0, 0)
        arguments = state, self.beam, desk.states[0], desk.scratch, 0, self.luck, desk.out, desk.weights, self.turns
        return self.turns.array[: kernel.loops.unfold(kernel.box, *arguments)]

    def _worth(self, state: State) -> float:
        """In thousandths of a point: over all rolls, the best turn."""
        odds, total = self.kernel.odds(state), 0
        for roll, weight in odds:
            total += weight * int(self._unfold(self.kernel.apply(state, NATURE, roll))[:, POINTS].max())
        return total / sum(weight for _, weight in odds)

    def _counted(self, state: State) -> list[int]:
        scratch = Scratch()
        self.kernel.rules.insight(self.kernel.box, state, scratch, 0, numbers(VALUES))
        return scratch.counted.tolist()


def judged(sheets: Sequence[Sheet], counted: Numbers, worth: Numbers) -> Judged:
    """What the network is told of these sheets and what it should say: the points to come."""
    states = np.frombuffer(b"".join(sheets), State.layout)
    stands = states["marks"][:, 0, :, None] >> np.arange(CELLS) & 1
    taken = states["bonus"][:, 0, None] >> np.arange(PARK) & 1
    made = states["points"][:, 0].sum(axis=1) + states["parks"][:, 0]
    known = np.hstack([np.array(counted, np.int32), stands.reshape(len(states), -1), taken])
    return known.astype(np.int32), (np.array(worth) / POINT - made).astype(np.float32)


def mirror() -> list[int]:
    """Where each input of a sheet is found when it is turned upside down, with lakes for houses and houses for lakes: the dice 1 to 6 are
    then 6 to 1, and it is worth as much. So each sheet teaches twice."""
    kinds = LAKE, FOREST, HOUSE, PARK
    stands = [STANDS + kind * CELLS + cell for kind in kinds for cell in reversed(range(CELLS))]
    return [*range(COUNTS), *stands, *(TAKEN + kind for kind in kinds[:PARK])]


def _slip(turns: Any, points: float, rng: random.Random) -> list[int]:
    """The moves of the turn that seems best to somebody who is about so many points wrong about each."""
    best = max(turns, key=lambda turn: turn[POINTS] + POINT * rng.gauss(0, points))
    return [int(move) for move in best[MOVES : MOVES + best[STEPS]]]


def player(weights: Weights, seed: str) -> Callable[[range], list[list[list[Sheet]]]]:
    return Worker(weights, seed).play


def judge(weights: Weights, seed: str) -> Callable[[Sequence[Sheet]], Judged]:
    return Worker(weights, seed).judge


class Learner:
    """Begins with weights that know nothing but what is printed."""

    def __init__(self, seed: int, where: Place = HERE, gpu: bool = False) -> None:
        """With a `gpu` the games are played where they are always played, and their sheets judged there."""
        self.seed, self.where, self.gpu = seed, where, gpu
        self.rounds: int = games.find(GAME).kernel.box.rounds
        self.weights = np.zeros((self.rounds + 1, INPUTS, TOTALS), np.int32)
        self.weights[:, PARKS, 0] = MILLION
        self.weights[:, AVENUES, 0] = MILLION * np.arange(self.rounds + 1) // ROLLS

    def sheets(self, count: int, time: int) -> list[list[Sheet]]:
        """By rounds to come, what stood after that round in so many games, or might have."""
        todo = [range(first, min(first + HANDFUL, count)) for first in range(0, count, HANDFUL)]
        played = chain.from_iterable(self.where.spread(partial(player, self.weights, f"{self.seed} {time}"), todo))
        return [list(chain.from_iterable(column)) for column in reversed(list(zip(*played, strict=True)))]

    def learn(self, sheets: Sequence[Sheet], left: int) -> None:
        """The weights for so many rounds to come, at once in force."""
        known, worth = self._on_gpu(sheets) if self.gpu else self._by_workers(sheets)
        weights, error = fit(np.vstack([known, known[:, mirror()]]), np.tile(worth, 2), TOTALS, self.seed)
        self.weights[left] = np.rint(MILLION * weights)
        print(f"{left} rounds to come: {worth.mean():.2f} points, error {error:.3f}", flush=True)

    def _by_workers(self, sheets: Sequence[Sheet]) -> Judged:
        todo = [sheets[first : first + HANDFUL] for first in range(0, len(sheets), HANDFUL)]
        found = self.where.spread(partial(judge, self.weights, ""), todo)
        known, worth = (np.concatenate(column) for column in zip(*found, strict=True))
        return known, worth

    def _on_gpu(self, sheets: Sequence[Sheet]) -> Judged:
        self._judge.kernel.box.insight.array[:] = self.weights.reshape(-1, TOTALS)
        return judged(sheets, *self._judge(np.frombuffer(b"".join(sheets), State.layout)))

    @cached_property
    def _judge(self) -> Any:
        from bench.rolling_village_gpu import Judge  # noqa: PLC0415  few have a GPU

        return Judge(open_box(games.find(GAME).components).kernel, BEAM, LONGEST_TURN)
