"""A batch of games played to their end inside the kernel.

Nature's draws and the bots' random generators follow from each game's seed exactly as in a `Match`, so both play the same game; a batch
only produces no events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from tablee.core import fairness
from tablee.core.contract import BaseState
from tablee.core.game import Game, Outcome, Seat
from tablee.core.kernel import Workspace
from tablee.core.loops import DRAWS, FINISHED, LINES, PROGRESS_SIZE, SEAT_SHIFT
from tablee.core.match import Line
from tablee.core.rng import RNG_SIZE
from tablee.core.struct import Grid, StructArray, int_array, int_grid

INITIAL_BLOCKS = 2  # of nature's numbers, while the length of a game is unknown
INITIAL_LINES = 64  # initial capacity of a log


class Batch:
    """Games from one start, one per seed; `blocks` is the expected number of blocks of nature's numbers per game."""

    def __init__(self, game: Game, start: BaseState, seeds: Sequence[bytes], keep_logs: bool = False, blocks: int = INITIAL_BLOCKS) -> None:
        self.game, self.seats, self.seeds = game, start.seats, seeds
        self.states: StructArray[Any] = StructArray(game.kernel.state, len(seeds))
        self.states.array[:] = start.block[0]
        self.progress = int_grid(len(seeds), PROGRESS_SIZE)
        self.logs = int_grid(len(seeds), INITIAL_LINES if keep_logs else 0)
        self._streams = int_grid(len(seeds), 0)
        self._rngs = int_grid(len(seeds), RNG_SIZE)
        self._rngs.array[:, 2:] = [fairness.bot_key(seed) for seed in seeds]
        self._extend_streams(range(len(seeds)), blocks)

    def play(self, levels: Sequence[int]) -> None:
        """Play every game to its end, with a bot of the given level in each seat."""
        kernel, workspace = self.game.kernel, Workspace(self.game.kernel)
        play = partial(kernel.loops.play_batch, kernel.box, self.states, workspace.states, workspace.scratch)
        level_array = kernel.level_array(levels)
        while play(level_array, self._streams, self._rngs, self.progress, self.logs, workspace.out, workspace.weights):
            workspace.check()
            self._grow()
        workspace.check()

    def _grow(self) -> None:
        """Extend the streams that ran out of numbers, and double the logs if one is full."""
        unfinished = np.flatnonzero(self.progress.array[:, FINISHED] == 0)
        if (self.progress.array[unfinished, DRAWS] == self._streams.array.shape[1]).any():
            self._extend_streams(unfinished, self._streams.array.shape[1] // fairness.PER_BLOCK)
        capacity = self.logs.array.shape[1]
        if capacity and (self.progress.array[unfinished, LINES] == capacity).any():
            self.logs = Grid(np.hstack([self.logs.array, np.zeros_like(self.logs.array)]))

    def _extend_streams(self, games: Any, blocks: int) -> None:
        known = self._streams.array.shape[1]
        more = b"".join(fairness.blocks(self.seeds[number], known // fairness.PER_BLOCK, blocks) for number in games)
        added = np.zeros((len(self.seeds), blocks * fairness.PER_BLOCK), np.int64)
        added[games] = (np.frombuffer(more, ">u8") >> np.uint64(1)).astype(np.int64).reshape(len(games), -1)
        self._streams = Grid(np.hstack([self._streams.array, added]))

    @property
    def blocks_used(self) -> int:
        """Return the number of blocks that the game with the most draws used."""
        return -(-int(self.progress.array[:, DRAWS].max()) // fairness.PER_BLOCK)

    @property
    def lines(self) -> Any:
        """Return the number of lines of each game."""
        return self.progress.array[:, LINES]

    def results(self) -> tuple[Any, Any]:
        """Return every game's scores, seat by seat, and a mask of its winners."""
        scores, winners = int_grid(len(self.seeds), self.seats), int_array(len(self.seeds))
        self.game.kernel.loops.collect_results(self.game.kernel.box, self.states, scores, winners)
        return scores.array, np.asarray(winners)

    def outcomes(self) -> list[Outcome]:
        """Return every game's outcome, as `Match.outcome` gives it."""
        scores, winners = self.results()
        together = self.game.is_cooperative(self.states[0])
        return [Outcome.of(row, int(mask), together) for row, mask in zip(scores, winners, strict=True)]

    def log(self, number: int) -> list[Line]:
        """Return the log of a game; the batch must have been created with `keep_logs`."""
        codes = self.logs.array[number, : self.lines[number]].tolist()
        return [Line(Seat((code >> SEAT_SHIFT) - 1), code & (1 << SEAT_SHIFT) - 1) for code in codes]
