"""Many games between bots, in one process or several. A game depends on the plan and its own number only, so the jobs change nothing."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tablee import bots, games
from tablee.cli.files import write_text
from tablee.core import fairness, record
from tablee.core.game import Options
from tablee.core.match import Match

HANDFUL = 20  # games a worker plays before it reports


@dataclass(frozen=True)
class Plan:
    game: str
    box: Path | None
    seats: int
    bots: tuple[str, ...]
    options: Options
    seed: int
    folder: Path | None  # where each game's record goes


@dataclass(frozen=True)
class Result:
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    won: bool | None
    lines: int


def play_game(plan: Plan, number: int) -> Result:
    """Games are numbered from 1."""
    match = Match(games.find(plan.game, plan.box), plan.seats, dict(plan.options), fairness.seed_for(plan.seed, number))
    bots.play_out(match, [bots.find(level) for level in plan.bots])
    if plan.folder is not None:
        write_text(plan.folder / f"game-{number:05}.json", record.dump(record.write(match)))
    outcome = match.outcome
    assert outcome is not None
    return Result(outcome.scores, outcome.winners, outcome.won, len(match.log))


def play_all(plan: Plan, count: int, jobs: int) -> Iterator[Result]:
    """The results in the order of the games."""
    if jobs == 1:
        yield from (play_game(plan, number) for number in range(1, count + 1))
        return
    handfuls = [range(first, min(first + HANDFUL, count + 1)) for first in range(1, count + 1, HANDFUL)]
    apart = multiprocessing.get_context("spawn")  # the compiler's threads do not survive a fork
    with ProcessPoolExecutor(min(jobs, len(handfuls)), mp_context=apart, initializer=_leave_interrupts_to_the_parent) as workers:
        try:
            for results in workers.map(partial(_play_some, plan), handfuls):
                yield from results
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


def _play_some(plan: Plan, numbers: range) -> list[Result]:
    return [play_game(plan, number) for number in numbers]


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
