"""Who sits where: the chairs of a table, and whose chair a token opens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.storage.models import StoredSeat, hash_token
from tablee.server.storage.schema import BOT, HUMAN

COLOURS = 12
MAX_NAME_LENGTH = 40
DEFAULT_BOT_LEVEL = "medium"  # where nobody chose one


class NotYourSeat(TableeError):
    pass


@dataclass(frozen=True)
class SeatSpec:
    kind: str
    name: str = ""
    level: str = ""
    colour: int = -1


@dataclass(frozen=True)
class Seating:
    seats: tuple[StoredSeat, ...]
    former_hashes: frozenset[str] = frozenset()  # the hashes of tokens whose seat has another owner now

    def __len__(self) -> int:
        return len(self.seats)

    @cached_property
    def people(self) -> frozenset[Seat]:
        return frozenset(Seat(number) for number, chair in enumerate(self.seats) if chair.kind == HUMAN)

    def is_bot(self, seat: Seat) -> bool:
        """Whether a bot plays there, be it only for somebody who is away."""
        return bool(self.seats[seat].level)

    def with_seats(self, changed: Mapping[int, StoredSeat]) -> Seating:
        if not changed:
            return self
        chairs = tuple(changed.get(seat, chair) for seat, chair in enumerate(self.seats))
        before, now = ({key for chair in each for key in chair.keys} for each in (self.seats, chairs))
        return Seating(chairs, (self.former_hashes | before) - now)

    def has_stand_in(self, seat: Seat) -> bool:
        """Whether a bot plays there for somebody who is away."""
        return self.seats[seat].kind == HUMAN and self.is_bot(seat)

    def seat_of_token(self, token: str | None) -> Seat | None:
        """Whose token this is; no token is a spectator's."""
        if token is None:
            return None
        hashed = hash_token(token)
        found = self.seat_of_hash(hashed)
        if found is None and hashed in self.former_hashes:
            raise NotYourSeat(msg("this seat has been given to somebody else, and this link does not open it any more"))
        if found is None:
            raise NotYourSeat(msg("this link does not belong to a seat at this table"))
        return found

    def seat_of_hash(self, hashed: str) -> Seat | None:
        for seat, chair in enumerate(self.seats):
            if any(secrets.compare_digest(key, hashed) for key in chair.keys):
                return Seat(seat)
        return None

    def seats_of_tokens(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that one screen holds: their tokens, joined by dots."""
        found = dict.fromkeys(self.seat_of_token(token) for token in tokens.split(".") if token)
        return tuple(seat for seat in found if seat is not None)

    def known_seats(self, tokens: str) -> tuple[Seat, ...]:
        """Those of these tokens that open a chair here."""
        found = [self.seat_of_hash(hash_token(token)) for token in tokens.split(".")]
        return tuple(seat for seat in found if seat is not None)

    def given_away(self, tokens: str) -> tuple[Seat, ...]:
        """The seats that were given away, and that these tokens of their owners can still take back."""
        hashes = {hash_token(token) for token in tokens.split(".") if token}
        return tuple(Seat(seat) for seat, chair in enumerate(self.seats) if chair.owner_hash in hashes and chair.token_hash not in hashes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody's name, once each: the second Sam is Sam (2)."""
        found: list[str] = []
        for chair in self.seats:
            number, name = 1, chair.name
            while name and name.casefold() in map(str.casefold, found):
                number += 1
                name = f"{chair.name} ({number})"
            found.append(name)
        return tuple(found)

    @property
    def colours(self) -> tuple[int, ...]:
        """Each seat's own, or the one it chose."""
        return tuple(seat if chair.colour < 0 else chair.colour for seat, chair in enumerate(self.seats))


def assign_seats(wanted: Sequence[SeatSpec]) -> tuple[Seating, list[str | None]]:
    """Chairs for those who come, and the token of each person's."""
    tokens = [secrets.token_urlsafe(16) if seat.kind == HUMAN else None for seat in wanted]
    colours = assign_colours([seat.colour for seat in wanted])
    return Seating(tuple(_new_seat(*each) for each in zip(wanted, tokens, colours, strict=True))), tokens


def _new_seat(wanted: SeatSpec, token: str | None, colour: int) -> StoredSeat:
    name = normalize_name(wanted.name)
    if token is None:
        bots.find_for_table(wanted.level)
        return StoredSeat(BOT, name, level=wanted.level, colour=colour)
    return StoredSeat(HUMAN, name, token_hash=hash_token(token), colour=colour)


def normalize_name(typed: str, longest: int = MAX_NAME_LENGTH) -> str:
    """A name as it is kept: one line, nothing that cannot be seen, not long."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())[:longest].strip()


def assign_colours(wanted: Sequence[int]) -> list[int]:
    """A colour for each seat and each colour once: the one that was wished for, else the seat's own, else one that is left."""
    colours: list[int] = []
    for seat, wish in enumerate(wanted):
        left = (each for each in (seat, *range(COLOURS)) if each not in (*colours, *wanted))
        colours.append(wish if wish >= 0 and wish not in colours else next(left))
    return colours
