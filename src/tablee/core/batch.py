"""A batch of games played to their end inside the kernel.

Nature's draws and the bots' random generators follow from each game's seed exactly as in a `Match`, so both play the same game; a batch
only produces no events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic

from tablee.core import fairness
from tablee.core.game import Game, Outcome, S, Seat
from tablee.core.loops import SEAT_SHIFT
from tablee.core.match import Line
from tablee.core.optional_numpy import np
from tablee.core.rng import Rng
from tablee.core.struct import Grid, StructArray, int_array, int_grid
from tablee.core.workspace import Progress

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    Numbers = NDArray[int64]

INITIAL_BLOCKS = 2  # of nature's numbers, while the length of a game is unknown
INITIAL_LINES = 64  # initial capacity of a log


class Batch(Generic[S]):
    """Games from one start, one per seed; `blocks` is the expected number of blocks of nature's numbers per game.

    Without blocks, nature draws from the games' generators.
    """

    def __init__(self, game: Game[S], start: S, seeds: Sequence[bytes], keep_logs: bool = False, blocks: int = INITIAL_BLOCKS) -> None:
        self.game, self.seats, self.seeds = game, start.seats, seeds
        self.states = StructArray(game.kernel.state, len(seeds))
        self.states.array[:] = start.block[0]
        self.progress = StructArray(Progress, len(seeds))
        self.logs = int_grid(len(seeds), INITIAL_LINES if keep_logs else 0)
        self._streams = int_grid(len(seeds), 0)
        self.rngs = StructArray(Rng, len(seeds))
        self.rngs.array["key_one"], self.rngs.array["key_two"] = zip(*map(fairness.bot_key, seeds), strict=True)
        self._extend_streams(range(len(seeds)), blocks)

    def play(self, levels: Sequence[int]) -> None:
        """Play every game to its end, with a bot of the given level in each seat."""
        kernel, workspace = self.game.kernel, self.game.kernel.workspace()
        play = partial(kernel.loops.play_batch, kernel.box, self.states, kernel.level_array(levels), workspace, self.rngs, self.progress)
        while play(self._streams, self.logs):
            kernel.check(workspace)
            self._grow()
        kernel.check(workspace)

    def _grow(self) -> None:
        """Extend the streams that ran out of numbers, and double the logs if one is full."""
        unfinished = np.flatnonzero(self.progress.array["finished"] == 0)
        if (self.progress.array["draws"][unfinished] == self._streams.array.shape[1]).any():
            self._extend_streams(unfinished, self._streams.array.shape[1] // fairness.PER_BLOCK)
        capacity = self.logs.array.shape[1]
        if capacity and (self.lines[unfinished] == capacity).any():
            self.logs = Grid(np.hstack([self.logs.array, np.zeros_like(self.logs.array)]))

    def _extend_streams(self, games: Sequence[int] | Numbers, blocks: int) -> None:
        known = self._streams.array.shape[1]
        more = b"".join(fairness.blocks(self.seeds[number], known // fairness.PER_BLOCK, blocks) for number in games)
        added = np.zeros((len(self.seeds), blocks * fairness.PER_BLOCK), np.int64)
        added[games] = (np.frombuffer(more, ">u8") >> np.uint64(1)).astype(np.int64).reshape(len(games), -1)
        self._streams = Grid(np.hstack([self._streams.array, added]))

    @property
    def blocks_used(self) -> int:
        """Return the number of blocks that the game with the most draws used."""
        return -(-int(self.progress.array["draws"].max()) // fairness.PER_BLOCK)

    @property
    def lines(self) -> Numbers:
        """Return the number of lines of each game."""
        found: Numbers = self.progress.array["lines"]
        return found

    def results(self) -> tuple[Numbers, Numbers]:
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
