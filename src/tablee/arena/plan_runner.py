"""Plays the games of plans, in chunks, on any executor.

A game depends only on its plan and its number, so the executor does not change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tablee import bots
from tablee.arena.executors import LOCAL_EXECUTOR, Executor
from tablee.arena.plan import Plan
from tablee.bots import warmup
from tablee.bots.luck import total_luck
from tablee.core import fairness, record
from tablee.core.batch import INITIAL_BLOCKS, Batch
from tablee.core.errors import TableeError
from tablee.core.files import read_text, write_text
from tablee.core.game import Outcome
from tablee.core.i18n import msg
from tablee.core.loops import SEAT_SHIFT
from tablee.core.match import Match

CHUNK_SIZE = 128  # games of one batch inside the kernel
RECORD_FILE_NAME = re.compile(r"\.?game-(\d{5,18})\.json(?:\.part)?")


@dataclass(frozen=True)
class Results:
    """Outcomes of some games, a row for each, in the order of their numbers."""

    scores: Any  # by seat
    winners: Any  # bit mask of seats
    lines: Any  # length of the log
    together: bool  # a co-operative game
    luck: Any = None  # by seat, in parts of WHOLE_SHARE; only if requested
    records: tuple[str, ...] = ()  # only if requested

    def __len__(self) -> int:
        return len(self.lines)

    @classmethod
    def join(cls, parts: Iterable[Results]) -> Results:
        """Concatenate results."""
        found = list(parts)
        names = ("scores", "winners", "lines") if found[0].luck is None else ("scores", "winners", "lines", "luck")
        scores, winners, lines, *luck = (np.concatenate([getattr(part, name) for part in found]) for name in names)
        return cls(scores, winners, lines, found[0].together, luck[0] if luck else None)


@dataclass(frozen=True)
class Chunk:
    """Consecutive games of one plan, played as one task."""

    plan_index: int  # in the list of plans
    numbers: range


def play_all(plan: Plan, count: int, executor: Executor = LOCAL_EXECUTOR, folder: Path | None = None) -> Iterator[Results]:
    """Play games 1 to `count`; yield the results of each chunk. Write each game's record into `folder`, if given."""
    return play([plan], split_into_chunks(plan, count), executor, folder)


def play(
    plans: Sequence[Plan], chunks: Sequence[Chunk], executor: Executor = LOCAL_EXECUTOR, folder: Path | None = None, luck: bool = False
) -> Iterator[Results]:
    """Play chunks and yield their results in order. This process writes the records: workers may have another disk."""
    found = executor.map(partial(Worker, plans, folder is not None, luck), chunks)
    return found if folder is None else _write_records(found, chunks, folder)


def _write_records(found: Iterable[Results], chunks: Sequence[Chunk], folder: Path) -> Iterator[Results]:
    for chunk, results in zip(chunks, found, strict=True):
        for number, text in zip(chunk.numbers, results.records, strict=True):
            _write_record(folder / record_name(number), text)
        yield replace(results, records=())


def record_name(number: int) -> str:
    return f"game-{number:05}.json"


def record_number(name: str) -> int:
    """Return the number of the game whose record, whole or half written, has this file name; 0 for any other file."""
    found = RECORD_FILE_NAME.fullmatch(name)
    return int(found[1]) if found else 0


def _write_record(file: Path, text: str) -> None:
    """Write a record unless an interrupted run wrote it already; never overwrite the record of another game."""
    if not file.exists():
        write_text(file, text)
    elif read_text(file) != text:
        raise TableeError(
            msg("{file} is the record of another game; --record wants a new folder, or one of the same command", file=str(file))
        )


def split_into_chunks(plan: Plan, count: int, plan_index: int = 0, size: int = 0) -> list[Chunk]:
    """Split games 1 to `count` into chunks; of one game each where a bot searches, so that an interrupt loses little."""
    size = 1 if plan.levels is None else size or CHUNK_SIZE
    return [Chunk(plan_index, range(first, min(first + size, count + 1))) for first in range(1, count + 1, size)]


