"""What a screen says of the others at the table that is no move: somebody asks to take one back, somebody is away, the game is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.game import Seat
from tablee.server.table.log import Claim
from tablee.server.table.narration import Heard

if TYPE_CHECKING:
    from tablee.server.view.client_view import Screen


def notices(screen: Screen, heard: Heard) -> dict[str, Any]:
    """Only a player is asked or offered anything."""
    table = screen.table
    if screen.looks_back or not screen.awaited:
        return {"request": None, "absent": [], "sat_in": [], "lent": [], "claims": [], "claimable": [], "paused": False, "resting": False}
    return {
        "request": None if table.paused else _request(screen, heard),
        "absent": [_named(screen, seat) for seat in _absent(screen)],
        "sat_in": [_named(screen, seat) for seat in screen.seats if table.seating.has_stand_in(seat)],
        "lent": [_named(screen, seat) for seat in screen.given_away],
        "claims": [_claim(screen, seat, claim) for seat in table.absence.claimable if (claim := table.absence.claim_of(seat))],
        "claimable": [] if screen.seats else [_named(screen, seat) for seat in table.absence.claimable if not table.absence.claim_of(seat)],
        "paused": table.ledger.paused,
        "resting": table.resting,
    }


def _absent(screen: Screen) -> list[Seat]:
    """Nobody is waited for while nobody may move; of somebody who asks to come in again that is said instead."""
    table = screen.table
    if table.paused or not screen.seats:
        return []
    return [seat for seat in table.absence.seats if seat not in screen.seats and not table.absence.claim_of(seat)]


def _named(screen: Screen, seat: Seat) -> dict[str, Any]:
    wanted = [screen.narrator.name(each) for each in sorted(screen.table.ledger.offers.get(seat, ()))]
    name, table = screen.narrator.name(seat), screen.table
    owner = table.seating.chairs[seat].owner_name or name
    return {
        "seat": seat,
        "name": name,
        "owner": owner,
        "late": table.clock.is_out(seat),
        "wanted": wanted,
        "given": table.absence.can_be_given(seat),
    }


def _claim(screen: Screen, seat: Seat, claim: Claim) -> dict[str, Any]:
    """Somebody at another device says that this seat is theirs; `answers` is whether this screen is asked."""
    asked = screen.table.absence.to_vouch(seat)
    return {
        "seat": seat,
        "number": claim.number,
        "name": screen.narrator.name(seat),
        "answers": any(each in screen.seats for each in asked),
        "waiting": [screen.narrator.name(each) for each in asked],
    }


def _request(screen: Screen, heard: Heard) -> dict[str, Any] | None:
    waiting = screen.table.taking_back.waiting
    if waiting is None or not screen.seats:
        return None
    asks, to_answer = waiting
    return {
        "name": screen.narrator.name(asks),
        "what": _last_of(screen, asks, heard),
        "mine": asks if asks in screen.seats else None,
        "answers": next((seat for seat in to_answer if seat in screen.seats), None),
        "waiting": [screen.narrator.name(seat) for seat in to_answer],
    }


def _last_of(screen: Screen, seat: Seat, heard: Heard) -> str:
    """What the seat did in its last turn, as far as this screen has been told."""
    own = [position for position, line in enumerate(screen.match.log) if line.seat == seat]
    turn = own[-screen.table.ledger.last_turn(seat) :]
    return ", ".join(entry["brief"] or entry["sentence"] for entry in heard.entries if entry["position"] in turn and entry["seat"] == seat)
