"""Thousands of games stepped at once inside the kernel: `Vector("mayflower", seats=2, games=4096)`.

Every game asks one seat at a time; `infos["seat"]` says which, and the observation and the mask are its own. A step takes an action for
every game; then nature draws, bots (`opponents`) answer, and a game that is over is followed by the next one at once: its last rewards
come with the first observation of its successor. All arrays are made once and written anew by every step: copy what you want to keep.
They lie in NumPy's memory where all others can use it in place: `torch.from_numpy` and `jax.dlpack.from_dlpack` copy nothing (JAX takes
arrays for unchanging, so hand it the array anew after every step).

The games of a place follow from its seed alone: the same seed and the same actions give the same games, on any number of threads.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import Any

import numpy as np

from tablee.core import fairness, stepping
from tablee.core.cells import Grid, Row, grid, window
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose_options
from tablee.core.kernel import Desk
from tablee.core.luck import LUCK, lucky
from tablee.core.tensors import NO_ACTION
from tablee.core.words import say
from tablee.games import find
from tablee.research.learners import Learners
from tablee.research.table import rewarded, seated

DEVICES = ("cpu", "cuda")
ALIGNMENT = 64  # bytes
WORTH_A_THREAD = 256  # games: fewer are stepped sooner than they are handed over


class Vector:
    """`opponents` names a bot for each seat that does not learn: `[None, "greedy"]`, of those that play inside the kernel. `reward` is
    "win" (at the end: 1 alone, 0 for all equal, less than 0 lost) or "points" (as they come), which is what counts for who plays alone.
    A game is cut off after `longest` steps; 0 lets it end by itself. `game` may also be one that was opened with another box. With
    `device="cuda"` the games are stepped on a GPU (`on_a_gpu.py`)."""

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Vector:
        if device not in DEVICES:
            raise TableeError(say("there is no device {device!r}; there are: {known}", device=device, known=", ".join(DEVICES)))
        if device == "cpu":
            return super().__new__(cls)
        from tablee.research.on_a_gpu import VectorOnAGPU  # noqa: PLC0415  few have one

        return object.__new__(VectorOnAGPU)

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        games: int = 1,
        *,
        options: Mapping[str, Any] | None = None,
        opponents: Sequence[str | None] = (),
        reward: str | None = None,
        longest: int = 0,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        if games < 1 or longest < 0 or (threads is not None and threads < 1):
            raise TableeError(say("games and threads are at least 1, longest is at least 0"))
        self.device = device
        self._begun = False
        self.game = find(game) if isinstance(game, str) else game
        self.seats = self.game.seats[0] if seats is None else seats
        self.games = games
        self.learners = Learners(self.game, self.seats)
        self.start = self.game.setup(self.seats, choose_options(self.game, self.seats, options or {}))
        self._rewarded, self._longest = rewarded(self.game, self.start, reward), longest
        self._levels = seated(self.seats, opponents)
        self._threads = max(1, min(threads or os.cpu_count() or 1, games // WORTH_A_THREAD))
        self._others = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._desks = [Desk(self.game.kernel) for _ in range(self._threads)]
        self._make_room()

    def _make_room(self) -> None:
        games, seats = self.games, self.seats
        self.states: Row[Any] = Row(self.game.kernel.state, games)
        self.courses, self._lucks = grid(games, stepping.COURSE), grid(games, LUCK)
        self.observations = shareable((games, self.learners.size), np.int16)
        self.masks = shareable((games, self.learners.actions), np.int8)
        self.rewards, self.scores = shareable((games, seats), np.float32), shareable((games, seats), np.int64)
        self.terminated, self.truncated = shareable((games,), np.bool_), shareable((games,), np.bool_)
        self.infos = {"action_mask": self.masks, "seat": self.courses.array[:, stepping.ASKED], "scores": self.scores}
        self._actions = np.zeros(games, np.int64)

    def reset(self, seed: int | np.integer[Any] | Sequence[int] | None = None) -> tuple[Any, dict[str, Any]]:
        """New games everywhere: from a seed for each, from one for all of them, or from luck."""
        self._begun = True
        self.courses.array[:], self.masks[:], self.rewards[:], self.scores[:] = 0, 0, 0, 0
        self.courses.array[:, stepping.KEY :] = keys(seed, self.games)
        self._luck = lucky(self.courses.array[0, stepping.KEY :].tolist())
        self._actions[:] = NO_ACTION
        self._each_part()
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """What every seat that was asked does now."""
        self._refuse_before_reset()
        self._actions[:] = self._row_of(actions)
        self._refuse_what_is_not_legal()
        self._each_part()
        return self.observations, self.rewards, self.terminated, self.truncated, self.infos

    def _refuse_before_reset(self) -> None:
        if not self._begun:
            raise TableeError(say("there are no games yet: reset() begins them"))

    def _row_of(self, actions: Any) -> Any:
        """A whole number for each game."""
        given = np.asarray(actions)
        self._refuse_what_is_no_row(given.dtype, given.shape)
        return given

    def _refuse_what_is_no_row(self, kind: np.dtype[Any], shape: tuple[int, ...]) -> None:
        if kind.kind not in "iu" or len(shape) != 1:
            raise TableeError(say("actions are a row of whole numbers, one for each game"))
        if shape[0] != self.games:
            raise TableeError(say("{actions} actions for {games} games", actions=shape[0], games=self.games))

    def sample(self) -> Any:
        """An action for every game, any of the legal ones; they follow from the seed too."""
        self._refuse_before_reset()
        self.learners.loops.sample_batch(Grid(self.masks), self._luck, window(self._actions), 0, self.games)
        return self._actions

    def _refuse_what_is_not_legal(self) -> None:
        """Before anything is stepped."""
        number = int(self.learners.loops.refused(Grid(self.masks), window(self._actions)))
        if number != NO_ACTION:
            raise TableeError(say("action {action} is not legal in game {number}", action=int(self._actions[number]), number=number))

    def _each_part(self) -> None:
        """A part of the games for each thread, the first for this one."""
        bounds = [self.games * part // self._threads for part in range(self._threads + 1)]
        waiting = (
            [self._others.submit(self._step, part, *bounds[part : part + 2]) for part in range(1, self._threads)] if self._others else []
        )
        self._step(0, *bounds[:2])
        for each in waiting:
            each.result()

    def _step(self, part: int, first: int, last: int) -> None:
        desk = self._desks[part]
        self.learners.loops.step_batch(
            self.game.kernel.box,
            self.start,
            self.states,
            desk.states,
            desk.scratch,
            self._levels,
            self._lucks,
            self.courses,
            window(self._actions),
            Grid(self.observations),
            Grid(self.masks),
            Grid(self.rewards),
            Grid(self.scores),
            window(self.terminated.view(np.int8)),
            window(self.truncated.view(np.int8)),
            self._rewarded,
            self._longest,
            desk.out,
            desk.weights,
            first,
            last,
        )


def keys(seed: int | np.integer[Any] | Sequence[int] | None, games: int) -> list[tuple[int, int]]:
    """The key of every place: from a seed for each, from one for all of them, or from luck."""
    seed = secrets.randbits(63) if seed is None else seed
    if isinstance(seed, int | np.integer):
        secret = [fairness.seed_for(int(seed), number) for number in range(games)]
    elif len(seed) != games:
        raise TableeError(say("{seeds} seeds for {games} games", seeds=len(seed), games=games))
    else:
        secret = [fairness.seed_for(int(each), 0) for each in seed]
    return [fairness.bot_key(each) for each in secret]


def shareable(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of zeros that begins where JAX would put it itself; any other it would copy."""
    room = np.zeros(prod(shape) * np.dtype(kind).itemsize + ALIGNMENT, np.uint8)
    begin = -room.ctypes.data % ALIGNMENT
    return room[begin : begin + len(room) - ALIGNMENT].view(kind).reshape(shape)
