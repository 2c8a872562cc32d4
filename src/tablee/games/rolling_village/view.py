"""The view: what a seat may know as JSON, for the API and the page. Sheets lie open, so everybody sees the same."""

from __future__ import annotations

from typing import Any

from tablee.core.contract import OVER
from tablee.core.game import Seat, Seen
from tablee.games.rolling_village import turn
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, COLUMNS, PARK, ROWS, TYPES, Box, Pieces
from tablee.games.rolling_village.forecast import forecast
from tablee.games.rolling_village.notation import show_cell
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count, printed_under, score, touching
from tablee.games.rolling_village.state import A_BONUS, A_PARK, AN_AVENUE, FIRST_DIE, SECOND_DIE, SETUP, State


def active_row(box: Box, state: State) -> int:
    """The avenue that the dice of this round name; ANY_AVENUE when they let the players pick, and before round 1."""
    return box.avenue_of[state.dice[0] + state.dice[1]] if state.turn > SETUP else ANY_AVENUE


def view(pieces: Pieces, seen: Seen[State]) -> dict[str, Any]:
    """`avenues` names the rows from A to E by the sums that score them, `avenue` the one of this round (None when any may be picked)."""
    box, state = pieces.box, seen.state
    row = active_row(box, state)
    return {
        "round": max(0, state.turn),
        "rounds": box.rounds,
        "setup": state.turn == SETUP,
        "over": turn.awaited(box, state) == OVER,
        "dice": list(state.dice) if state.turn >= SETUP else None,
        "avenue": pieces.avenues[row] if row != ANY_AVENUE else None,
        "avenues": list(pieces.avenues),
        "printed": [list(box.printed[start : start + COLUMNS]) for start in range(0, CELLS, COLUMNS)],
        "legend": {face: TYPES[box.type_of[face]] for face in range(1, 7)},
        "bonus_rounds": [each for each in range(1, box.rounds + 1) if box.is_bonus[each]],
        "park_points": box.park_points,
        "solo_target": box.solo_target,
        "sheets": [sheet(pieces, state, Seat(seat)) for seat in range(state.seats)],
        "forecast": forecast(box, state, seen.seat) if seen.seat is not None else {},
    }


def sheet(pieces: Pieces, state: State, seat: Seat) -> dict[str, Any]:
    box, marks = pieces.box, state.marks[seat]
    scored = range(1, state.turn + (0 if state.todo[seat] else 1))
    return {
        "cells": {show_cell(cell): TYPES[kind] for kind in range(PARK + 1) for cell in range(CELLS) if marks[kind] >> cell & 1},
        "duties": duties(box, state, seat),
        "bonus": [TYPES[kind] for kind in range(PARK) if state.bonus[seat] >> kind & 1],
        "rounds": [explain_round(pieces, state, seat, each) for each in scored],
        "avenues": [avenue_points(box, marks, row) for row in range(ROWS)],
        "earning": {TYPES[kind]: points for kind, points in score_parts(box, state, seat, round_row(box, state, seat))},
        "good_parks": [show_cell(cell) for cell in range(CELLS) if parks_that_count(marks) >> cell & 1],
        "parks": state.parks[seat],
        "total": score(box, state, seat),
    }


def round_row(box: Box, state: State, seat: Seat) -> int:
    """The avenue that this round scores, or has scored, for the seat."""
    return state.avenue[seat, state.turn] if state.turn > SETUP and not state.todo[seat] else active_row(box, state)


def explain_round(pieces: Pieces, state: State, seat: Seat, each: int) -> dict[str, Any]:
    return {"avenue": pieces.avenues[state.avenue[seat, each]], "points": state.points[seat, each]}


def score_parts(box: Box, state: State, seat: Seat, row: int) -> list[tuple[int, int]]:
    """What each type of project earns on an avenue: (type, points), those that earn something."""
    if row == ANY_AVENUE:
        return []
    earned = [(kind, printed_under(box, touching(state.marks[seat, kind], box.avenues[row]))) for kind in range(PARK)]
    return [(kind, points) for kind, points in earned if points]


def duties(box: Box, state: State, seat: Seat) -> list[dict[str, Any]]:
    """What the seat still has to do in this round, in words a template can put into a sentence."""
    todo, (a, b) = state.todo[seat], state.dice
    if state.turn == SETUP:
        return [{"do": "setup", "column": face} for bit, face in ((FIRST_DIE, a), (SECOND_DIE, b)) if todo & bit]
    found: list[dict[str, Any]] = []
    if todo & FIRST_DIE:
        found.append({"do": "build", "type": TYPES[box.type_of[a]], "column": b})
    if todo & SECOND_DIE:
        found.append({"do": "build", "type": TYPES[box.type_of[b]], "column": a})
    if todo & A_PARK:
        found.append({"do": "park"})
    if todo & A_BONUS:
        found.append({"do": "bonus"})
    if todo & AN_AVENUE:
        found.append({"do": "avenue"})
    return found
