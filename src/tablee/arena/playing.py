"""Playing the games of plans, in one process or several. A game depends on its plan and its own number only, so the jobs change
nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tablee import bots
from tablee.arena.plan import Plan
from tablee.core import fairness, record
from tablee.core.batch import FIRST_BLOCKS, Batch
from tablee.core.files import write_text
from tablee.core.game import Outcome
from tablee.core.loops import SEAT_SHIFT
from tablee.core.match import Match

T = TypeVar("T")
HANDFUL = 128  # games that are played together inside the kernel
AHEAD = 4  # handfuls for each process that may wait to be looked at


@dataclass(frozen=True)
class Results:
    """How some games ended, one row for each, in the order of their numbers."""

    scores: Any  # seat by seat
    winners: Any  # a mask of seats
    lines: Any  # of the log
    together: bool  # whether the table played as one team

    def __len__(self) -> int:
        return len(self.lines)

    @classmethod
    def join(cls, parts: Iterable[Results]) -> Results:
        """All of these, one after the other."""
        found = list(parts)
        scores, winners, lines = (np.concatenate([getattr(part, name) for part in found]) for name in ("scores", "winners", "lines"))
        return cls(scores, winners, lines, found[0].together)


@dataclass(frozen=True)
class Handful:
    """Some games of one plan, played together."""

    plan: int  # its place in the list of plans
    numbers: range


def play_all(plan: Plan, count: int, jobs: int = 1, folder: Path | None = None) -> Iterator[Results]:
    """Games 1 to `count`, a handful at a time; each game's record goes into the folder."""
    return play([plan], deal_out(plan, count), jobs, folder)


def play(plans: Sequence[Plan], handfuls: Sequence[Handful], jobs: int = 1, folder: Path | None = None) -> Iterator[Results]:
    """How these ended, in their order."""
    if jobs == 1 or len(handfuls) < 2:
        yield from map(Hall(plans, folder).play, handfuls)
        return
    yield from spread(partial(_begin_work, [plan.dump() for plan in plans], folder), _work, handfuls, jobs)


def spread(begin: Callable[[], None], work: Callable[[Handful], T], handfuls: Sequence[Handful], jobs: int) -> Iterator[T]:
    """What processes of their own make of these, in their order. A process begins once, then works; nobody works far ahead of whoever
    takes the results, so that few lie about."""
    apart = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
    waiting: deque[Future[T]] = deque()
    with ProcessPoolExecutor(min(jobs, len(handfuls)), mp_context=apart, initializer=begin) as workers:
        try:
            for handful in handfuls:
                waiting.append(workers.submit(work, handful))
                if len(waiting) > AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            workers.shutdown(cancel_futures=True)


def deal_out(plan: Plan, count: int, place: int = 0, size: int = 0) -> list[Handful]:
    """So many games of the plan at this place of a list. Bots that think are given one at a time, so that little is lost or waited for."""
    size = 1 if plan.levels is None else size or HANDFUL
    return [Handful(place, range(first, min(first + size, count + 1))) for first in range(1, count + 1, size)]


class Player:
    """Plays any games of one plan: inside the kernel if it knows all of the bots, otherwise as a table would."""

    def __init__(self, plan: Plan, folder: Path | None = None) -> None:
        self.plan, self.folder, self.blocks = plan, folder, FIRST_BLOCKS
        self.game, self.start = plan.opened, plan.start
        self.together = self.game.together(self.start)

    def play(self, numbers: range) -> Results:
        """These games to their end. Games are numbered from 1."""
        return self._matches(numbers) if self.plan.levels is None else self._batch(numbers)

    def play_logged(self, numbers: range) -> tuple[Results, list[Any]]:
        """The same, with each game's log as the kernel writes it."""
        if self.plan.levels is None:
            matches = list(self._play_matches(numbers))
            logs = [np.array([(line.seat + 1) << SEAT_SHIFT | line.move for line in match.log]) for match in matches]
            return self._ends(matches), logs
        batch = self.batch(numbers, kept=True)
        logs = [log[:lines] for log, lines in zip(batch.logs.array, batch.lines, strict=True)]
        return Results(*batch.results(), batch.lines.copy(), self.together), logs

    def batch(self, numbers: range, kept: bool = False) -> Batch:
        """The same inside the kernel; learns, too, how many of nature's numbers a game takes."""
        assert self.plan.levels is not None, "the kernel does not know these bots"
        batch = Batch(self.game, self.start, [self._seed(number) for number in numbers], kept, self.blocks)
        batch.play(self.plan.levels)
        self.blocks = max(self.blocks, batch.blocks_used)
        return batch

    def _batch(self, numbers: range) -> Results:
        batch = self.batch(numbers, kept=self.folder is not None)
        results = Results(*batch.results(), batch.lines.copy(), self.together)
        if self.folder is not None:
            for place, number in enumerate(numbers):
                outcome = Outcome.of(results.scores[place], int(results.winners[place]), self.together)
                lines = [line.show(self.game) for line in batch.log(place)]
                self._write(number, record.compose(self.game, self.plan.seats, self.plan.options, lines, outcome, batch.seeds[place]))
        return results

    def _matches(self, numbers: range) -> Results:
        matches = list(self._play_matches(numbers))
        for number, match in zip(numbers, matches, strict=True):
            self._write(number, record.write(match))
        return self._ends(matches)

    def _play_matches(self, numbers: range) -> Iterator[Match]:
        seated = [bots.find(name) for name in self.plan.bots]
        for number in numbers:
            yield bots.play_out(Match(self.game, self.plan.seats, dict(self.plan.options), self._seed(number)), seated)

    def _ends(self, matches: Sequence[Match]) -> Results:
        ends = [self.game.outcome(match.state) for match in matches]
        winners = [sum(1 << seat for seat in end.winners) for end in ends]
        lines = [len(match.log) for match in matches]
        return Results(np.array([end.scores for end in ends]), np.array(winners), np.array(lines), self.together)

    def _seed(self, number: int) -> bytes:
        return fairness.seed_for(self.plan.seed, number)

    def _write(self, number: int, kept: dict[str, Any]) -> None:
        if self.folder is not None:
            write_text(self.folder / f"game-{number:05}.json", record.dump(kept))


class Hall:
    """A player for each plan, who comes when first needed."""

    def __init__(self, plans: Sequence[Plan], folder: Path | None = None) -> None:
        self.plans, self.folder = plans, folder
        self.players: dict[int, Player] = {}

    def play(self, handful: Handful) -> Results:
        if handful.plan not in self.players:
            self.players[handful.plan] = Player(self.plans[handful.plan], self.folder)
        return self.players[handful.plan].play(handful.numbers)


_hall: list[Hall] = []  # of a worker process


def serve_the_parent() -> None:
    """How a worker process begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the parent's business
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _begin_work(plans: list[str], folder: Path | None) -> None:
    serve_the_parent()
    _hall.append(Hall([Plan.parse(plan) for plan in plans], folder))


def _end_with_the_parent() -> None:
    """However that may be: a worker that waits for a parent that was killed would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(handful: Handful) -> Results:
    return _hall[0].play(handful)
