"""Tournament: every set of bots that a table can seat, in every rotation of the seats, with common seeds.

Game number 7 of each line-up has the same seed, so that no bot gets better draws than another.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import Any

from tablee.arena.executors import LOCAL_EXECUTOR, Executor
from tablee.arena.plan import Plan
from tablee.arena.plan_runner import Chunk, Results, play, split_into_chunks
from tablee.core.errors import TableeError
from tablee.core.game import Game, Options
from tablee.core.i18n import msg

FORMAT = "tablee-tournament/1"

Lineup = tuple[str, ...]  # a bot's name for each seat


@dataclass(frozen=True)
class Tournament:
    plans: tuple[Plan, ...]  # one for each line-up
    bots: tuple[str, ...]  # each name once
    games: int  # of each set of bots, over all its rotations
    luck: bool = False  # whether to measure the luck of every seat

    @classmethod
    def of(
        cls, game: Game, seats: int, names: Sequence[str], options: Mapping[str, Any], seed: int, games: int, luck: bool = False
    ) -> Tournament:
        """Create a tournament with at least `games` games for each set of bots, equally many in each rotation of its seats."""
        lineups = [lineup for each in sets(names, seats) for lineup in rotations(each)]
        if not lineups:
            raise TableeError(msg("an arena needs two different bots and two seats at least"))
        plans = tuple(Plan.of(game, seats, lineup, options, seed) for lineup in lineups)
        if game.is_cooperative(plans[0].start):
            raise TableeError(msg("at this table everybody plays together, so there is nobody to compare with"))
        return cls(plans, tuple(dict.fromkeys(names)), -(-games // seats) * seats, luck)

    @property
    def seats(self) -> int:
        return self.plans[0].seats

    @property
    def options(self) -> Options:
        return self.plans[0].options

    @property
    def total(self) -> int:
        """Return the number of games."""
        return sum(len(chunk.numbers) for chunk in self.chunks)

    @cached_property
    def chunks(self) -> Mapping[Chunk, None]:
        """Return all chunks in the order of play."""
        by_plan = (split_into_chunks(plan, self.games // len(rotations(plan.bots)), place) for place, plan in enumerate(self.plans))
        return dict.fromkeys(chain.from_iterable(by_plan))

    def play(self, finished: Collection[Chunk] = (), executor: Executor = LOCAL_EXECUTOR) -> Iterator[tuple[Chunk, Results]]:
        """Play the chunks that are not finished yet and yield their results."""
        left = [chunk for chunk in self.chunks if chunk not in finished]
        return zip(left, play(self.plans, left, executor, luck=self.luck), strict=True)

    def dump(self) -> str:
        """Return the tournament's identity as one line of JSON."""
        plan = self.plans[0]
        facts = {"game": plan.game, "rules": plan.rules, "components": plan.opened.components.sha256, "seed": plan.seed}
        facts |= {"luck": True} if self.luck else {}
        lineups = [plan.bots for plan in self.plans]
        return json.dumps({"format": FORMAT, **facts, "options": dict(plan.options), "seatings": lineups, "games": self.games})


def sets(names: Sequence[str], seats: int) -> list[Lineup]:
    """Return every set of `seats` bots with at least two different ones; if there are fewer names than seats, cycle through the names."""
    if len(names) < seats:
        found = [tuple(names[(first + seat) % len(names)] for seat in range(seats)) for first in range(len(names))]
    else:
        found = list(combinations(names, seats))
    distinct: dict[Lineup, Lineup] = {}
    for each in found:
        distinct.setdefault(tuple(sorted(each)), each)
    return [each for each in distinct.values() if len(set(each)) > 1]


def rotations(lineup: Lineup) -> list[Lineup]:
    """Return all distinct rotations of a line-up."""
    return list(dict.fromkeys(lineup[first:] + lineup[:first] for first in range(len(lineup))))
