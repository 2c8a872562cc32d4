"""A bot that plays its best turns out, again and again. Candidates are whole turns, its own moves up to where others or nature come in, for
a move is worth what it leads to; where the room says so, single moves, and what follows is decided anew in every playout. From each the
game is played on, nature and hidden hands dealt anew each time but the same for all turns, and after some lines the room's outlook says how
it stands. The worse half of the turns is dropped, and so on.

What it chooses depends on what its seat may know, on its luck and, with a budget of nodes, on nothing else: sums are whole numbers, so it
does not matter how many threads add them up. It may be told to stop at any time, and then answers with the best move so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablee.core.contract import POINT, VALUES, WHOLE_SHARE
from tablee.core.game import Game, Move, Observation
from tablee.core.kernel import Value, Workspace
from tablee.core.loops import BEAM_SEARCH, GREEDY_DETERMINIZED, GREEDY_LEARNED, MOVES, PROGRESS_SIZE, STEPS
from tablee.core.rng import make_rng
from tablee.core.struct import Array, Grid, StructArray, int_array, int_grid

PLAYOUTS_PER_CHECK = 4  # playouts of each turn between two looks at the budget
COMPARISON_PLAYOUTS = 100  # playouts of each of two turns that are compared
LONGEST_TURN = 12  # moves of a turn that are looked at together; what comes after is played as it comes
TOO_SLOW = 0.1  # of the budget: where as much goes by before the first playout, there is no time for any


def never_stop() -> bool:
    return False


@dataclass(frozen=True)
class Search:
    """With a budget of lines (`nodes`), of milliseconds, or of both; by itself it plays one handful."""

    nodes: int = 0
    ms: float = 0
    # Turns that are played out, lines that each is played on, turns that are looked at then (or 0, for single moves), and what counts as
    # much as so many playouts: as the room says, unless said here.
    width: int | None = None
    ahead: int | None = None
    beam: int | None = None
    prior: int | None = None
    threads: int = 1
    clock: Callable[[], float] = time.perf_counter

    def __call__(self, game: Game, seen: Observation, rng: Array, stop: Callable[[], bool] = never_stop) -> Move:
        """`stop` is asked after every handful, from the thread that called."""
        assert seen.seat is not None, "a spectator does not move"
        moves = game.kernel.legal(seen.state, seen.seat)
        if len(moves) == 1:
            return Move(moves[0])
        with ThreadPoolExecutor(self.threads) as pool:
            return _SearchRun(self, game, seen, rng, pool, stop).best().first_move


class _Turn:
    """A candidate: its moves, and what its playouts came to, added up."""

    def __init__(self, row: Any) -> None:
        self.row, self.prior_value, self.playout_sum = row.copy(), row[:VALUES].astype(object), np.zeros(VALUES, object)
        self.moves = [Move(move) for move in row[MOVES : MOVES + row[STEPS]]]
        self.first_move = self.moves[0]


class _SearchRun:
    """One decision under way."""

    def __init__(
        self, search: Search, game: Game, seen: Observation, rng: Array, pool: ThreadPoolExecutor, stop: Callable[[], bool]
    ) -> None:
        assert seen.seat is not None
        self.started_at, self.playouts, self.lines, self.budget_used = search.clock(), 0, 0, 0.0
        self.search, self.kernel, self.pool, self.state, self.seat = search, game.kernel, pool, seen.state, int(seen.seat)
        self.stop = stop
        self.width, ahead, beam, self.prior = (
            getattr(self.kernel, name) if getattr(search, name) is None else getattr(search, name)
            for name in ("width", "ahead", "beam", "prior")
        )
        self.key, self.longest = (rng[0], rng[1]), LONGEST_TURN if beam else 1
        most = -(-ahead * self.state.seats // 2)
        self.players = [_PlayoutWorker(self, most, beam, part) for part in split_range(PLAYOUTS_PER_CHECK, search.threads)]

    def best(self, whole: bool = False) -> _Turn:
        """Of the turns that promise most, half are left after each round; each round may use the same part of the budget. Thinking ends
        when all begin alike; with `whole` it goes on to tell turns apart that do."""
        turns = sorted(self.candidates(), key=self.rank_key, reverse=True)
        rounds, number = (len(turns) - 1).bit_length(), 0
        if self.search.ms and self.budget_spent() > TOO_SLOW:
            return turns[0]
        while number < rounds and self.budget_used < 1 and (whole or len({turn.first_move for turn in turns}) > 1):
            number += 1
            self.run_playouts(turns, number / rounds)
            turns = sorted(turns, key=self.rank_key, reverse=True)[: (len(turns) + 1) // 2]
        return turns[0]

    def candidates(self) -> list[_Turn]:
        """The turns that promise most, with what is hidden imagined once."""
        player, seen = self.players[0], self.state
        state = self.kernel.determinize(seen, self.seat, player.rng) if self.kernel.secrets else seen
        found, beam, desk = (
            int_grid(2 * max(1, self.width), MOVES + self.longest),
            StructArray(self.kernel.state, 2 * max(1, self.width)),
            player.workspace,
        )
        count = self.kernel.loops.generate_turns(
            self.kernel.box, state, beam, desk.states[0], desk.scratch, self.seat, player.rng, desk.out, desk.weights, found
        )
        desk.check()
        return [_Turn(row) for row in found.array[:count]]

    def compare(self, one: Sequence[Move], other: Sequence[Move]) -> Value:
        """What one turn comes to more than another: both played out equally often, on common luck that had no say in the choice."""
        turns = [self.turn_of(one), self.turn_of(other)]
        tries, player = Grid(np.array([turn.row for turn in turns])), self.players[0]
        _, found = player.rollout(tries, range(self.playouts, self.playouts + COMPARISON_PLAYOUTS))
        share, points = (int(better - worse) / COMPARISON_PLAYOUTS for better, worse in zip(*found, strict=True))
        return Value(share / WHOLE_SHARE, points / POINT)

    def turn_of(self, moves: Sequence[Move]) -> _Turn:
        """A turn that begins with these moves, as far as turns are looked at as a whole."""
        row, known = np.zeros(MOVES + self.longest, np.int64), moves[: self.longest]
        row[STEPS], row[MOVES : MOVES + len(known)] = len(known), known
        return _Turn(row)

    def rank_key(self, turn: _Turn) -> tuple[int, int]:
        """The win comes first, with what the room says a point is worth besides; then points."""
        share, points = self.prior * turn.prior_value + turn.playout_sum if self.playouts else turn.prior_value
        return POINT * int(share) + self.kernel.per_point * int(points), int(points)

    def run_playouts(self, turns: list[_Turn], part: float) -> None:
        """Handfuls until this part of the budget is used up, at least one; all of it is when somebody says stop."""
        tries = Grid(np.array([turn.row for turn in turns]))
        while self.budget_used < part:
            for lines, found in self.pool.map(lambda player: player.next_handful(tries, self.playouts), self.players):
                self.lines += lines
                for turn, row in zip(turns, found, strict=True):
                    turn.playout_sum += row
            self.playouts += PLAYOUTS_PER_CHECK
            self.budget_used = 1 if self.stop() else self.budget_spent()

    def budget_spent(self) -> float:
        """The part of the budget that is used up."""
        lines = self.lines / self.search.nodes if self.search.nodes else 0
        passed = 1000 * (self.search.clock() - self.started_at) / self.search.ms if self.search.ms else 0
        return max(lines, passed) if self.search.nodes or self.search.ms else 1


class _PlayoutWorker:
    """What one thread plays with."""

    def __init__(self, trial: _SearchRun, most: int, beam: int, part: range) -> None:
        self.part, self.kernel, self.state, self.seat, self.most = part, trial.kernel, trial.state, trial.seat, most
        self.workspace, self.progress = Workspace(self.kernel), int_array(PROGRESS_SIZE)
        self.beam, self.turns = StructArray(self.kernel.state, 2 * max(1, beam)), int_grid(2 * max(1, beam), MOVES + LONGEST_TURN)
        by_turns = [BEAM_SEARCH if seat == self.seat else GREEDY_DETERMINIZED for seat in range(self.state.seats)]
        self.levels = self.kernel.level_array(by_turns if beam else [GREEDY_LEARNED] * self.state.seats)
        self.rng = make_rng(trial.key)

    def next_playouts(self, tries: Grid, played: int) -> tuple[int, Any]:
        """Its part of the next handful."""
        return self.rollout(tries, range(played + self.part[0], played + self.part[0] + len(self.part)))

    def rollout(self, tries: Grid, numbers: range) -> tuple[int, Any]:
        """Playouts with the luck of these numbers: how many lines were played, and what each turn came to, added up."""
        found, desk = int_grid(len(tries), VALUES), self.workspace
        lines = self.kernel.loops.rollout(
            self.kernel.box,
            self.state,
            desk.states,
            self.beam,
            desk.scratch,
            self.seat,
            tries,
            self.levels,
            self.rng,
            self.progress,
            self.most,
            desk.out,
            desk.weights,
            self.turns,
            found,
            numbers[0],
            len(numbers),
        )
        desk.check()
        return int(lines), found.array


def split_range(whole: int, count: int) -> list[range]:
    """The numbers below `whole`, shared out as evenly as may be; nobody is left with nothing."""
    count = min(whole, count)
    return [range(whole * place // count, whole * (place + 1) // count) for place in range(count)]


def compare_with_best(game: Game, seen: Observation, played: Sequence[Move], rng: Array, search: Search) -> tuple[list[Move], Value]:
    """The turn that this search chooses, its first move by the same playouts as when it plays; and what that promises more than another
    turn, of which some moves are known. By whole turns or by single moves, as the room says."""
    with ThreadPoolExecutor(search.threads) as pool:
        trial = _SearchRun(search, game, seen, rng, pool, never_stop)
        best = trial.best(whole=True).moves
        same = all(one == other for one, other in zip(best, played, strict=False))
        return best, Value(0.0, 0.0) if same else trial.compare(best, played)
