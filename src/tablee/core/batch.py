"""A batch of games played to their end inside the kernel. Nature's draws and the bots' luck follow from each game's seed exactly as in a
`Match`, so both play the same game; only what people need to hear of it is missing here.
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

INITIAL_BLOCKS = 2  # of nature's numbers, before anybody knows how many a game takes
INITIAL_LINES = 64  # of a log that is kept


class Batch:
    """So many games from one start, each with its own seed; `blocks` is how many blocks of nature's numbers a game is likely to need."""

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
        """Every game to its end, with a bot of such a level in each seat."""
        kernel, desk = self.game.kernel, Workspace(self.game.kernel)
        play, seated = partial(kernel.loops.play_batch, kernel.box, self.states, desk.states, desk.scratch), kernel.level_array(levels)
        while play(seated, self._streams, self._rngs, self.progress, self.logs, desk.out, desk.weights):
            desk.check()
            self._grow()
        desk.check()

    def _grow(self) -> None:
        """More numbers where they ran out, and longer logs if one is full."""
        unfinished = np.flatnonzero(self.progress.array[:, FINISHED] == 0)
        if (self.progress.array[unfinished, DRAWS] == self._streams.array.shape[1]).any():
            self._extend_streams(unfinished, self._streams.array.shape[1] // fairness.PER_BLOCK)
        room = self.logs.array.shape[1]
        if room and (self.progress.array[unfinished, LINES] == room).any():
            self.logs = Grid(np.hstack([self.logs.array, np.zeros_like(self.logs.array)]))

    def _extend_streams(self, games: Any, blocks: int) -> None:
        known = self._streams.array.shape[1]
        more = b"".join(fairness.blocks(self.seeds[number], known // fairness.PER_BLOCK, blocks) for number in games)
        added = np.zeros((len(self.seeds), blocks * fairness.PER_BLOCK), np.int64)
        added[games] = (np.frombuffer(more, ">u8") >> np.uint64(1)).astype(np.int64).reshape(len(games), -1)
        self._streams = Grid(np.hstack([self._streams.array, added]))

    @property
    def blocks_used(self) -> int:
        """How many blocks the game with most draws needed."""
        return -(-int(self.progress.array[:, DRAWS].max()) // fairness.PER_BLOCK)

    @property
    def lines(self) -> Any:
        """How many lines each game took."""
        return self.progress.array[:, LINES]

    def results(self) -> tuple[Any, Any]:
        """Every game's scores, seat by seat, and a mask of its winners."""
        scores, winners = int_grid(len(self.seeds), self.seats), int_array(len(self.seeds))
        self.game.kernel.loops.collect_results(self.game.kernel.box, self.states, scores, winners)
        return scores.array, np.asarray(winners)

    def outcomes(self) -> list[Outcome]:
        """The same as a match would tell it."""
        scores, winners = self.results()
        together = self.game.is_cooperative(self.states[0])
        return [Outcome.of(row, int(mask), together) for row, mask in zip(scores, winners, strict=True)]

    def log(self, number: int) -> list[Line]:
        """A game's log, if it was kept."""
        kept = self.logs.array[number, : self.lines[number]].tolist()
        return [Line(Seat((line >> SEAT_SHIFT) - 1), line & (1 << SEAT_SHIFT) - 1) for line in kept]
