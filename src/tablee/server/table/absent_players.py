"""Absent players: people who are to act and have been away for a while, or have used up their time.

The others may wait, let a bot stand in, or hand the seat over; where there are secrets a handover needs all others who are here, at least
two. Nothing happens by itself. Owners take their seats back, from a newcomer until the newcomer has moved; at a device without their token
they claim the seat, and the others answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.table.clock import Clock
from tablee.server.table.log import Change, Claim, Decision
from tablee.server.table.models import (
    BACK,
    BOT,
    CLAIM,
    CONSENT,
    DENIED,
    GRANTED,
    HANDED,
    OFFER,
    STAND_IN,
    ConflictError,
    LogLine,
    StoredSeat,
    hash_token,
)
from tablee.server.table.state import TableState


class NotAbsent(TableeError):
    """Refusal because the player is here, or was a moment ago."""


class AbsentPlayers:
    def __init__(self, state: TableState, clock: Clock) -> None:
        self._state, self._clock = state, clock
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: dict[Seat, tuple[int, float]] = {}  # programs to act: the version at which each was first awaited, and when

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that the others need not wait for any longer."""
        return tuple(seat for seat in self._state.people_to_act if self._is_away(seat) or self._clock.is_out_of_time(seat))

    def _is_away(self, seat: Seat) -> bool:
        presence, away_after = self._state.presence, self._state.config.away_after
        hangs = seat in self._awaited and self._seconds_hanging(seat) >= away_after
        return hangs or (not presence.is_here(seat) and presence.seconds_away(seat) >= away_after)

    def _seconds_hanging(self, seat: Seat) -> float:
        """Return for how many seconds a program has been awaited, connected or not."""
        version, since = self._awaited.get(seat, (-1, 0.0))
        return self._state.config.monotonic() - since if version == self._state.version else 0.0

    def _note_awaited(self) -> None:
        version, now = self._state.version, self._state.config.monotonic()
        awaited = [seat for seat in self._state.people_to_act if seat in self._state.seating.programs]
        self._awaited = {seat: found if (found := self._awaited.get(seat)) and found[0] == version else (version, now) for seat in awaited}

    def schedule_check(self) -> None:
        """Set the timer to when the next player will count as absent."""
        self.stop()
        self._note_awaited()
        presence = self._state.presence
        seconds_away = [presence.seconds_away(seat) for seat in self._state.people_to_act if not presence.has_screen(seat)]
        left = [self._state.config.away_after - each for each in seconds_away if each < self._state.config.away_after]
        left += [rest for seat in self._awaited if (rest := self._state.config.away_after - self._seconds_hanging(seat)) > 0]
        left += [time for seat in self._clock.running_seats if (time := self._clock.seconds_left(seat))]
        if left and len(self._state.seating.people) > 1:
            self._timer = asyncio.get_running_loop().call_later(max(min(left), 0.05), self._check)

    def _check(self) -> None:
        if self.seats:
            self._state.signal.notify()
        self.schedule_check()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stand_in(self, seat: Seat, by: Seat) -> Decision:
        """Decide that a bot plays on an absent player's seat until its owner takes it back."""

        def decide() -> Change | int:
            stored_seat = self._absent_seat(seat)
            if stored_seat.level:
                return self._state.version
            return self._seat_change(seat, replace(stored_seat, level=self._state.config.stand_in_level), STAND_IN, by)

        return decide

    def hand_over(self, seat: Seat, token: str, by: Seat, name: str = "", own: Collection[Seat] = ()) -> Decision:
        """Decide that the seat opens by this new token, once those have agreed who have to agree too.

        The owner's token takes the seat back until the newcomer has moved. `own` are the seats of the client that asks.
        """

        def decide() -> Change | int:
            stored_seat, willing = self._absent_seat(seat), {by, *own}
            if self.players_to_ask(seat, willing):
                new = sorted(willing - self._offers(seat))
                return Change([LogLine(f"{seat} {OFFER} {each}", None, OFFER) for each in new]) if new else self._state.version
            if not self._is_quorum(self._offers(seat) | willing):
                raise NotAbsent(
                    msg("in a game with secrets somebody else who is here has to want it too: a seat shows its hand; a bot may sit in")
                )
            return self._seat_change(seat, _lent_to(stored_seat, hash_token(token), name or stored_seat.name), HANDED, by)

        return decide

    def players_to_ask(self, seat: Seat, willing: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the players who still have to agree to a handover.

        Where there are secrets these are all others who are here: a seat shows its hand, perhaps to the player who asks for it.
        """
        return self._others_here(seat, self._offers(seat) | {*willing}) if self._state.game.secrets else ()

    def can_be_handed_over(self, seat: Seat) -> bool:
        """Return whether enough players are here to hand the seat over."""
        return self._is_quorum({*self._others_here(seat), *self._offers(seat)})

    def _offers(self, seat: Seat) -> frozenset[Seat]:
        return self._state.log.handover_offers.get(seat, frozenset())

    def _others_here(self, seat: Seat, except_for: Collection[Seat] = ()) -> tuple[Seat, ...]:
        return self._state.others_here({seat, *except_for})

    def _is_quorum(self, willing: Collection[Seat]) -> bool:
        """Return whether enough players agree: two where there are secrets, since one might be asking for themselves.

        Two who share a screen are two: if they could not vouch, nobody could let the third player of three in again.
        """
        return len(willing) >= (2 if self._state.game.secrets else 1)

    def return_to_seat(self, seat: Seat, token: str = "") -> Decision:
        """Decide to give the seat back to its owner, from a bot that stood in or from a newcomer."""

        def decide() -> Change | int:
            stored_seat = self._state.seating.seats[seat]
            if stored_seat.owner_hash and stored_seat.owner_hash == hash_token(token):
                stored_seat = replace(
                    stored_seat, token_hash=stored_seat.owner_hash, name=stored_seat.owner_name, owner_hash="", owner_name=""
                )
            elif not stored_seat.level:
                return self._state.version
            return replace(self._seat_change(seat, replace(stored_seat, level=""), BACK, seat), allowed_while_paused=True)

        return decide

    @property
    def claimable(self) -> tuple[Seat, ...]:
        """Return the seats that a device without a token may claim: those of people who have been away for a while.

        There are none in a club, whose organiser gives out links; with secrets, two others must be able to vouch for the claimant.
        """
        state = self._state
        if state.done or state.settings.club:
            return ()
        enough = 3 if state.game.secrets else 1
        return tuple(seat for seat in sorted(state.seating.people) if len(state.seating.people) >= enough and self._is_away(seat))

    def claim_of(self, seat: Seat) -> Claim | None:
        """Return the seat's unanswered claim, unless its owner has been here since."""
        claim = self._state.log.claims.get(seat) if seat in self.claimable else None
        return None if claim is None or self._state.presence.was_here_since(seat, claim.received_at) else claim

    def players_to_answer(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the players here who have not answered the claim on the seat."""
        claim = self.claim_of(seat)
        return self._others_here(seat, claim.agreed) if claim else ()

    def claim(self, seat: Seat, token: str) -> Decision:
        """Decide a claim on the seat for a new token; the others are asked as soon as they are here.

        The claim is granted at once where nobody else plays and nothing is secret.
        """
        hashed = hash_token(token)

        def decide() -> Change | int:
            state, known = self._state, self.claim_of(seat)
            if state.seating.seat_of_hash(hashed) == seat or (known and known.token_hash == hashed):
                return state.version
            if seat not in self.claimable or state.seating.seat_of_hash(hashed) is not None or hashed in state.seating.former_hashes:
                raise NotAbsent(msg("this seat is not free: somebody is there, or it cannot be taken over"))
            last = known.received_at if known else state.log.denied_at.get(seat, -state.config.claim_cooldown)
            if state.config.monotonic() - last < state.config.claim_cooldown:
                raise NotAbsent(msg("somebody has just asked for this seat; the players answer first"))
            if state.seating.people == {seat}:
                return self._grant(seat, hashed, seat)
            return Change([LogLine(f"{seat} {CLAIM}", hashed, CLAIM)], allowed_while_paused=True)

        return decide

    def answer_claim(self, seat: Seat, number: int | None, agree: bool, by: Seat, own: Collection[Seat] = ()) -> Decision:
        """Decide the answer to a claim: the last consent grants the seat to the other device, one denial ends the claim.

        `number` is that of the claim the player saw: another device may have claimed the seat since.
        """

        def decide() -> Change | int:
            claim = self.claim_of(seat)
            if claim is None or claim.number != number:
                raise ConflictError(msg("nobody asks for this seat any more"))
            if not agree:
                return Change([LogLine(f"{seat} {DENIED} {by}", None, DENIED)], allowed_while_paused=True)
            new = sorted({by, *own} - claim.agreed - {seat})
            rows, agreed = [LogLine(f"{seat} {CONSENT} {each}", None, CONSENT) for each in new], claim.agreed | {*new}
            if self._others_here(seat, agreed) or not self._is_quorum(agreed):
                return Change(rows, allowed_while_paused=True) if rows else self._state.version
            granted = self._grant(seat, claim.token_hash, by)
            return replace(granted, rows=[*rows, *granted.rows])

        return decide

    def _grant(self, seat: Seat, token_hash: str, by: Seat) -> Change:
        stored_seat = self._state.seating.seats[seat]
        return replace(
            self._seat_change(seat, replace(_lent_to(stored_seat, token_hash, stored_seat.name), level=""), GRANTED, by),
            allowed_while_paused=True,
        )

    def _absent_seat(self, seat: Seat) -> StoredSeat:
        state = self._state
        stored_seat = state.seating.seats[seat] if 0 <= seat < len(state.seating) else None
        if stored_seat is None or stored_seat.kind == BOT:
            raise NotAbsent(msg("there is nobody there whose seat could be given away"))
        if not (seat in self.seats or (stored_seat.level and self._is_away(seat))):
            raise NotAbsent(
                msg("only the seat of somebody who is awaited and has been away for a while, or has no time left, can be given away")
            )
        return stored_seat

    @staticmethod
    def _seat_change(seat: Seat, stored_seat: StoredSeat, kind: str, by: Seat) -> Change:
        return Change([LogLine(f"{seat} {kind} {by}", None, kind)], seats={seat: stored_seat})


def _lent_to(stored_seat: StoredSeat, token_hash: str, name: str) -> StoredSeat:
    """Return the seat with a newcomer's token and name; the owner can take it back."""
    owner_hash, owner_name = (
        (stored_seat.owner_hash, stored_seat.owner_name) if stored_seat.owner_hash else (stored_seat.token_hash, stored_seat.name)
    )
    return replace(stored_seat, token_hash=token_hash, name=name, owner_hash=owner_hash, owner_name=owner_name)
