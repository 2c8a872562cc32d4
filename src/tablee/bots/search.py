"""A bot that plays its best moves out, again and again: greedy bots go on from each, nature and hidden hands are dealt anew each time but
the same for all moves, and after some lines the room's value says how it stands. The worse half of the moves is dropped, and so on.

What it chooses depends on what its seat may know, on its luck and, with a budget of nodes, on nothing else: sums are whole numbers, so it
does not matter how many threads add them up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablee.core.cells import Array, fill, grid, numbers
from tablee.core.contract import POINT, POINTS, SHARE, VALUES
from tablee.core.game import Game, Move, Seen
from tablee.core.kernel import Desk
from tablee.core.loops import COURSE, KNOWING
from tablee.core.luck import lucky

HANDFUL = 8  # playouts of each move between two looks at the budget


@dataclass(frozen=True)
class Search:
    """With a budget of lines (`nodes`), of milliseconds, or of both; by itself it plays one handful."""

    nodes: int = 0
    ms: float = 0
    width: int | None = None  # moves that are played out, and lines that each is played on: as the room says, unless said here
    ahead: int | None = None
    threads: int = 1
    clock: Callable[[], float] = time.perf_counter

    def __call__(self, game: Game, seen: Seen, luck: Array) -> Move:
        assert seen.seat is not None, "a spectator does not move"
        moves = game.kernel.legal(seen.state, seen.seat)
        if len(moves) == 1:
            return Move(moves[0])
        with ThreadPoolExecutor(self.threads) as pool:
            return Move(_Trial(self, game, seen, luck, pool).best(moves))


class _Trial:
    """One decision under way."""

    def __init__(self, search: Search, game: Game, seen: Seen, luck: Array, pool: ThreadPoolExecutor) -> None:
        assert seen.seat is not None
        self.search, self.kernel, self.pool, self.state, self.seat = search, game.kernel, pool, seen.state, int(seen.seat)
        self.width = self.kernel.width if search.width is None else search.width
        ahead = self.kernel.ahead if search.ahead is None else search.ahead
        self.key = luck[0], luck[1]
        self.players = [_Player(self, ahead, part) for part in parts(HANDFUL, search.threads)]
        self.began, self.played, self.lines, self.used = search.clock(), 0, 0, 0.0

    def best(self, moves: list[int]) -> int:
        """Of the moves that promise most, half are left after each round; each round may use the same part of the budget."""
        moves = self.ranked(moves)[: max(1, self.width)]
        tried = {move: np.zeros(VALUES, np.int64) for move in moves}
        rounds, number = (len(moves) - 1).bit_length(), 0
        while number < rounds and self.used < 1:
            number += 1
            self.play_out(tried, moves, number / rounds)
            moves = sorted(moves, key=lambda move: self.merit(tried[move]), reverse=True)[: (len(moves) + 1) // 2]
        return moves[0]

    def merit(self, promised: Any) -> tuple[int, int]:
        """The win comes first, with what the room says a point is worth besides; then points."""
        share, points = int(promised[SHARE]), int(promised[POINTS])
        return POINT * share + self.kernel.per_point * points, points

    def ranked(self, moves: list[int]) -> list[int]:
        """Best first, by the room's value one step ahead, with what is hidden imagined once."""
        player = self.players[0]
        state = self.kernel.imagine(self.state, self.seat, player.luck) if self.kernel.secrets else self.state
        found = player.rank(state, moves)
        order = sorted(range(len(moves)), key=lambda place: self.merit(found[place]), reverse=True)
        return [moves[place] for place in order]

    def play_out(self, tried: dict[int, Any], moves: list[int], part: float) -> None:
        """Handfuls until this part of the budget is used up, at least one."""
        while True:
            for lines, found in self.pool.map(lambda player: player.try_out(moves, self.played), self.players):
                self.lines += lines
                for move, row in zip(moves, found, strict=True):
                    tried[move] += row
            self.played += HANDFUL
            self.used = self.spent()
            if self.used >= part:
                return

    def spent(self) -> float:
        """The part of the budget that is used up."""
        lines = self.lines / self.search.nodes if self.search.nodes else 0
        passed = 1000 * (self.search.clock() - self.began) / self.search.ms if self.search.ms else 0
        return max(lines, passed) if self.search.nodes or self.search.ms else 1


class _Player:
    """What one thread plays with."""

    def __init__(self, trial: _Trial, ahead: int, part: range) -> None:
        self.part, self.kernel, self.state, self.seat = part, trial.kernel, trial.state, trial.seat
        self.desk, self.course, self.log = Desk(self.kernel), numbers(COURSE), numbers(ahead)
        self.levels = self.kernel.seated([KNOWING] * self.state.seats)
        self.luck = lucky(trial.key)

    def rank(self, state: Any, moves: list[int]) -> Any:
        found, desk = grid(len(moves), VALUES), self.desk
        self.kernel.loops.rank(self.kernel.box, state, desk.states, desk.scratch, self.seat, listed(moves), desk.weights, found)
        return found.array

    def try_out(self, moves: list[int], played: int) -> tuple[int, Any]:
        """Its part of the next handful: how many lines were played, and what each move came to, added up."""
        found, desk = grid(len(moves), VALUES), self.desk
        lines = self.kernel.loops.try_out(
            self.kernel.box,
            self.state,
            desk.states,
            desk.scratch,
            self.seat,
            listed(moves),
            self.levels,
            self.luck,
            self.course,
            self.log,
            desk.out,
            desk.weights,
            found,
            played + self.part[0],
            len(self.part),
        )
        return int(lines), found.array


def listed(moves: list[int]) -> Array:
    found = numbers(len(moves))
    fill(found, moves)
    return found


def parts(whole: int, count: int) -> list[range]:
    """The numbers below `whole`, shared out as evenly as may be; nobody is left with nothing."""
    count = min(whole, count)
    return [range(whole * place // count, whole * (place + 1) // count) for place in range(count)]
