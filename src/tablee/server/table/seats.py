"""Seats of a table: who sits where, and which seat a token opens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.table.models import BOT, HUMAN, PROGRAM, StoredSeat, hash_token

COLOURS = 12
WITH_TOKEN = (HUMAN, PROGRAM)
MAX_NAME_LENGTH = 40
DEFAULT_BOT_LEVEL = "medium"  # unless one was chosen


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
        return frozenset(Seat(number) for number, stored_seat in enumerate(self.seats) if stored_seat.kind in WITH_TOKEN)

    @cached_property
    def programs(self) -> frozenset[Seat]:
        """Return the seats of programs among the people: nobody asks them for consent, and one that hangs counts as absent."""
        return frozenset(seat for seat in self.people if self.seats[seat].kind == PROGRAM)

    def is_bot(self, seat: Seat) -> bool:
        """Return whether a bot plays the seat, even if only as a stand-in."""
        return bool(self.seats[seat].level)

    def with_seats(self, changed: Mapping[int, StoredSeat]) -> Seating:
        if not changed:
            return self
        seats = tuple(changed.get(seat, stored_seat) for seat, stored_seat in enumerate(self.seats))
        before, now = ({key for stored_seat in each for key in stored_seat.keys} for each in (self.seats, seats))
        return Seating(seats, (self.former_hashes | before) - now)

    def has_stand_in(self, seat: Seat) -> bool:
        """Return whether a bot plays for an absent person."""
        return self.seats[seat].kind in WITH_TOKEN and self.is_bot(seat)

    def seat_of_token(self, token: str | None) -> Seat | None:
        """Return the seat of this token; None, a spectator, for no token."""
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
        for seat, stored_seat in enumerate(self.seats):
            if any(secrets.compare_digest(key, hashed) for key in stored_seat.keys):
                return Seat(seat)
        return None

    def seats_of_tokens(self, tokens: str) -> tuple[Seat, ...]:
        """Return the seats of one client by its tokens, joined by dots; refuse unknown tokens."""
        found = dict.fromkeys(self.seat_of_token(token) for token in tokens.split(".") if token)
        return tuple(seat for seat in found if seat is not None)

    def known_seats(self, tokens: str) -> tuple[Seat, ...]:
        """Return the seats that these tokens open, ignoring unknown tokens."""
        found = [self.seat_of_hash(hash_token(token)) for token in tokens.split(".")]
        return tuple(seat for seat in found if seat is not None)

    def given_away(self, tokens: str) -> tuple[Seat, ...]:
        """Return the seats handed over to others that these tokens of their owners can still take back."""
        hashes = {hash_token(token) for token in tokens.split(".") if token}
        return tuple(
            Seat(seat)
            for seat, stored_seat in enumerate(self.seats)
            if stored_seat.owner_hash in hashes and stored_seat.token_hash not in hashes
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names made unique: the second Sam is Sam (2)."""
        found: list[str] = []
        for stored_seat in self.seats:
            number, name = 1, stored_seat.name
            while name and name.casefold() in map(str.casefold, found):
                number += 1
                name = f"{stored_seat.name} ({number})"
            found.append(name)
        return tuple(found)

    @property
    def colours(self) -> tuple[int, ...]:
        """Return the colour of each seat: the chosen one, else its number."""
        return tuple(seat if stored_seat.colour < 0 else stored_seat.colour for seat, stored_seat in enumerate(self.seats))


def assign_seats(specs: Sequence[SeatSpec]) -> tuple[Seating, list[str | None]]:
    """Return the seats for these specifications, and the token of each person's seat, None for a bot's."""
    tokens = [secrets.token_urlsafe(16) if spec.kind in WITH_TOKEN else None for spec in specs]
    colours = assign_colours([spec.colour for spec in specs])
    return Seating(tuple(_new_seat(*each) for each in zip(specs, tokens, colours, strict=True))), tokens


def _new_seat(spec: SeatSpec, token: str | None, colour: int) -> StoredSeat:
    name = normalize_name(spec.name)
    if token is None:
        bots.find_for_table(spec.level)
        return StoredSeat(BOT, name, level=spec.level, colour=colour)
    return StoredSeat(spec.kind, name, token_hash=hash_token(token), colour=colour)


def normalize_name(typed: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Return the name as one line of printable characters, cut to the maximal length."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())[:longest].strip()


def assign_colours(wanted: Sequence[int]) -> list[int]:
    """Return distinct colours: the wanted one, else the seat's own, else a free one."""
    colours: list[int] = []
    for seat, wish in enumerate(wanted):
        left = (each for each in (seat, *range(COLOURS)) if each not in (*colours, *wanted))
        colours.append(wish if wish >= 0 and wish not in colours else next(left))
    return colours
