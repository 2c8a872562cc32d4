"""A tournament is every set of bots that a table can seat, in every rotation of the seats, all with the same luck: game number 7 of each
seating has the same seed, so that a bot's figures come from how it plays and not from what it was dealt.
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
    plans: tuple[Plan, ...]  # one for each seating
    bots: tuple[str, ...]  # each name once
    games: int  # of each set, its seatings together

    @classmethod
    def of(cls, game: Game, seats: int, names: Sequence[str], options: Mapping[str, Any], seed: int, games: int) -> Tournament:
        """At least so many games of each set, equally many in each of its seatings."""
        seatings = [seating for each in sets(names, seats) for seating in rotations(each)]
        if not seatings:
            raise TableeError(msg("an arena needs two different bots and two seats at least"))
        plans = tuple(Plan.of(game, seats, seating, options, seed) for seating in seatings)
        if game.is_cooperative(plans[0].start):
            raise TableeError(msg("at this table everybody plays together, so there is nobody to compare with"))
        return cls(plans, tuple(dict.fromkeys(names)), -(-games // seats) * seats)

    @property
    def seats(self) -> int:
        return self.plans[0].seats

    @property
    def options(self) -> Options:
        return self.plans[0].options

    @property
    def total(self) -> int:
        """Games in all."""
        return sum(len(handful.numbers) for handful in self.chunks)

    @cached_property
    def chunks(self) -> Mapping[Chunk, None]:
        """Everything that is to be played, in its order."""
        dealt = (split_into_chunks(plan, self.games // len(rotations(plan.bots)), place) for place, plan in enumerate(self.plans))
        return dict.fromkeys(chain.from_iterable(dealt))

    def play(self, finished: Collection[Chunk] = (), executor: Executor = LOCAL_EXECUTOR) -> Iterator[tuple[Chunk, Results]]:
        """What is not known yet."""
        left = [handful for handful in self.chunks if handful not in finished]
        return zip(left, play(self.plans, left, executor), strict=True)

    def dump(self) -> str:
        """What tells it from any other, in one line."""
        plan = self.plans[0]
        facts = {"game": plan.game, "rules": plan.rules, "components": plan.opened.components.sha256, "seed": plan.seed}
        seatings = [plan.bots for plan in self.plans]
        return json.dumps({"format": FORMAT, **facts, "options": dict(plan.options), "seatings": seatings, "games": self.games})


def sets(names: Sequence[str], seats: int) -> list[Lineup]:
    """Every choice of so many bots from a list, but none of one kind only. A list that is too short repeats, from each name on."""
    if len(names) < seats:
        found = [tuple(names[(first + seat) % len(names)] for seat in range(seats)) for first in range(len(names))]
    else:
        found = list(combinations(names, seats))
    distinct: dict[Lineup, Lineup] = {}
    for each in found:
        distinct.setdefault(tuple(sorted(each)), each)
    return [each for each in distinct.values() if len(set(each)) > 1]


def rotations(lineup: Lineup) -> list[Lineup]:
    """Everybody moves up by a seat, until they sit as they sat at first."""
    return list(dict.fromkeys(lineup[first:] + lineup[:first] for first in range(len(lineup))))
