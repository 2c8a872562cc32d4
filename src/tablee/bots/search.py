"""Monte Carlo search: sequential halving over candidate turns, by truncated rollouts on common random numbers.

A candidate is a whole turn, the seat's moves until another seat or nature is to act, found by beam search; where the room says so, a single
move. Each rollout determinizes the state and plays on for some lines; the room's `leaf_value` evaluates the leaf. Rollout n uses the same
determinization and draws for all candidates. Each round drops the worse half.

With a budget of nodes the choice depends only on the observation and the random generator: sums are integers, so the number of threads
does not matter. The search may be stopped at any time and then returns its best move so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from tablee.core.contract import POINT, WHOLE_SHARE
from tablee.core.game import Game, Move, Observation
from tablee.core.kernel import Value
from tablee.core.loops import BEAM_SEARCH, GREEDY_DETERMINIZED, GREEDY_FOR_SEARCH
from tablee.core.rng import Rng, make_rng
from tablee.core.struct import StructArray
from tablee.core.workspace import LONGEST_TURN, CandidateTurn, S, turn_of

ROLLOUTS_PER_CHECK = 4  # of each turn between two checks of the budget
COMPARISON_ROLLOUTS = 100  # of each of two compared turns
TOO_SLOW = 0.1  # part of the budget: if generating the candidates takes more, there is no time for rollouts

Mapping = Callable[..., Iterator[Any]]  # `map`, over the workers of a search


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

    def __call__(self, game: Game[S], seen: Observation[S], rng: Rng, stop: Callable[[], bool] = never_stop) -> Move:
        """Return the chosen move; poll `stop` after every chunk of rollouts, in the calling thread."""
        assert seen.seat is not None, "a spectator does not move"
        moves = game.kernel.legal(seen.state, seen.seat)
        if len(moves) == 1:
            return Move(moves[0])
        with mapping(self.threads) as each_worker:
            return _SearchRun(self, game, seen, rng, each_worker, stop).best().first_move


@contextmanager
def mapping(threads: int) -> Iterator[Mapping]:
    """Return `map`, or with several threads that of their pool; a browser has no threads."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map


class _Candidate:
    """Candidate turn: its moves, its prior evaluation and the sum of its rollout values."""

    def __init__(self, turn: CandidateTurn) -> None:
        self.turn, self.moves = turn, [Move(move) for move in turn.moves[: turn.steps]]
        self.first_move = self.moves[0]
        self.share_sum = self.points_sum = 0

    def backup(self, rolled_out: CandidateTurn) -> None:
        """Add the values of further rollouts."""
        self.share_sum += rolled_out.share_sum
        self.points_sum += rolled_out.points_sum


