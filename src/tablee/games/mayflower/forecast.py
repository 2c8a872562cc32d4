"""Forecast: the effect of each legal move, before it is made.

lay      {"scores": [{"kind", "points": {"0": 8}}],  the features with settlers that it completes, and who would take what
          "settles": ["settle town N"]}              the moves that it allows next, besides to pass
settle   {"now", "full", "complete", "risk"}  now: its points if the game ended here (scored at once if complete);
         full: completed as it stands, explorers in its column included; risk: the next explorer move would send the settler home
score    {"points": {"0": 17}}      pass     {}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablee.core.struct import fill, int_array
from tablee.games.mayflower.box import KINDS, PLAIN, Pieces
from tablee.games.mayflower.explorers import BONUS, explorers_in
from tablee.games.mayflower.features import column_under, is_complete, subject_of
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.land import full_value, measure, safe_column
from tablee.games.mayflower.notation import PASS, SCORE_ROAD, notation_of
from tablee.games.mayflower.scoring import gain
from tablee.games.mayflower.scoring_order import MOST_WAITING, subject_for
from tablee.games.mayflower.settlers import stand_for
from tablee.games.mayflower.stands import Stand, Subject
from tablee.games.mayflower.state import LAY, State
from tablee.games.mayflower.view_queries import COMPLETED_COLUMNS, MOST_SPOTS, list_completed, list_spots


def forecast(pieces: Pieces, state: State, moves: Sequence[int]) -> dict[str, dict[str, Any]]:
    show = notation_of(pieces.letters).show
    if state.phase == LAY:
        completed, settles = _completed(pieces, state, moves), _settles(pieces, state, moves)
        return {show(move): {"scores": completed[move], "settles": [show(each) for each in settles[move]]} for move in moves}
    return {show(move): _effect(pieces, state, move) for move in moves}


def _effect(pieces: Pieces, state: State, move: int) -> dict[str, Any]:
    if move == PASS:
        return {}
    if move >= SCORE_ROAD:
        return {"points": takings(pieces, state, subject_for(pieces.box, state, move))}
    return settling(pieces, state, stand_for(pieces.box, state, move))


def _completed(pieces: Pieces, state: State, lays: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return for each move the features that it completes."""
    moves, out = int_array(len(lays)), int_array(len(lays) * MOST_WAITING * COMPLETED_COLUMNS)
    fill(moves, lays)
    rows = out[: list_completed(pieces.box, state, State(), moves, out) * COMPLETED_COLUMNS].tolist()
    found: dict[int, list[dict[str, Any]]] = {move: [] for move in lays}
    for at in range(0, len(rows), COMPLETED_COLUMNS):
        move, kind, *points = rows[at : at + COMPLETED_COLUMNS]
        found[move].append({"kind": KINDS[kind], "points": _by_seat(points)})
    return found


def _settles(pieces: Pieces, state: State, lays: Sequence[int]) -> dict[int, list[int]]:
    """Return for each move the settles that it allows next, sorted as they will be offered."""
    moves, out = int_array(len(lays)), int_array(len(lays) * (1 + MOST_SPOTS))
    fill(moves, lays)
    list_spots(pieces.box, state, State(), moves, out)
    rows = [out[at : at + 1 + MOST_SPOTS].tolist() for at in range(0, len(out), 1 + MOST_SPOTS)]
    return {move: sorted(each for each in row[1 : 1 + row[0]] if each != PASS) for move, row in zip(lays, rows, strict=True)}


def takings(pieces: Pieces, state: State, subject: Subject) -> dict[str, int]:
    """Return the points that each seat would take from a completed feature now (M12, M13)."""
    return _by_seat([gain(pieces.box, state, seat, subject) for seat in range(state.seats)])


def _by_seat(points: Sequence[int]) -> dict[str, int]:
    return {str(seat): each for seat, each in enumerate(points) if each}


def settling(pieces: Pieces, state: State, stand: Stand) -> dict[str, Any]:
    """Return the points of a feature, and the risk, for a settler on this stand."""
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
