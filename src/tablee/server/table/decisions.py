"""Decisions of a table's seats: a turn, a pause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tablee.core.errors import IllegalMove, Refusal, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.table.log import Change, Decision
from tablee.server.table.models import PAUSE, RESUME, LogLine
from tablee.server.table.state import TableState


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
