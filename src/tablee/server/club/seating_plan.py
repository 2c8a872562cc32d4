"""Splitting a club's members into tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tablee import bots
from tablee.core.game import Game
from tablee.server.storage.clubs import StoredMember
from tablee.server.table.models import BOT, HUMAN, StoredSeat
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, Seating

T = TypeVar("T")


@dataclass(frozen=True)
class SeatingPlan:
    """Game, options and size of new tables; bots of `level` fill them up to `size`, with "" only up to the game's minimum."""

    game: str
    size: int
    level: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def split_into_tables(people: Sequence[T], size: int) -> list[list[T]]:
    """Split people into tables of at most `size`, whose sizes differ by at most one."""
    tables = -(-len(people) // size)
    return [list(people[number::tables]) for number in range(tables)]


def shuffled(people: Sequence[T], seed: bytes) -> list[T]:
    return random.Random(seed).sample(people, len(people))


def seats_for(people: Sequence[StoredMember], game: Game, plan: SeatingPlan) -> Seating:
    """Return a seat for each member, with the token they have, and bots on the remaining seats."""
    if plan.level:
        bots.find_for_table(plan.level)
    wanted = max(plan.size if plan.level else 0, game.seats[0])
    bot = StoredSeat(BOT, "", level=plan.level or DEFAULT_BOT_LEVEL)
    return Seating((*map(seat_of, people), *[bot] * (wanted - len(people))))


def seat_of(member: StoredMember) -> StoredSeat:
    return StoredSeat(HUMAN, member.name, token_hash=member.token_hash)
