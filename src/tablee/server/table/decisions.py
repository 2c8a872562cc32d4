"""Decisions of a table's seats, a turn or a pause, and what a token permits, checked again under the table's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from tablee.core.errors import IllegalMove, Refusal, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.table.log import Change, Decision
from tablee.server.table.models import PAUSE, RESUME, LogLine
from tablee.server.table.seats import NotYourSeat
from tablee.server.table.state import TableState

if TYPE_CHECKING:
    from tablee.server.table.table import Table

T = TypeVar("T")
Check = Callable[[], object]  # raises what forbids the request


class NotNow(TableeError):
    """Refusal of an action in the present state of the table."""


def play_turn(state: TableState, seat: Seat, texts: Sequence[str], at: int, client_id: str) -> Decision:
    """Decide the moves of one turn, all or none, idempotent by client id; `at` is the version on which they are based."""
    moves = [state.game.read(text) for text in texts]
    lines = [f"{seat} {state.game.show(move)}" for move in moves]

    def decide() -> Change | int:
        known = state.log.version_of_request(seat, client_id, lines)
        if known is not None:
            return known
        state.log.check_current(seat, at)
        after, lesson = state.match.branch(), state.tutorial
        for number, move in enumerate(moves, 1):
            with _naming_failed_move(number, texts):
                if lesson:
                    lesson.check_expected(after, seat, move)
                after.play(seat, move)
        if lesson:
            lesson.play_scripted(after)
        after.play_nature()
        drawn = after.lines(len(state.match.log) + len(lines))
        return Change([*(LogLine(line, client_id) for line in lines), *(LogLine(line, None) for line in drawn)], after)

    return decide


@contextmanager
def _naming_failed_move(number: int, texts: Sequence[str]) -> Iterator[None]:
    """Add the number of the move to a refusal, if the turn has several moves."""
    try:
        yield
    except Refusal as refused:
        if len(texts) == 1:
            raise
        which = msg("move {number}, {move!r}: {reason}", number=number, move=texts[number - 1], reason=refused.sentence)
        raise IllegalMove(which, refused.rule) if isinstance(refused, IllegalMove) else type(refused)(which) from refused


def pause(state: TableState, seat: Seat, paused: bool) -> Decision:
    """Decide to pause the game or to resume it; repeating either does nothing."""

    def decide() -> Change | int:
        kind = PAUSE if paused else RESUME
        if paused and state.match.over:
            raise NotNow(msg("the game is over"))
        return state.version if paused == state.log.paused else Change([LogLine(f"{seat} {kind}", None, kind)], allowed_while_paused=True)

    return decide


async def play_with_token(table: Table, token: str | None, moves: Sequence[str], at: int, client_id: str) -> int:
    """Play the moves of one turn, all or none, in the seat of this token; return the version that they led to."""
    seat, check = checked_again(lambda: require_playing_seat(table, token))
    mark_present(table, seat)
    return await table.change(guarded(check, play_turn(table, seat, moves, at, client_id)))


async def undo_with_token(table: Table, token: str | None, keys: str, client_id: str | None) -> int:
    """Take back the last move of this token's seat, or ask for it; `keys` are all tokens of the same screen."""
    (seat, own), check = checked_again(lambda: (require_playing_seat(table, token), table.seating.known_seats(keys)))
    return await table.change(guarded(check, table.undo_requests.request(seat, own, client_id)))


def mark_present(table: Table, seat: Seat | None) -> None:
    """Count a player who has no page open, such as an API client, as present because of this request."""
    if seat is not None and not table.presence.has_screen(seat):
        table.presence.poll([seat])


def checked_again(authorise: Callable[[], T]) -> tuple[T, Check]:
    """Return what the request may act for, and the check that it still may, for when it holds the table's lock.

    A seat may be handed over while a request waits: a move of its former player would count as the newcomer's.
    """
    granted = authorise()

    def check() -> None:
        if authorise() != granted:
            raise NotYourSeat(msg("this seat has been given to somebody else, and this link does not open it any more"))

    return granted, check


def guarded(check: Check, decide: Decision) -> Decision:
    """Return the decision that runs the check first."""

    def decide_if_allowed() -> Change | int:
        check()
        return decide()

    return decide_if_allowed


def require_seat(table: Table, token: str | None) -> Seat:
    seat = table.seating.seat_of_token(token)
    if seat is None:
        raise NotYourSeat(msg("only a player may move: this request carries no seat's token"))
    return seat


def require_playing_seat(table: Table, token: str | None) -> Seat:
    """Return the seat of the token; refuse it while a bot or another person plays there."""
    seat = require_seat(table, token)
    if table.seating.has_stand_in(seat):
        raise NotNow(msg("a bot plays for you: take your seat back first"))
    if table.seating.given_away(token or ""):
        raise NotNow(msg("your seat was given away while you were away: take it back first"))
    return seat
