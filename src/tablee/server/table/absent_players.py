"""People who are awaited and have been away for a while, or have used up their time: the others may wait, let a bot sit in, or give the
seat to somebody else, in a game with secrets at least two of them together. Nothing happens by itself, and whoever comes back takes the
seat back with one tap, from a newcomer until that one has moved. Who comes back at a device without a key says who they are, and the others
are asked.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.storage.database import ConflictError
from tablee.server.storage.line_kinds import BACK, CLAIM, CONSENT, DENIED, GRANTED, HANDED, OFFER, STAND_IN
from tablee.server.storage.models import LogLine, StoredSeat, hash_token
from tablee.server.table.log import Change, Claim

if TYPE_CHECKING:
    from tablee.server.table.table import Table

AWAY_AFTER = 60.0  # seconds after which somebody who is awaited counts as absent
CLAIM_COOLDOWN = 60.0  # seconds in which nobody else may claim a seat that somebody claims, so that strangers cannot fill the log
STAND_IN_LEVEL = "medium"  # of the bot that sits in


class NotAbsent(TableeError):
    """Whoever is here, or was a moment ago, keeps their seat."""


class AbsentPlayers:
    def __init__(self, table: Table, away_after: float) -> None:
        self._table, self._away_after = table, away_after
        self._timer: asyncio.TimerHandle | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those whom the others need not wait for any longer."""
        return tuple(seat for seat in self._people_to_act() if self._is_away(seat) or self._table.clock.is_out_of_time(seat))

    def _is_away(self, seat: Seat) -> bool:
        attendance = self._table.presence
        return not attendance.is_here(seat) and attendance.seconds_away(seat) >= self._away_after

    def _people_to_act(self) -> list[Seat]:
        table = self._table
        return [seat for seat in table.match.to_act if seat in table.seating.people and not table.seating.is_bot(seat)]

    def schedule_check(self) -> None:
        """Rings when the next of them has been away for long enough."""
        self.stop()
        attendance = self._table.presence
        away = [attendance.seconds_away(seat) for seat in self._people_to_act() if not attendance.has_screen(seat)]
        left = [self._away_after - each for each in away if each < self._away_after]
        left += [time for seat in self._table.clock.running_seats if (time := self._table.clock.seconds_left(seat))]
        if left and len(self._table.seating.people) > 1:
            self._timer = asyncio.get_running_loop().call_later(max(min(left), 0.05), self._check)

    def _check(self) -> None:
        if self.seats:
            self._table.signal.notify()
        self.schedule_check()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def stand_in(self, seat: Seat, by: Seat) -> int:
        """A bot plays on there, until its owner takes the seat back."""

        def decide() -> Change | int:
            chair = self._absent_seat(seat)
            return self._table.version if chair.level else self._seat_change(seat, replace(chair, level=STAND_IN_LEVEL), STAND_IN, by)

        return await self._table.change(decide)

    async def hand_over(self, seat: Seat, by: Seat, name: str = "", own: Collection[Seat] = ()) -> str | None:
        """Somebody else gets the seat by a new token; None while others have to want it too. Its owner's token takes it back until the
        newcomer has moved. `own` are the seats of the screen that asks."""
        token = secrets.token_urlsafe(16)

        def decide() -> Change | int:
            chair, willing = self._absent_seat(seat), {by, *own}
            if self.players_to_ask(seat, willing):
                new = sorted(willing - self._offers(seat))
                return Change([LogLine(f"{seat} {OFFER} {each}", None, OFFER) for each in new]) if new else self._table.version
            if not self._is_quorum(self._offers(seat) | willing):
                raise NotAbsent(
                    msg("in a game with secrets somebody else who is here has to want it too: a seat shows its hand; a bot may sit in")
                )
            return self._seat_change(seat, _lent_to(chair, hash_token(token), name or chair.name), HANDED, by)

        await self._table.change(decide)
        return token if self._table.seating.seat_of_hash(hash_token(token)) == seat else None

    def players_to_ask(self, seat: Seat, willing: Collection[Seat]) -> tuple[Seat, ...]:
        """Whoever opens a seat sees its hand: where there are secrets it is given away, perhaps to whoever asks for it, only if all other
        people who are here want that too."""
        return self._others_here(seat, self._offers(seat) | {*willing}) if self._table.game.secrets else ()

    def can_be_handed_over(self, seat: Seat) -> bool:
        """Whether there are enough people here to give the seat away."""
        return self._is_quorum({*self._others_here(seat), *self._offers(seat)})

    def _offers(self, seat: Seat) -> frozenset[Seat]:
        return self._table.log.handover_offers.get(seat, frozenset())

    def _others_here(self, seat: Seat, except_for: Collection[Seat] = ()) -> tuple[Seat, ...]:
        table = self._table
        others = sorted(table.seating.people - {seat, *except_for})
        return tuple(other for other in others if table.presence.is_here(other) and not table.seating.is_bot(other))

    def _is_quorum(self, willing: Collection[Seat]) -> bool:
        """Where there are secrets nobody opens a seat on the word of one person, who might be the same."""
        return len(willing) >= (2 if self._table.game.secrets else 1)

    async def return_to_seat(self, seat: Seat, token: str = "") -> int:
        """The owner plays again, where a bot sat in or the seat was given away."""

        def decide() -> Change | int:
            chair = self._table.seating.seats[seat]
            if chair.owner_hash and chair.owner_hash == hash_token(token):
                chair = replace(chair, token_hash=chair.owner_hash, name=chair.owner_name, owner_hash="", owner_name="")
            elif not chair.level:
                return self._table.version
            return replace(self._seat_change(seat, replace(chair, level=""), BACK, seat), allowed_while_paused=True)

        return await self._table.change(decide)

    @property
    def claimable(self) -> tuple[Seat, ...]:
        """The seats whose people have been away for a while: somebody at a device without a key may say that one of them is theirs.

        Not in a class, where the organiser gives out links; and with secrets only where two others could vouch for them.
        """
        table = self._table
        if table.done or table.settings.club:
            return ()
        enough = 3 if table.game.secrets else 1
        return tuple(seat for seat in sorted(table.seating.people) if len(table.seating.people) >= enough and self._is_away(seat))

    def claim_of(self, seat: Seat) -> Claim | None:
        """Somebody who says that the seat is theirs and is not answered yet, if its owner has not been here since."""
        claim = self._table.log.claims.get(seat) if seat in self.claimable else None
        return None if claim is None or self._table.presence.was_here_since(seat, claim.received_at) else claim

    def players_to_answer(self, seat: Seat) -> tuple[Seat, ...]:
        """Who is here and has not answered them."""
        claim = self.claim_of(seat)
        return self._others_here(seat, claim.agreed) if claim else ()

    async def claim(self, seat: Seat, token: str) -> int:
        """Somebody says that the seat is theirs; the others are asked, as soon as they are here. Where nobody else plays and nothing is
        secret, nobody needs to be."""
        hashed = hash_token(token)

        def decide() -> Change | int:
            table, known = self._table, self.claim_of(seat)
            if table.seating.seat_of_hash(hashed) == seat or (known and known.token_hash == hashed):
                return table.version
            if seat not in self.claimable or table.seating.seat_of_hash(hashed) is not None or hashed in table.seating.former_hashes:
                raise NotAbsent(msg("this seat is not free: somebody is there, or it cannot be taken over"))
            last = known.received_at if known else table.log.denied_at.get(seat, -CLAIM_COOLDOWN)
            if time.monotonic() - last < CLAIM_COOLDOWN:
                raise NotAbsent(msg("somebody has just asked for this seat; the players answer first"))
            if table.seating.people == {seat}:
                return self._grant(seat, hashed, seat)
            return Change([LogLine(f"{seat} {CLAIM}", hashed, CLAIM)], allowed_while_paused=True)

        return await self._table.change(decide)

    async def answer_claim(self, seat: Seat, number: int | None, agree: bool, by: Seat, own: Collection[Seat] = ()) -> int:
        """With the last who agrees the seat goes on at the other device; one no ends it. The claim is the one that was seen: another
        device may have asked since."""

        def decide() -> Change | int:
            claim = self.claim_of(seat)
            if claim is None or claim.number != number:
                raise ConflictError(msg("nobody asks for this seat any more"))
            if not agree:
                return Change([LogLine(f"{seat} {DENIED} {by}", None, DENIED)], allowed_while_paused=True)
            new = sorted({by, *own} - claim.agreed - {seat})
            said, agreed = [LogLine(f"{seat} {CONSENT} {each}", None, CONSENT) for each in new], claim.agreed | {*new}
            if self._others_here(seat, agreed) or not self._is_quorum(agreed):
                return Change(said, allowed_while_paused=True) if said else self._table.version
            granted = self._grant(seat, claim.token_hash, by)
            return replace(granted, rows=[*said, *granted.rows])

        return await self._table.change(decide)

    def _grant(self, seat: Seat, token_hash: str, by: Seat) -> Change:
        chair = self._table.seating.seats[seat]
        return replace(
            self._seat_change(seat, replace(_lent_to(chair, token_hash, chair.name), level=""), GRANTED, by), allowed_while_paused=True
        )

    def _absent_seat(self, seat: Seat) -> StoredSeat:
        table = self._table
        chair = table.seating.seats[seat] if 0 <= seat < len(table.seating) else None
        if chair is None or chair.kind != "human":
            raise NotAbsent(msg("there is nobody there whose seat could be given away"))
        if not (seat in self.seats or (chair.level and self._is_away(seat))):
            raise NotAbsent(
                msg("only the seat of somebody who is awaited and has been away for a while, or has no time left, can be given away")
            )
        return chair

    @staticmethod
    def _seat_change(seat: Seat, chair: StoredSeat, kind: str, by: Seat) -> Change:
        return Change([LogLine(f"{seat} {kind} {by}", None, kind)], seats={seat: chair})


def _lent_to(chair: StoredSeat, token_hash: str, name: str) -> StoredSeat:
    """The seat with a newcomer in it, and its owner's until they have moved."""
    owner_hash, owner_name = (chair.owner_hash, chair.owner_name) if chair.owner_hash else (chair.token_hash, chair.name)
    return replace(chair, token_hash=token_hash, name=name, owner_hash=owner_hash, owner_name=owner_name)
