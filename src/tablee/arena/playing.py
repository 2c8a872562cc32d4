"""Playing the games of plans, in one process or several. A game depends on its plan and its own number only, so the jobs change
nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tablee import bots
from tablee.arena.plan import Plan
from tablee.core import fairness, record
from tablee.core.batch import FIRST_BLOCKS, Batch
from tablee.core.files import write_text
from tablee.core.game import Outcome
from tablee.core.match import Match

HANDFUL = 128  # games that are played together inside the kernel


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
    apart = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
    begin = partial(_begin_work, [plan.dump() for plan in plans], folder)
    with ProcessPoolExecutor(min(jobs, len(handfuls)), mp_context=apart, initializer=begin) as workers:
        try:
            yield from workers.map(_work, handfuls)
        finally:
            workers.shutdown(cancel_futures=True)


def deal_out(plan: Plan, count: int, place: int = 0) -> list[Handful]:
    """So many games of the plan at this place of a list. Bots that think are given one at a time, so that little is lost or waited for."""
    size = 1 if plan.levels is None else HANDFUL
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

    def batch(self, numbers: range) -> Batch:
        """The same inside the kernel; learns, too, how many of nature's numbers a game takes."""
        assert self.plan.levels is not None, "the kernel does not know these bots"
        batch = Batch(self.game, self.start, [self._seed(number) for number in numbers], self.folder is not None, self.blocks)
        batch.play(self.plan.levels)
        self.blocks = max(self.blocks, batch.blocks_used)
        return batch

    def _batch(self, numbers: range) -> Results:
        batch = self.batch(numbers)
        results = Results(*batch.results(), batch.lines.copy(), self.together)
        if self.folder is not None:
            for place, number in enumerate(numbers):
                outcome = Outcome.of(results.scores[place], int(results.winners[place]), self.together)
                lines = [line.show(self.game) for line in batch.log(place)]
                self._write(number, record.compose(self.game, self.plan.seats, self.plan.options, lines, outcome, batch.seeds[place]))
        return results

    def _matches(self, numbers: range) -> Results:
        seated = [bots.find(name) for name in self.plan.bots]
        ends, lines = [], []
        for number in numbers:
            match = bots.play_out(Match(self.game, self.plan.seats, dict(self.plan.options), self._seed(number)), seated)
            ends.append(self.game.outcome(match.state))
            lines.append(len(match.log))
            self._write(number, record.write(match))
        winners = [sum(1 << seat for seat in end.winners) for end in ends]
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


def _begin_work(plans: list[str], folder: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the parent's business
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    _hall.append(Hall([Plan.parse(plan) for plan in plans], folder))


def _end_with_the_parent() -> None:
    """However that may be: a worker that waits for a parent that was killed would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(handful: Handful) -> Results:
    return _hall[0].play(handful)
