"""What a screen says of the others at the table that is no move: somebody asks to take one back, somebody is away, the game is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.game import Seat
from tablee.server.table.log import Claim
from tablee.server.table.narration import NarrationSlice

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView


def notices(screen: ClientView, heard: NarrationSlice) -> dict[str, Any]:
    """Only a player is asked or offered anything."""
    table = screen.table
    if screen.is_looking_back or not screen.to_act:
        return {
            "request": None,
            "absent": [],
            "stand_ins": [],
            "given_away": [],
            "claims": [],
            "claimable": [],
            "paused": False,
            "club_paused": False,
        }
    return {
        "request": None if table.paused else _request(screen, heard),
        "absent": [_seat_notice(screen, seat) for seat in _absent_seats(screen)],
        "stand_ins": [_seat_notice(screen, seat) for seat in screen.seats if table.seating.has_stand_in(seat)],
        "given_away": [_seat_notice(screen, seat) for seat in screen.given_away],
        "claims": [
            _claim(screen, seat, claim) for seat in table.absent_players.claimable if (claim := table.absent_players.claim_of(seat))
        ],
        "claimable": []
        if screen.seats
        else [_seat_notice(screen, seat) for seat in table.absent_players.claimable if not table.absent_players.claim_of(seat)],
        "paused": table.log.paused,
        "club_paused": table.club_paused,
    }


def _absent_seats(screen: ClientView) -> list[Seat]:
    """Nobody is waited for while nobody may move; of somebody who asks to come in again that is said instead."""
    table = screen.table
    if table.paused or not screen.seats:
        return []
    return [seat for seat in table.absent_players.seats if seat not in screen.seats and not table.absent_players.claim_of(seat)]


def _seat_notice(screen: ClientView, seat: Seat) -> dict[str, Any]:
    wanted = [screen.narrator.name(each) for each in sorted(screen.table.log.handover_offers.get(seat, ()))]
    name, table = screen.narrator.name(seat), screen.table
    owner = table.seating.seats[seat].owner_name or name
    return {
        "seat": seat,
        "name": name,
        "owner": owner,
        "late": table.clock.is_out_of_time(seat),
        "wanted": wanted,
        "can_be_given": table.absent_players.can_be_handed_over(seat),
    }


def _claim(screen: ClientView, seat: Seat, claim: Claim) -> dict[str, Any]:
    """Somebody at another device says that this seat is theirs; `answers` is whether this screen is asked."""
    asked = screen.table.absent_players.players_to_answer(seat)
    return {
        "seat": seat,
        "number": claim.number,
        "name": screen.narrator.name(seat),
        "answers": any(each in screen.seats for each in asked),
        "waiting": [screen.narrator.name(each) for each in asked],
    }


def _request(screen: ClientView, heard: NarrationSlice) -> dict[str, Any] | None:
    waiting = screen.table.undo_requests.pending
    if waiting is None or not screen.seats:
        return None
    asks, to_answer = waiting
    return {
        "name": screen.narrator.name(asks),
        "what": _last_turn_text(screen, asks, heard),
        "mine": asks if asks in screen.seats else None,
        "answers": next((seat for seat in to_answer if seat in screen.seats), None),
        "waiting": [screen.narrator.name(seat) for seat in to_answer],
    }


def _last_turn_text(screen: ClientView, seat: Seat, heard: NarrationSlice) -> str:
    """What the seat did in its last turn, as far as this screen has been told."""
    own = [position for position, line in enumerate(screen.match.log) if line.seat == seat]
    turn = own[-screen.table.log.last_turn_length(seat) :]
    return ", ".join(entry["brief"] or entry["sentence"] for entry in heard.entries if entry["position"] in turn and entry["seat"] == seat)