class PlanRunner:
    """Player of one plan's games: in the kernel if it knows all bots, otherwise move by move as a table does."""

    def __init__(self, plan: Plan, recording: bool = False, luck: bool = False) -> None:
        self.plan, self.recording, self.luck, self.blocks = plan, recording, luck, INITIAL_BLOCKS
        warmup.warm_once(plan.game)
        self.game, self.start = plan.opened, plan.start
        self.together = self.game.is_cooperative(self.start)

    def play(self, numbers: range) -> Results:
        """Play these games to their end; numbers start at 1."""
        if self.luck:
            return self._play_with_luck(numbers)
        return self._matches(numbers) if self.plan.levels is None else self._batch(numbers)

    def _play_with_luck(self, numbers: range) -> Results:
        if self.plan.levels is None:
            matches = list(self._play_matches(numbers))
            results, logs = self._results_of(matches), [match.log for match in matches]
        else:
            batch = self.batch(numbers, keep_logs=True)
            results = Results(*batch.results(), batch.lines.copy(), self.together)
            logs = [batch.log(place) for place in range(len(results))]
        return replace(results, luck=np.array([total_luck(self.game, self.start, log) for log in logs]))

    def play_logged(self, numbers: range) -> tuple[Results, list[Any]]:
        """Play these games and return their results and their logs in the kernel's encoding."""
        if self.plan.levels is None:
            matches = list(self._play_matches(numbers))
            logs = [np.array([(line.seat + 1) << SEAT_SHIFT | line.move for line in match.log]) for match in matches]
            return self._results_of(matches), logs
        batch = self.batch(numbers, keep_logs=True)
        logs = [log[:lines] for log, lines in zip(batch.logs.array, batch.lines, strict=True)]
        return Results(*batch.results(), batch.lines.copy(), self.together), logs

    def batch(self, numbers: range, keep_logs: bool = False) -> Batch:
        """Play these games inside the kernel; remember how many blocks of random numbers a game needs."""
        assert self.plan.levels is not None, "the kernel does not know these bots"
        batch = Batch(self.game, self.start, [self._seed(number) for number in numbers], keep_logs, self.blocks)
        batch.play(self.plan.levels)
        self.blocks = max(self.blocks, batch.blocks_used)
        return batch

    def _batch(self, numbers: range) -> Results:
        batch = self.batch(numbers, keep_logs=self.recording)
        results = Results(*batch.results(), batch.lines.copy(), self.together)
        return replace(results, records=tuple(self._records(batch, results))) if self.recording else results

    def _records(self, batch: Batch, results: Results) -> Iterator[str]:
        for place in range(len(results)):
            outcome = Outcome.of(results.scores[place], int(results.winners[place]), self.together)
            lines = [line.show(self.game) for line in batch.log(place)]
            yield record.dump(record.compose(self.game, self.plan.seats, self.plan.options, lines, outcome, batch.seeds[place]))

    def _matches(self, numbers: range) -> Results:
        matches = list(self._play_matches(numbers))
        records = tuple(record.dump(record.write(match)) for match in matches) if self.recording else ()
        return replace(self._results_of(matches), records=records)

    def _play_matches(self, numbers: range) -> Iterator[Match]:
        seated = [bots.find(name) for name in self.plan.bots]
        for number in numbers:
            yield bots.play_out(Match(self.game, self.plan.seats, dict(self.plan.options), self._seed(number)), seated)

    def _results_of(self, matches: Sequence[Match]) -> Results:
        ends = [self.game.outcome(match.state) for match in matches]
        winners = [sum(1 << seat for seat in end.winners) for end in ends]
        lines = [len(match.log) for match in matches]
        return Results(np.array([end.scores for end in ends]), np.array(winners), np.array(lines), self.together)

    def _seed(self, number: int) -> bytes:
        return fairness.seed_for(self.plan.seed, number)


class Worker:
    """Worker with a `PlanRunner` for each plan, created on first use."""

    def __init__(self, plans: Sequence[Plan], recording: bool = False, luck: bool = False) -> None:
        self.plans, self.recording, self.luck = plans, recording, luck
        self.runners: dict[int, PlanRunner] = {}

    def __call__(self, chunk: Chunk) -> Results:
        if chunk.plan_index not in self.runners:
            self.runners[chunk.plan_index] = PlanRunner(self.plans[chunk.plan_index], self.recording, self.luck)
        return self.runners[chunk.plan_index].play(chunk.numbers)
