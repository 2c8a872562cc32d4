"""What each legal move would give, before it is made.

lay      {"scores": [{"kind", "points": {"0": 8}}]}  the features with settlers that it completes, and who would take what
settle   {"now", "full", "complete", "risk"}  now: its points if the game ended here (scored at once if complete);
         full: completed as it stands, explorers in its column included; risk: the next explorer move would send the settler home
score    {"points": {"0": 17}}      pass     {}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablee.games.mayflower import turn
from tablee.games.mayflower.box import KINDS, PLAIN, Pieces
from tablee.games.mayflower.explorers import BONUS, explorers_in
from tablee.games.mayflower.features import column_under, is_complete, subject_kind, subject_of
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.land import full_value, measure, safe_column
from tablee.games.mayflower.notation import LAY_MOVE, PASS, SCORE_FARM, SCORE_ROAD, show
from tablee.games.mayflower.scoring import gain
from tablee.games.mayflower.scoring_order import MOST_WAITING, subject_at, subject_for, waiting
from tablee.games.mayflower.settlers import stand_for
from tablee.games.mayflower.stands import Stand, Subject
from tablee.games.mayflower.state import State


def forecast(pieces: Pieces, state: State, moves: Sequence[int]) -> dict[str, dict[str, Any]]:
    return {show(pieces.letters, move): _effect(pieces, state, move) for move in moves}


def _effect(pieces: Pieces, state: State, move: int) -> dict[str, Any]:
    if move == PASS:
        return {}
    if LAY_MOVE <= move < SCORE_FARM:
        return {"scores": _completed(pieces, state, move)}
    if move >= SCORE_ROAD:
        return {"points": takings(pieces, state, subject_for(pieces.box, state, move))}
    return settling(pieces, state, stand_for(pieces.box, state, move))


def _completed(pieces: Pieces, state: State, move: int) -> list[dict[str, Any]]:
    after = state.copy()
    turn.apply(pieces.box, after, state.active, move)
    bits = waiting(pieces.box, after)
    subjects = [subject_at(pieces.box, after, bit) for bit in range(MOST_WAITING) if bits >> bit & 1]
    return [{"kind": KINDS[subject_kind(pieces.box, after, subject)], "points": takings(pieces, after, subject)} for subject in subjects]


def takings(pieces: Pieces, state: State, subject: Subject) -> dict[str, int]:
    """What each seat would take from a completed feature now (M12, M13)."""
    points = {str(seat): gain(pieces.box, state, seat, subject) for seat in range(state.seats)}
    return {seat: each for seat, each in points.items() if each}


def settling(pieces: Pieces, state: State, stand: Stand) -> dict[str, Any]:
    """What a feature would be worth to a settler who stood there."""
    subject, column = subject_of(state, stand), column_under(state, stand)
    kind, tiles, extra = measure(pieces, state, subject)
    complete = is_complete(pieces.box, state, subject)
    bonus = 0 if kind == PLAIN else BONUS * explorers_in(state, column)
    full = full_value(kind, tiles, extra) + bonus
    return {
        "now": full if complete else final_points(kind, tiles, extra),
        "full": full,
        "complete": complete,
        "risk": kind != PLAIN and not complete and column < safe_column(state),
    }
