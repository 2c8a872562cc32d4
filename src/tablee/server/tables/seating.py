"""Who sits where: the chairs of a table, and whose chair a token opens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.words import say
from tablee.server.kept.store import SeatKept, hash_token


class NotYourSeat(TableeError):
    pass


@dataclass(frozen=True)
class SeatWanted:
    kind: str
    name: str = ""
    level: str = ""


@dataclass(frozen=True)
class Seating:
    chairs: tuple[SeatKept, ...]

    def __len__(self) -> int:
        return len(self.chairs)

    @property
    def people(self) -> set[Seat]:
        return {Seat(number) for number, chair in enumerate(self.chairs) if chair.kind == "human"}

    def is_bot(self, seat: Seat) -> bool:
        """Whether a bot plays there, be it only for somebody who is away."""
        return bool(self.chairs[seat].level)

    def with_chairs(self, changed: Mapping[int, SeatKept]) -> Seating:
        return Seating(tuple(changed.get(seat, chair) for seat, chair in enumerate(self.chairs))) if changed else self

    def of_token(self, token: str | None) -> Seat | None:
        """Whose token this is; no token is a spectator's."""
        if token is None:
            return None
        hashed = hash_token(token)
        for seat, chair in enumerate(self.chairs):
            if chair.token_hash and secrets.compare_digest(chair.token_hash, hashed):
                return Seat(seat)
        raise NotYourSeat(say("this link does not belong to a seat at this table"))

    def of_tokens(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that one screen holds: their tokens, joined by dots."""
        found = [self.of_token(token) for token in tokens.split(".") if token]
        return tuple(seat for seat in found if seat is not None)


def seat_them(wanted: Sequence[SeatWanted]) -> tuple[Seating, list[str | None]]:
    """Chairs for those who come, and the token of each person's."""
    tokens = [secrets.token_urlsafe(16) if seat.kind == "human" else None for seat in wanted]
    return Seating(tuple(_chair(seat, token) for seat, token in zip(wanted, tokens, strict=True))), tokens


def _chair(wanted: SeatWanted, token: str | None) -> SeatKept:
    if token is None:
        bots.find_seated(wanted.level)
        return SeatKept("bot", wanted.name, level=wanted.level)
    return SeatKept("human", wanted.name, token_hash=hash_token(token))
