"""A batch of games played to their end inside the kernel. Nature's draws and the bots' luck follow from each game's seed exactly as in a
`Match`, so both play the same game; only what people need to hear of it is missing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from tablee.core import fairness
from tablee.core.contract import Seated
from tablee.core.game import Game, Outcome, Seat
from tablee.core.kernel import Desk
from tablee.core.loops import COURSE, DRAWS, FINISHED, LINES, SEAT_SHIFT
from tablee.core.match import Line
from tablee.core.rng import LUCK
from tablee.core.struct import Grid, Row, grid, numbers

FIRST_BLOCKS = 2  # of nature's numbers, before anybody knows how many a game takes
FIRST_LINES = 64  # of a log that is kept


class Batch:
    """So many games from one start, each with its own seed; `blocks` is how many blocks of nature's numbers a game is likely to need."""

    def __init__(self, game: Game, start: Seated, seeds: Sequence[bytes], kept: bool = False, blocks: int = FIRST_BLOCKS) -> None:
        self.game, self.seats, self.seeds = game, start.seats, seeds
        self.states: Row[Any] = Row(game.kernel.state, len(seeds))
        self.states.array[:] = start.block[0]
        self.courses = grid(len(seeds), COURSE)
        self.logs = grid(len(seeds), FIRST_LINES if kept else 0)
        self._streams = grid(len(seeds), 0)
        self._lucks = grid(len(seeds), LUCK)
        self._lucks.array[:, 2:] = [fairness.bot_key(seed) for seed in seeds]
        self._add_numbers(range(len(seeds)), blocks)

    def play(self, levels: Sequence[int]) -> None:
        """Every game to its end, with a bot of such a level in each seat."""
        kernel, desk = self.game.kernel, Desk(self.game.kernel)
        play, seated = partial(kernel.loops.play_batch, kernel.box, self.states, desk.states, desk.scratch), kernel.seated(levels)
        while play(seated, self._streams, self._lucks, self.courses, self.logs, desk.out, desk.weights):
            desk.check()
            self._make_room()
        desk.check()

    def _make_room(self) -> None:
        """More numbers where they ran out, and longer logs if one is full."""
        unfinished = np.flatnonzero(self.courses.array[:, FINISHED] == 0)
        if (self.courses.array[unfinished, DRAWS] == self._streams.array.shape[1]).any():
            self._add_numbers(unfinished, self._streams.array.shape[1] // fairness.PER_BLOCK)
        room = self.logs.array.shape[1]
        if room and (self.courses.array[unfinished, LINES] == room).any():
            self.logs = Grid(np.hstack([self.logs.array, np.zeros_like(self.logs.array)]))

    def _add_numbers(self, games: Any, blocks: int) -> None:
        known = self._streams.array.shape[1]
        more = b"".join(fairness.blocks(self.seeds[number], known // fairness.PER_BLOCK, blocks) for number in games)
        added = np.zeros((len(self.seeds), blocks * fairness.PER_BLOCK), np.int64)
        added[games] = (np.frombuffer(more, ">u8") >> np.uint64(1)).astype(np.int64).reshape(len(games), -1)
        self._streams = Grid(np.hstack([self._streams.array, added]))

    @property
    def blocks_used(self) -> int:
        """How many blocks the game with most draws needed."""
        return -(-int(self.courses.array[:, DRAWS].max()) // fairness.PER_BLOCK)

    @property
    def lines(self) -> Any:
        """How many lines each game took."""
        return self.courses.array[:, LINES]

    def results(self) -> tuple[Any, Any]:
        """Every game's scores, seat by seat, and a mask of its winners."""
        scores, winners = grid(len(self.seeds), self.seats), numbers(len(self.seeds))
        self.game.kernel.loops.add_up(self.game.kernel.box, self.states, scores, winners)
        return scores.array, np.asarray(winners)

    def outcomes(self) -> list[Outcome]:
        """The same as a match would tell it."""
        scores, winners = self.results()
        together = self.game.together(self.states[0])
        return [Outcome.of(row, int(mask), together) for row, mask in zip(scores, winners, strict=True)]

    def log(self, number: int) -> list[Line]:
        """A game's log, if it was kept."""
        kept = self.logs.array[number, : self.lines[number]].tolist()
        return [Line(Seat((line >> SEAT_SHIFT) - 1), line & (1 << SEAT_SHIFT) - 1) for line in kept]
