"""Taking back what one did last: at once when one is alone, against bots and on one screen; where other people are here, when all of them
agree. What was confirmed together goes together. Never after something hidden was shown, and never a move that somebody who was not asked
has answered.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from tablee.core.errors import Refusal
from tablee.core.game import NATURE, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.storage.database import ConflictError
from tablee.server.storage.line_kinds import AGREE, ASK_BACK, DECLINE, UNDO
from tablee.server.storage.models import LogLine
from tablee.server.table.log import Change

if TYPE_CHECKING:
    from tablee.server.table.table import Table


class UndoRequests:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._sequences: tuple[Match | None, dict[Any, tuple[Seat, ...] | Refusal]] = (None, {})  # the ways back from this position

    def is_possible(self, seat: Seat, own: Collection[Seat] = ()) -> bool:
        """Whether the seat may take back its last turn, or ask for it; `own` are the seats of its screen."""
        return self.refusal_for(seat, own) is None

    def refusal_for(self, seat: Seat, own: Collection[Seat] = ()) -> Refusal | None:
        """What forbids it, if something does."""
        found = self._cached_sequence(seat, {*own, *self.players_to_ask(seat, own)})
        return found if isinstance(found, Refusal) else None

    def players_to_ask(self, seat: Seat, own: Collection[Seat] = ()) -> tuple[Seat, ...]:
        """The other people who are here, or on their way back; whoever is away is not waited for."""
        table = self._table
        others = sorted(table.seating.people - {seat, *own})
        return tuple(other for other in others if table.presence.is_here(other) and not table.seating.is_bot(other))

    @property
    def pending(self) -> tuple[Seat, tuple[Seat, ...]] | None:
        """Who would like to take back a move, and who has not agreed yet, while that can still be done."""
        asked = self._table.log.undo_request
        if asked is None or not self.is_possible(asked.seat, asked.agreed):
            return None
        to_ask = self.players_to_ask(asked.seat, asked.agreed)
        return (asked.seat, to_ask) if to_ask else None  # if they have all left, it is asked anew and done at once

    async def request(self, seat: Seat, own: Collection[Seat] = (), client_id: str | None = None) -> int:
        """Takes it back, or asks those who are here, once however often that is said under one id."""

        def decide() -> Change | int:
            asking = " ".join([f"{seat} {ASK_BACK}", *map(str, sorted({*own} - {seat}))])
            known = self._table.log.version_of_request(seat, client_id, [f"{seat} {UNDO}"], [asking])
            if known is not None:
                return known
            others = self.players_to_ask(seat, own)
            way = self._undo_sequence(seat, {*own, *others})
            if not others:
                return self._undo_change(way, client_id)
            waiting = self.pending
            return self._table.version if waiting and waiting[0] == seat else Change([LogLine(asking, client_id, ASK_BACK)])

        return await self._table.change(decide)

    async def answer(self, seat: Seat, agree: bool, own: Collection[Seat] = (), client_id: str | None = None) -> int:
        """With the last who agrees the move is taken back; one no ends it, also that of whoever asked."""

        def decide() -> Change | int:
            table, kind = self._table, AGREE if agree else DECLINE
            known = table.log.version_of_request(seat, client_id, [f"{seat} {kind}"])
            if known is not None:
                return known
            asked = table.log.undo_request
            if asked is None or self.pending is None or (agree and seat == asked.seat):
                raise ConflictError(msg("nobody is asking to undo a move any more"))
            said = [LogLine(f"{other} {kind}", None, kind) for other in sorted({*own} - {seat, asked.seat}) if agree]
            said.append(LogLine(f"{seat} {kind}", client_id, kind))
            agreed = {*asked.agreed, *own, seat}
            if not agree or self.players_to_ask(asked.seat, agreed):
                return Change(said)
            undo = self._undo_change(self._undo_sequence(asked.seat, agreed), None)
            return Change([*undo.rows, *said], undo.after)

        return await self._table.change(decide)

    def _undo_sequence(self, seat: Seat, agreed: Collection[Seat]) -> tuple[Seat, ...]:
        """Whose last lines go, one after the other."""
        found = self._cached_sequence(seat, agreed)
        if isinstance(found, Refusal):
            raise found.with_traceback(None)
        return found

    def _cached_sequence(self, seat: Seat, agreed: Collection[Seat]) -> tuple[Seat, ...] | Refusal:
        """The way, or why there is none: not raised, for every screen asks, and what is raised holds on to whoever was at work."""
        table = self._table
        yielding = frozenset((*agreed, seat, *(Seat(other) for other in range(len(table.seating)) if table.seating.is_bot(Seat(other)))))
        if self._sequences[0] is not table.match:
            self._sequences = table.match, {}
        known, key = self._sequences[1], (seat, yielding, table.log.last_turn_length(seat))
        if key not in known:
            known[key] = _find_sequence(table.match, *key)
        return known[key]

    def _undo_change(self, way: tuple[Seat, ...], client_id: str | None) -> Change:
        after = without_moves(self._table.match, way)
        return Change([*(LogLine(f"{seat} {UNDO}", None, UNDO) for seat in way[:-1]), LogLine(f"{way[-1]} {UNDO}", client_id, UNDO)], after)


def _find_sequence(match: Match, seat: Seat, consenting: Collection[Seat], moves: int) -> tuple[Seat, ...] | Refusal:
    """The way back over so many moves of the seat, or why there is none."""
    way: tuple[Seat, ...] = ()
    try:
        for _ in range(moves):
            way += undo_sequence(without_moves(match, way), seat, consenting)
    except Refusal as refused:
        return refused.with_traceback(None)
    return way


def without_moves(match: Match, way: tuple[Seat, ...]) -> Match:
    for seat in way:
        match = match.without_last(seat)
    return match


def undo_sequence(match: Match, seat: Seat, consenting: Collection[Seat]) -> tuple[Seat, ...]:
    """Whose last lines go so that the seat's last move is taken back: its own alone, or first the answers of those who yield."""
    refused, since = match.why_not_undo(seat), _moved_since(match, seat)
    if refused is None:
        return (seat,)
    if since is None or match.over or not {*since, *match.to_act} <= {*consenting}:
        raise refused
    return (*reversed(since), seat)


def _moved_since(match: Match, seat: Seat) -> tuple[Seat, ...] | None:
    """Who has moved since the seat did, if nature has not."""
    since: list[Seat] = []
    for line in reversed(match.log):
        if line.seat == NATURE:
            return None
        if line.seat == seat:
            return tuple(reversed(since))
        since.append(line.seat)
    return None
