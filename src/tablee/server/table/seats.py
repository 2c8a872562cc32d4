"""Who sits where: the chairs of a table, and whose chair a token opens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.server.storage.models import SeatKept, hash_token
from tablee.server.storage.schema import BOT, HUMAN

COLOURS = 12
LONGEST_NAME = 40
USUAL_BOT = "medium"  # where nobody chose one


class NotYourSeat(TableeError):
    pass


@dataclass(frozen=True)
class SeatWanted:
    kind: str
    name: str = ""
    level: str = ""
    colour: int = -1


@dataclass(frozen=True)
class Seating:
    chairs: tuple[SeatKept, ...]
    former: frozenset[str] = frozenset()  # the hashes of tokens whose seat has another owner now

    def __len__(self) -> int:
        return len(self.chairs)

    @cached_property
    def people(self) -> frozenset[Seat]:
        return frozenset(Seat(number) for number, chair in enumerate(self.chairs) if chair.kind == HUMAN)

    def is_bot(self, seat: Seat) -> bool:
        """Whether a bot plays there, be it only for somebody who is away."""
        return bool(self.chairs[seat].level)

    def with_chairs(self, changed: Mapping[int, SeatKept]) -> Seating:
        if not changed:
            return self
        chairs = tuple(changed.get(seat, chair) for seat, chair in enumerate(self.chairs))
        before, now = ({key for chair in each for key in chair.keys} for each in (self.chairs, chairs))
        return Seating(chairs, (self.former | before) - now)

    def has_stand_in(self, seat: Seat) -> bool:
        """Whether a bot plays there for somebody who is away."""
        return self.chairs[seat].kind == HUMAN and self.is_bot(seat)

    def of_token(self, token: str | None) -> Seat | None:
        """Whose token this is; no token is a spectator's."""
        if token is None:
            return None
        hashed = hash_token(token)
        found = self.of_hash(hashed)
        if found is None and hashed in self.former:
            raise NotYourSeat(say("this seat has been given to somebody else, and this link does not open it any more"))
        if found is None:
            raise NotYourSeat(say("this link does not belong to a seat at this table"))
        return found

    def of_hash(self, hashed: str) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if any(secrets.compare_digest(key, hashed) for key in chair.keys):
                return Seat(seat)
        return None

    def of_tokens(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that one screen holds: their tokens, joined by dots."""
        found = dict.fromkeys(self.of_token(token) for token in tokens.split(".") if token)
        return tuple(seat for seat in found if seat is not None)

    def known(self, tokens: str) -> tuple[Seat, ...]:
        """Those of these tokens that open a chair here."""
        found = [self.of_hash(hash_token(token)) for token in tokens.split(".")]
        return tuple(seat for seat in found if seat is not None)

    def given_away(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that were given away, and that these tokens of their owners can still take back."""
        hashes = {hash_token(token) for token in tokens.split(".") if token}
        return tuple(Seat(seat) for seat, chair in enumerate(self.chairs) if chair.owner_hash in hashes and chair.token_hash not in hashes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody's name, once each: the second Sam is Sam (2)."""
        found: list[str] = []
        for chair in self.chairs:
            number, name = 1, chair.name
            while name and name.casefold() in map(str.casefold, found):
                number += 1
                name = f"{chair.name} ({number})"
            found.append(name)
        return tuple(found)

    @property
    def colours(self) -> tuple[int, ...]:
        """Each seat's own, or the one it chose."""
        return tuple(seat if chair.colour < 0 else chair.colour for seat, chair in enumerate(self.chairs))


def seat_them(wanted: Sequence[SeatWanted]) -> tuple[Seating, list[str | None]]:
    """Chairs for those who come, and the token of each person's."""
    tokens = [secrets.token_urlsafe(16) if seat.kind == HUMAN else None for seat in wanted]
    colours = painted([seat.colour for seat in wanted])
    return Seating(tuple(_chair(*each) for each in zip(wanted, tokens, colours, strict=True))), tokens


def _chair(wanted: SeatWanted, token: str | None, colour: int) -> SeatKept:
    name = tidy_name(wanted.name)
    if token is None:
        bots.find_seated(wanted.level)
        return SeatKept(BOT, name, level=wanted.level, colour=colour)
    return SeatKept(HUMAN, name, token_hash=hash_token(token), colour=colour)


def tidy_name(typed: str, longest: int = LONGEST_NAME) -> str:
    """A name as it is kept: one line, nothing that cannot be seen, not long."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())[:longest].strip()


def painted(wanted: Sequence[int]) -> list[int]:
    """A colour for each seat and each colour once: the one that was wished for, else the seat's own, else one that is left."""
    colours: list[int] = []
    for seat, wish in enumerate(wanted):
        left = (each for each in (seat, *range(COLOURS)) if each not in (*colours, *wanted))
        colours.append(wish if wish >= 0 and wish not in colours else next(left))
    return colours
