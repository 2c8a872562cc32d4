"""Notices about the other players besides their moves: undo requests, absent players, claims and pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablee.core.game import Seat
from tablee.server.table.log import Claim
from tablee.server.view.narration import NarrationSlice

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView


def notices(client_view: ClientView, narration: NarrationSlice) -> dict[str, Any]:
    """Return the notices for a client; only players get requests and offers."""
    table = client_view.table
    if client_view.is_looking_back or not client_view.to_act:
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
        "request": None if table.paused else _request(client_view, narration),
        "absent": [_seat_notice(client_view, seat) for seat in _absent_seats(client_view)],
        "stand_ins": [_seat_notice(client_view, seat) for seat in client_view.seats if table.seating.has_stand_in(seat)],
        "given_away": [_seat_notice(client_view, seat) for seat in client_view.given_away],
        "claims": [
            _claim(client_view, seat, claim) for seat in table.absent_players.claimable if (claim := table.absent_players.claim_of(seat))
        ],
        "claimable": []
        if client_view.seats
        else [_seat_notice(client_view, seat) for seat in table.absent_players.claimable if not table.absent_players.claim_of(seat)],
        "paused": table.log.paused,
        "club_paused": table.club_paused,
    }


def _absent_seats(client_view: ClientView) -> list[Seat]:
    """Return the seats to report as absent: none during a pause, and none with a claim, which has its own notice."""
    table = client_view.table
    if table.paused or not client_view.seats:
        return []
    return [seat for seat in table.absent_players.seats if seat not in client_view.seats and not table.absent_players.claim_of(seat)]


def _seat_notice(client_view: ClientView, seat: Seat) -> dict[str, Any]:
    wanted = [client_view.narrator.name(each) for each in sorted(client_view.table.log.handover_offers.get(seat, ()))]
    name, table = client_view.narrator.name(seat), client_view.table
    owner = table.seating.seats[seat].owner_name or name
    return {
        "seat": seat,
        "name": name,
        "owner": owner,
        "late": table.clock.is_out_of_time(seat),
        "wanted": wanted,
        "can_be_given": table.absent_players.can_be_handed_over(seat),
    }


def _claim(client_view: ClientView, seat: Seat, claim: Claim) -> dict[str, Any]:
    """Return the claim to a seat from another device; `answers` is whether this client is asked."""
    asked = client_view.table.absent_players.players_to_answer(seat)
    return {
        "seat": seat,
        "number": claim.number,
        "name": client_view.narrator.name(seat),
        "answers": any(each in client_view.seats for each in asked),
        "waiting": [client_view.narrator.name(each) for each in asked],
    }


def _request(client_view: ClientView, narration: NarrationSlice) -> dict[str, Any] | None:
    waiting = client_view.table.undo_requests.pending
    if waiting is None or not client_view.seats:
        return None
    asks, to_answer = waiting
    return {
        "name": client_view.narrator.name(asks),
        "what": _last_turn_text(client_view, asks, narration),
        "mine": asks if asks in client_view.seats else None,
        "answers": next((seat for seat in to_answer if seat in client_view.seats), None),
        "waiting": [client_view.narrator.name(seat) for seat in to_answer],
    }


def _last_turn_text(client_view: ClientView, seat: Seat, narration: NarrationSlice) -> str:
    """Return the seat's last turn in words, as far as this client may know it."""
    own = [position for position, line in enumerate(client_view.match.log) if line.seat == seat]
    turn = own[-client_view.table.log.last_turn_length(seat) :]
    return ", ".join(
        entry["brief"] or entry["sentence"]
        for entry in narration.entries
        if entry["position"] in turn and entry["seat"] == seat and not entry["aside"]
    )
