"""How many people become tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tablee import bots
from tablee.core.game import Game
from tablee.server.storage.clubs import MemberKept
from tablee.server.storage.models import SeatKept
from tablee.server.storage.schema import BOT, HUMAN
from tablee.server.table.seats import USUAL_BOT, Seating

T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """What is played, at tables of how many, and which bots take the seats that stay empty; no level: none do."""

    game: str
    size: int
    level: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def deal(people: Sequence[T], size: int) -> list[list[T]]:
    """Tables of about that size, none larger and none more than one smaller than another."""
    tables = -(-len(people) // size)
    return [list(people[number::tables]) for number in range(tables)]


def mixed(people: Sequence[T]) -> list[T]:
    return random.SystemRandom().sample(people, len(people))


def chairs_for(people: Sequence[MemberKept], game: Game, plan: Plan) -> Seating:
    """A chair for each, with the token that they have; bots sit on the others."""
    if plan.level:
        bots.find_seated(plan.level)
    wanted = max(plan.size if plan.level else 0, game.seats[0])
    bot = SeatKept(BOT, "", level=plan.level or USUAL_BOT)
    return Seating((*map(chair_of, people), *[bot] * (wanted - len(people))))


def chair_of(member: MemberKept) -> SeatKept:
    return SeatKept(HUMAN, member.name, token_hash=member.token_hash)