class _SearchRun(Generic[S]):
    """Run of the search for one decision."""

    def __init__(
        self, search: Search, game: Game[S], seen: Observation[S], rng: Rng, each_worker: Mapping, stop: Callable[[], bool]
    ) -> None:
        assert seen.seat is not None
        self.started_at, self.rollouts, self.lines, self.budget_used = search.clock(), 0, 0, 0.0
        self.search, self.kernel, self.each_worker, self.state, self.seat = search, game.kernel, each_worker, seen.state, int(seen.seat)
        self.stop = stop
        self.max_candidates, ahead, self.width, self.prior_rollouts = (
            getattr(self.kernel, name) if getattr(search, name) is None else getattr(search, name)
            for name in ("candidates", "rollout_lines", "rollout_beam", "prior_rollouts")
        )
        self.key, self.longest = (rng.state_one, rng.state_two), LONGEST_TURN if self.width else 1
        max_lines = -(-ahead * self.state.seats // 2)
        self.workers = [_RolloutWorker(self, max_lines, part) for part in split_range(ROLLOUTS_PER_CHECK, search.threads)]

    def best(self, whole: bool = False) -> _Candidate:
        """Return the best turn by sequential halving: each round gets an equal part of the budget and drops the worse half.

        The search ends when all turns share their first move; with `whole` it continues until one turn is left.
        """
        candidates = sorted(self.candidates(), key=self.rank_key, reverse=True)
        rounds, finished = (len(candidates) - 1).bit_length(), 0
        if self.search.ms and self.budget_spent() > TOO_SLOW:
            return candidates[0]
        while finished < rounds and self.budget_used < 1 and (whole or len({each.first_move for each in candidates}) > 1):
            finished += 1
            self.run_rollouts(candidates, finished / rounds)
            candidates = sorted(candidates, key=self.rank_key, reverse=True)[: (len(candidates) + 1) // 2]
        return candidates[0]

    def candidates(self) -> list[_Candidate]:
        """Return the best turns by beam search in one determinization."""
        kernel, workspace = self.kernel, self.kernel.workspace()
        beam, rng = kernel.beam(self.max_candidates, self.longest), make_rng(self.key)
        state = kernel.determinize(self.state, self.seat, rng) if kernel.secrets else self.state
        return [_Candidate(turn) for turn in kernel.turns(state, self.seat, workspace, rng, beam)]

    def compare(self, one: Sequence[Move], other: Sequence[Move]) -> Value:
        """Return the gain of one turn over another, by rollouts on common random numbers that the search has not used.

        Longer turns are truncated to the longest that this search considers.
        """
        numbers = range(self.rollouts, self.rollouts + COMPARISON_ROLLOUTS)
        _, turns = self.workers[0].rollout([turn_of(moves[: self.longest]) for moves in (one, other)], numbers)
        share, points = turns[0].share_sum - turns[1].share_sum, turns[0].points_sum - turns[1].points_sum
        return Value(share / COMPARISON_ROLLOUTS / WHOLE_SHARE, points / COMPARISON_ROLLOUTS / POINT)

    def rank_key(self, candidate: _Candidate) -> tuple[int, int]:
        """Return the sort key of a turn: its share of the win plus SHARE_PER_POINT per point, then its points.

        The prior weighs as much as `prior_rollouts` rollouts.
        """
        prior = self.prior_rollouts if self.rollouts else 1
        share = prior * candidate.turn.share + candidate.share_sum
        points = prior * candidate.turn.points + candidate.points_sum
        return POINT * share + self.kernel.share_per_point * points, points

    def run_rollouts(self, candidates: list[_Candidate], part: float) -> None:
        """Run chunks of rollouts until this fraction of the budget is spent, or until `stop` returns true."""
        turns = [each.turn for each in candidates]
        while self.budget_used < part:
            for lines, rolled_out in self.each_worker(lambda worker: worker.next_rollouts(turns, self.rollouts), self.workers):
                self.lines += lines
                for place, candidate in enumerate(candidates):
                    candidate.backup(rolled_out[place])
            self.rollouts += ROLLOUTS_PER_CHECK
            self.budget_used = 1 if self.stop() else self.budget_spent()

    def budget_spent(self) -> float:
        """Return the fraction of the budget that is spent; 1 without a budget."""
        lines = self.lines / self.search.nodes if self.search.nodes else 0
        passed = 1000 * (self.search.clock() - self.started_at) / self.search.ms if self.search.ms else 0
        return max(lines, passed) if self.search.nodes or self.search.ms else 1


class _RolloutWorker(Generic[S]):
    """Rollouts of one thread, with its own workspace and random generator."""

    def __init__(self, run: _SearchRun[S], max_lines: int, part: range) -> None:
        self.part, self.kernel, self.state, self.seat = part, run.kernel, run.state, run.seat
        by_turns = [BEAM_SEARCH if seat == self.seat else GREEDY_DETERMINIZED for seat in range(self.state.seats)]
        policy = by_turns if run.width else [GREEDY_FOR_SEARCH] * self.state.seats
        self.workspace, beam = self.kernel.workspace(), self.kernel.beam(run.width)
        self.rollouts = self.kernel.rollouts(policy, max_lines, run.key, beam)

    def next_rollouts(self, turns: Sequence[CandidateTurn], played: int) -> tuple[int, StructArray[CandidateTurn]]:
        """Play this thread's part of the next chunk of rollouts; `played` is the number of rollouts so far."""
        return self.rollout(turns, range(played + self.part.start, played + self.part.stop))

    def rollout(self, turns: Sequence[CandidateTurn], numbers: range) -> tuple[int, StructArray[CandidateTurn]]:
        """Run the rollouts with these numbers for each turn; return the lines played, and the turns with the sums of their values."""
        return self.kernel.rollout(self.state, self.seat, turns, self.workspace, self.rollouts, numbers)


def split_range(whole: int, count: int) -> list[range]:
    """Split range(whole) into at most `count` non-empty ranges, as even as possible."""
    count = min(whole, count)
    return [range(whole * place // count, whole * (place + 1) // count) for place in range(count)]


def compare_with_best(game: Game[S], seen: Observation[S], played: Sequence[Move], rng: Rng, search: Search) -> tuple[list[Move], Value]:
    """Return the turn that this search chooses, and its gain over the turn that begins with the moves played.

    The first move is the one that the search itself would play. A turn is a single move where the room's ROLLOUT_BEAM is 0.
    """
    with mapping(search.threads) as each_worker:
        run = _SearchRun(search, game, seen, rng, each_worker, never_stop)
        best = run.best(whole=True).moves
        same = all(one == other for one, other in zip(best, played, strict=False))
        return best, Value(0.0, 0.0) if same else run.compare(best, played)
