"""Undo of a player's last turn: at once if no other people are here, else once all of them agree.

Moves confirmed together are undone together. Nothing is undone after hidden information was shown, or after a player who was not asked
has answered the move.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.table.log import Change, Decision
from tablee.server.table.models import AGREE, ASK_BACK, DECLINE, UNDO, ConflictError, LogLine
from tablee.server.table.state import TableState


class UndoRequests:
    def __init__(self, state: TableState) -> None:
        self._state = state
        self._sequences: tuple[Match | None, dict[Any, tuple[Seat, ...] | Refusal]] = (None, {})  # cache of undo sequences for this match

    def refusal_for(self, seat: Seat, own: Collection[Seat] = ()) -> Refusal | None:
        """Return what forbids the seat to undo its last turn or ask to, if anything does; `own` are the seats of its client."""
        found = self._cached_sequence(seat, {*own, *self.players_to_ask(seat, own)})
        return found if isinstance(found, Refusal) else None

    def players_to_ask(self, seat: Seat, own: Collection[Seat] = ()) -> tuple[Seat, ...]:
        """Return the other people who are here or expected back; an undo does not wait for the absent."""
        return self._state.others_here({seat, *own})

    @property
    def pending(self) -> tuple[Seat, tuple[Seat, ...]] | None:
        """Return the seat that asks to undo and those who have not agreed yet, while the undo is still possible."""
        request = self._state.log.undo_request
        if request is None or self.refusal_for(request.seat, request.agreed):
            return None
        to_ask = self.players_to_ask(request.seat, request.agreed)
        return (request.seat, to_ask) if to_ask else None  # if they have all left, asking again undoes it at once

    def request(self, seat: Seat, own: Collection[Seat] = (), client_id: str | None = None) -> Decision:
        """Decide to undo the last turn, or to ask the people who are here; idempotent by client id."""

        def decide() -> Change | int:
            asking = " ".join([f"{seat} {ASK_BACK}", *map(str, sorted({*own} - {seat}))])
            known = self._state.log.version_of_request(seat, client_id, [f"{seat} {UNDO}"], [asking])
            if known is not None:
                return known
            others = self.players_to_ask(seat, own)
            sequence = self._undo_sequence(seat, {*own, *others})
            if not others:
                return self._undo_change(sequence, client_id)
            pending = self.pending
            return self._state.version if pending and pending[0] == seat else Change([LogLine(asking, client_id, ASK_BACK)])

        return decide

    def answer(self, seat: Seat, agree: bool, own: Collection[Seat] = (), client_id: str | None = None) -> Decision:
        """Decide the answer to a request: the last consent undoes the turn, one refusal ends the request, as does its withdrawal."""

        def decide() -> Change | int:
            state, kind = self._state, AGREE if agree else DECLINE
            known = state.log.version_of_request(seat, client_id, [f"{seat} {kind}"])
            if known is not None:
                return known
            request = state.log.undo_request
            if request is None or self.pending is None or (agree and seat == request.seat):
                raise ConflictError(msg("nobody is asking to undo a move any more"))
            rows = [LogLine(f"{other} {kind}", None, kind) for other in sorted({*own} - {seat, request.seat}) if agree]
            rows.append(LogLine(f"{seat} {kind}", client_id, kind))
            agreed = {*request.agreed, *own, seat}
            if not agree or self.players_to_ask(request.seat, agreed):
                return Change(rows)
            undo = self._undo_change(self._undo_sequence(request.seat, agreed), None)
            return Change([*undo.rows, *rows], undo.after)

        return decide

    def _undo_sequence(self, seat: Seat, agreed: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the seats whose last lines are undone, in order; raise the refusal if there is no such sequence."""
        found = self._cached_sequence(seat, agreed)
        if isinstance(found, Refusal):
            raise found.with_traceback(None)
        return found

    def _cached_sequence(self, seat: Seat, agreed: Collection[Seat]) -> tuple[Seat, ...] | Refusal:
        """Return the undo sequence or the refusal.

        The refusal is not raised, since every client asks: a raised exception would keep its frames alive.
        """
        state = self._state
        consenting = frozenset((*agreed, seat, *(Seat(other) for other in range(len(state.seating)) if state.seating.is_bot(Seat(other)))))
        if self._sequences[0] is not state.match:
            self._sequences = state.match, {}
        cache, key = self._sequences[1], (seat, consenting, state.log.last_turn_length(seat))
        if key not in cache:
            cache[key] = _find_sequence(state.match, *key)
        return cache[key]

    def _undo_change(self, sequence: tuple[Seat, ...], client_id: str | None) -> Change:
        after = without_moves(self._state.match, sequence)
        return Change(
            [*(LogLine(f"{seat} {UNDO}", None, UNDO) for seat in sequence[:-1]), LogLine(f"{sequence[-1]} {UNDO}", client_id, UNDO)], after
        )


def _find_sequence(match: Match, seat: Seat, consenting: Collection[Seat], moves: int) -> tuple[Seat, ...] | Refusal:
    """Return the sequence that undoes `moves` moves of the seat, or the refusal."""
    sequence: tuple[Seat, ...] = ()
    try:
        for _ in range(moves):
            sequence += undo_sequence(without_moves(match, sequence), seat, consenting)
    except Refusal as refused:
        return refused.with_traceback(None)
    return sequence


def without_moves(match: Match, sequence: tuple[Seat, ...]) -> Match:
    for seat in sequence:
        match = match.without_last(seat)
    return match


def undo_sequence(match: Match, seat: Seat, consenting: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats whose last lines are undone to undo the seat's last move: its own, after the answers of consenting seats."""
    refused, since = match.why_not_undo(seat), _moved_since(match, seat)
    if refused is None:
        return (seat,)
    if since is None or match.over or not {*since, *match.to_act} <= {*consenting}:
        raise refused
    return (*reversed(since), seat)


def _moved_since(match: Match, seat: Seat) -> tuple[Seat, ...] | None:
    """Return the seats that have moved since this seat did; None if nature has."""
    since: list[Seat] = []
    for line in reversed(match.log):
        if line.seat == NATURE:
            return None
        if line.seat == seat:
            return tuple(reversed(since))
        since.append(line.seat)
    return None
