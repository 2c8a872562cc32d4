"""What a seat may know. Sheets lie open on the table, so everybody sees everything; the future is not in the state at all."""

from __future__ import annotations

import random
from typing import Any

from tablee.core.game import Seat, Seen
from tablee.core.rule import numbers
from tablee.games.rolling_village import turn
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, COLUMNS, PARK, ROWS, TYPES, Box
from tablee.games.rolling_village.notation import AVENUE_MOVE, show, show_cell
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count, printed_under, touching
from tablee.games.rolling_village.state import A_BONUS, A_PARK, AN_AVENUE, BUILDING, FIRST_DIE, SECOND_DIE, SETUP, State

AVENUE_NAMES = ("3-4", "5-6", "7", "8-9", "10-11")


def observe(state: State, seat: Seat | None) -> Seen:
    return Seen(seat, state.copy())


def imagine(seen: Seen, rng: random.Random) -> State:
    state: State = seen.state.copy()
    return state


def legal_moves(box: Box, state: State, seat: Seat) -> list[int]:
    out = numbers(turn.MOST_MOVES)
    return [int(move) for move in out[: turn.legal(box, state, int(seat), out)]]


def active_row(box: Box, state: State) -> int:
    """The avenue that the dice of this round name; ANY_AVENUE on 2 and 12, and before round 1."""
    return int(box.avenue_of[state.dice[0] + state.dice[1]]) if state.turn > SETUP else ANY_AVENUE


def view(box: Box, seen: Seen) -> dict[str, Any]:
    state: State = seen.state
    row = active_row(box, state)
    return {
        "round": max(0, int(state.turn)),
        "rounds": int(box.rounds),
        "setup": bool(state.turn == SETUP),
        "over": bool(turn.is_over(box, state)),
        "dice": [int(die) for die in state.dice] if state.turn >= SETUP else None,
        "avenue": AVENUE_NAMES[row] if row != ANY_AVENUE else None,
        "printed": [[int(points) for points in box.printed[start : start + COLUMNS]] for start in range(0, CELLS, COLUMNS)],
        "legend": {face: TYPES[box.type_of[face]] for face in range(1, 7)},
        "bonus_rounds": [each for each in range(1, int(box.rounds) + 1) if box.is_bonus[each]],
        "park_points": int(box.park_points),
        "solo_target": int(box.solo_target),
        "sheets": [sheet(box, state, Seat(seat)) for seat in range(state.seats)],
        "forecast": forecast(box, state, seen.seat) if seen.seat is not None else {},
    }


def sheet(box: Box, state: State, seat: Seat) -> dict[str, Any]:
    marks = state.marks[seat]
    scored = range(1, state.turn + (0 if state.todo[seat] else 1))
    return {
        "cells": {show_cell(cell): TYPES[kind] for kind in range(PARK + 1) for cell in range(CELLS) if marks[kind] >> cell & 1},
        "duties": duties(box, state, seat),
        "bonus": [TYPES[kind] for kind in range(PARK) if state.bonus[seat] >> kind & 1],
        "rounds": [explain_round(box, state, seat, each) for each in scored],
        "avenues": [int(avenue_points(box, marks, row)) for row in range(ROWS)],
        "earning": {TYPES[kind]: points for kind, points in score_parts(box, state, seat, round_row(box, state, seat))},
        "good_parks": [show_cell(cell) for cell in range(CELLS) if int(parks_that_count(marks)) >> cell & 1],
        "parks": int(state.parks[seat]),
        "total": total(state, seat),
    }


def round_row(box: Box, state: State, seat: Seat) -> int:
    """The avenue that this round scores, or has scored, for the seat."""
    return int(state.avenue[seat, state.turn]) if state.turn > SETUP and not state.todo[seat] else active_row(box, state)


def total(state: State, seat: int) -> int:
    return int(state.points[seat].sum() + state.parks[seat])


def explain_round(box: Box, state: State, seat: Seat, each: int) -> dict[str, Any]:
    return {"avenue": AVENUE_NAMES[state.avenue[seat, each]], "points": int(state.points[seat, each])}


def score_parts(box: Box, state: State, seat: Seat, row: int) -> list[tuple[int, int]]:
    """What each type of project earns on an avenue: (type, points), those that earn something."""
    if row == ANY_AVENUE:
        return []
    earned = [(kind, int(printed_under(box, touching(state.marks[seat, kind], box.avenues[row])))) for kind in range(PARK)]
    return [(kind, points) for kind, points in earned if points]


def duties(box: Box, state: State, seat: Seat) -> list[dict[str, Any]]:
    """What the seat still has to do in this round, in words a template can put into a sentence."""
    todo, (a, b) = int(state.todo[seat]), (int(die) for die in state.dice)
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


def forecast(box: Box, state: State, seat: Seat) -> dict[str, int]:
    """For each legal move, what it adds to the active avenue (to the best one when any may be picked), or what an avenue would score."""
    if not state.todo[seat]:
        return {}
    before = worth_now(box, state, seat)
    return {show(move): _gain(box, state, seat, move, before) for move in legal_moves(box, state, seat)}


def _gain(box: Box, state: State, seat: Seat, move: int, before: int) -> int:
    if move >= AVENUE_MOVE:
        return int(avenue_points(box, state.marks[seat], move - AVENUE_MOVE))
    after = state.copy()
    after.marks[seat, move // CELLS] |= 1 << (move % CELLS)
    return worth_now(box, after, seat) - before


def worth_now(box: Box, state: State, seat: Seat) -> int:
    """What this round would score if it ended here."""
    if state.turn == SETUP:
        return 0
    row = active_row(box, state)
    rows = range(ROWS) if row == ANY_AVENUE else [row]
    return max(int(avenue_points(box, state.marks[seat], each)) for each in rows)


def appraise(box: Box, state: State, seat: Seat) -> float:
    """For the greedy bot: points scored, this round's points as the sheet stands, and what the sheet promises for the rounds to come."""
    marks = state.marks[seat]
    now = worth_now(box, state, seat) if state.todo[seat] else 0
    promise = sum(WAYS[row] * int(avenue_points(box, marks, row)) for row in range(ROWS)) / 36
    parks = int(box.park_points) * bin(int(parks_that_count(marks))).count("1") if state.turn < box.rounds or state.todo[seat] else 0
    rounds_left = int(box.rounds) - max(0, state.turn)
    unfinished = bin(int(state.todo[seat]) & BUILDING).count("1")
    return total(state, seat) + now + 0.9 * promise * rounds_left + parks - 0.01 * unfinished


WAYS = (5, 9, 6, 9, 5)  # of 36 rolls, how many name each avenue; 2 and 12 name any
