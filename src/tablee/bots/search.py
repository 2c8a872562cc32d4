"""Monte Carlo search: sequential halving over candidate turns, by truncated rollouts on common random numbers.

A candidate is a whole turn, the seat's moves until another seat or nature is to act, found by beam search; where the room says so, a single
move. Each rollout determinizes the state and plays on for some lines; the room's `leaf_value` evaluates the leaf. Rollout n uses the same
determinization and draws for all candidates. Each round drops the worse half.

With a budget of nodes the choice depends only on the observation and the random generator: sums are integers, so the number of threads
does not matter. The search may be stopped at any time and then returns its best move so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tablee.core.contract import POINT, VALUES, WHOLE_SHARE
from tablee.core.game import Game, Move, Observation
from tablee.core.kernel import Value, Workspace
from tablee.core.loops import BEAM_SEARCH, GREEDY_DETERMINIZED, GREEDY_FOR_SEARCH, MOVES, PROGRESS_SIZE, STEPS
from tablee.core.optional_numpy import np
from tablee.core.rng import make_rng
from tablee.core.struct import Array, Grid, StructArray, int_array, int_grid

ROLLOUTS_PER_CHECK = 4  # of each turn between two checks of the budget
COMPARISON_ROLLOUTS = 100  # of each of two compared turns
LONGEST_TURN = 12  # moves of a candidate; the rollout's policy plays any later ones
TOO_SLOW = 0.1  # part of the budget: if generating the candidates takes more, there is no time for rollouts


def never_stop() -> bool:
    return False


@dataclass(frozen=True)
class Search:
    """Search bot with a budget of lines (`nodes`), of milliseconds, or of both; without one it runs a single chunk of rollouts."""

    nodes: int = 0
    ms: float = 0
    # Overrides of the room's CANDIDATES, ROLLOUT_LINES, ROLLOUT_BEAM and PRIOR_ROLLOUTS (`core/contract.py`).
    candidates: int | None = None
    rollout_lines: int | None = None
    rollout_beam: int | None = None
    prior_rollouts: int | None = None
    threads: int = 1
    clock: Callable[[], float] = time.perf_counter

    def __call__(self, game: Game, seen: Observation, rng: Array, stop: Callable[[], bool] = never_stop) -> Move:
        """Return the chosen move; poll `stop` after every chunk of rollouts, in the calling thread."""
        assert seen.seat is not None, "a spectator does not move"
        moves = game.kernel.legal(seen.state, seen.seat)
        if len(moves) == 1:
            return Move(moves[0])
        with ThreadPoolExecutor(self.threads) as pool:
            return _SearchRun(self, game, seen, rng, pool, stop).best().first_move


class _Turn:
    """Candidate turn: its moves, its prior evaluation and the sum of its rollout values."""

    def __init__(self, row: Any) -> None:
        self.row, self.prior_value, self.rollout_sum = row.copy(), row[:VALUES].astype(object), np.zeros(VALUES, object)
        self.moves = [Move(move) for move in row[MOVES : MOVES + row[STEPS]]]
        self.first_move = self.moves[0]


class _SearchRun:
    """Run of the search for one decision."""

    def __init__(
        self, search: Search, game: Game, seen: Observation, rng: Array, pool: ThreadPoolExecutor, stop: Callable[[], bool]
    ) -> None:
        assert seen.seat is not None
        self.started_at, self.rollouts, self.lines, self.budget_used = search.clock(), 0, 0, 0.0
        self.search, self.kernel, self.pool, self.state, self.seat = search, game.kernel, pool, seen.state, int(seen.seat)
        self.stop = stop
        self.max_candidates, ahead, beam, self.prior_rollouts = (
            getattr(self.kernel, name) if getattr(search, name) is None else getattr(search, name)
            for name in ("candidates", "rollout_lines", "rollout_beam", "prior_rollouts")
        )
        self.key, self.longest = (rng[0], rng[1]), LONGEST_TURN if beam else 1
        max_lines = -(-ahead * self.state.seats // 2)
        self.workers = [_RolloutWorker(self, max_lines, beam, part) for part in split_range(ROLLOUTS_PER_CHECK, search.threads)]

    def best(self, whole: bool = False) -> _Turn:
        """Return the best turn by sequential halving: each round gets an equal part of the budget and drops the worse half.

        The search ends when all turns share their first move; with `whole` it continues until one turn is left.
        """
        turns = sorted(self.candidates(), key=self.rank_key, reverse=True)
        rounds, finished = (len(turns) - 1).bit_length(), 0
        if self.search.ms and self.budget_spent() > TOO_SLOW:
            return turns[0]
        while finished < rounds and self.budget_used < 1 and (whole or len({turn.first_move for turn in turns}) > 1):
            finished += 1
            self.run_rollouts(turns, finished / rounds)
            turns = sorted(turns, key=self.rank_key, reverse=True)[: (len(turns) + 1) // 2]
        return turns[0]

    def candidates(self) -> list[_Turn]:
        """Return the best turns by beam search in one determinization."""
        worker, rows = self.workers[0], 2 * max(1, self.max_candidates)
        state = self.kernel.determinize(self.state, self.seat, worker.rng) if self.kernel.secrets else self.state
        turns, beam, workspace = int_grid(rows, MOVES + self.longest), StructArray(self.kernel.state, rows), worker.workspace
        count = self.kernel.loops.generate_turns(
            self.kernel.box,
            state,
            beam,
            workspace.states[0],
            workspace.scratch,
            self.seat,
            worker.rng,
            workspace.out,
            workspace.weights,
            turns,
        )
        workspace.check()
        return [_Turn(row) for row in turns.array[:count]]

    def compare(self, one: Sequence[Move], other: Sequence[Move]) -> Value:
        """Return the gain of one turn over another, by rollouts on common random numbers that the search has not used."""
        turns = [self.turn_of(one), self.turn_of(other)]
        rows, worker = Grid(np.array([turn.row for turn in turns])), self.workers[0]
        _, sums = worker.rollout(rows, range(self.rollouts, self.rollouts + COMPARISON_ROLLOUTS))
        share, points = (int(better - worse) / COMPARISON_ROLLOUTS for better, worse in zip(*sums, strict=True))
        return Value(share / WHOLE_SHARE, points / POINT)

    def turn_of(self, moves: Sequence[Move]) -> _Turn:
        """Return these moves as a candidate turn, truncated to the longest turn that this search considers."""
        row, cut = np.zeros(MOVES + self.longest, np.int64), moves[: self.longest]
        row[STEPS], row[MOVES : MOVES + len(cut)] = len(cut), cut
        return _Turn(row)

    def rank_key(self, turn: _Turn) -> tuple[int, int]:
        """Return the sort key of a turn: its share of the win plus SHARE_PER_POINT per point, then its points."""
        share, points = self.prior_rollouts * turn.prior_value + turn.rollout_sum if self.rollouts else turn.prior_value
        return POINT * int(share) + self.kernel.share_per_point * int(points), int(points)

    def run_rollouts(self, turns: list[_Turn], part: float) -> None:
        """Run chunks of rollouts until this fraction of the budget is spent, or until `stop` returns true."""
        rows = Grid(np.array([turn.row for turn in turns]))
        while self.budget_used < part:
            for lines, sums in self.pool.map(lambda worker: worker.next_rollouts(rows, self.rollouts), self.workers):
                self.lines += lines
                for turn, rollout_sum in zip(turns, sums, strict=True):
                    turn.rollout_sum += rollout_sum
            self.rollouts += ROLLOUTS_PER_CHECK
            self.budget_used = 1 if self.stop() else self.budget_spent()

    def budget_spent(self) -> float:
        """Return the fraction of the budget that is spent; 1 without a budget."""
        lines = self.lines / self.search.nodes if self.search.nodes else 0
        passed = 1000 * (self.search.clock() - self.started_at) / self.search.ms if self.search.ms else 0
        return max(lines, passed) if self.search.nodes or self.search.ms else 1


class _RolloutWorker:
    """Rollouts of one thread, with its own workspace and random generator."""

    def __init__(self, run: _SearchRun, max_lines: int, beam: int, part: range) -> None:
        self.part, self.kernel, self.state, self.seat, self.max_lines = part, run.kernel, run.state, run.seat, max_lines
        self.workspace, self.progress = Workspace(self.kernel), int_array(PROGRESS_SIZE)
        self.beam, self.turns = StructArray(self.kernel.state, 2 * max(1, beam)), int_grid(2 * max(1, beam), MOVES + LONGEST_TURN)
        by_turns = [BEAM_SEARCH if seat == self.seat else GREEDY_DETERMINIZED for seat in range(self.state.seats)]
        self.levels = self.kernel.level_array(by_turns if beam else [GREEDY_FOR_SEARCH] * self.state.seats)
        self.rng = make_rng(run.key)

    def next_rollouts(self, rows: Grid, played: int) -> tuple[int, Any]:
        """Play this thread's part of the next chunk of rollouts; `played` is the number of rollouts so far."""
        return self.rollout(rows, range(played + self.part[0], played + self.part[0] + len(self.part)))

    def rollout(self, rows: Grid, numbers: range) -> tuple[int, Any]:
        """Play the rollouts with these numbers for each candidate; return the number of lines played and the sums of values."""
        sums, workspace = int_grid(len(rows), VALUES), self.workspace
        lines = self.kernel.loops.rollout(
            self.kernel.box,
            self.state,
            workspace.states,
            self.beam,
            workspace.scratch,
            self.seat,
            rows,
            self.levels,
            self.rng,
            self.progress,
            self.max_lines,
            workspace.out,
            workspace.weights,
            self.turns,
            sums,
            numbers[0],
            len(numbers),
        )
        workspace.check()
        return int(lines), sums.array


def split_range(whole: int, count: int) -> list[range]:
    """Split range(whole) into at most `count` non-empty ranges, as even as possible."""
    count = min(whole, count)
    return [range(whole * place // count, whole * (place + 1) // count) for place in range(count)]


def compare_with_best(game: Game, seen: Observation, played: Sequence[Move], rng: Array, search: Search) -> tuple[list[Move], Value]:
    """Return the turn that this search chooses, and its gain over the turn that begins with the moves played.

    The first move is the one that the search itself would play. A turn is a single move where the room's ROLLOUT_BEAM is 0.
    """
    with ThreadPoolExecutor(search.threads) as pool:
        run = _SearchRun(search, game, seen, rng, pool, never_stop)
        best = run.best(whole=True).moves
        same = all(one == other for one, other in zip(best, played, strict=False))
        return best, Value(0.0, 0.0) if same else run.compare(best, played)
