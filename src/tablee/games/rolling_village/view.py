"""The view: a seat's knowledge as JSON, for the API and the page; sheets are open, so all seats see the same."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from tablee.core.contract import OVER
from tablee.core.game import NATURE, Observation
from tablee.core.struct import Array, fill, int_array
from tablee.games.rolling_village import turn
from tablee.games.rolling_village.box import ANY_AVENUE, CELLS, COLUMNS, PARK, ROWS, TYPES, Box, Pieces
from tablee.games.rolling_village.forecast import forecast
from tablee.games.rolling_village.notation import CELL_NAMES, ROLL_MOVE
from tablee.games.rolling_village.scoring import avenue_points, park_points, parks_that_count, printed_under, touching
from tablee.games.rolling_village.state import A_BONUS, A_PARK, AN_AVENUE, FIRST_DIE, SECOND_DIE, SETUP, State

CACHED_SHEETS = 1 << 12
CACHED_POSITIONS = 64


def view(pieces: Pieces, seen: Observation[State]) -> dict[str, Any]:
    """Return the view; `avenues` names rows A to E by the sums that score them, `avenue` that of this round (None if any may be picked)."""
    box, state = pieces.box, seen.state
    return {**shared_view(pieces, state.tobytes()), "forecast": forecast(box, state, seen.seat) if seen.seat is not None else {}}


@lru_cache(maxsize=CACHED_POSITIONS)
def shared_view(pieces: Pieces, position: bytes) -> dict[str, Any]:
    """Return the part of the view that is the same for all seats, cached by position."""
    box, state = pieces.box, State.from_bytes(position)
    row = active_row(box, state.turn, tuple(state.dice))
    return {
        "round": max(0, state.turn),
        "rounds": box.rounds,
        "setup": state.turn == SETUP,
        "over": turn.to_act(box, state) == OVER,
        "dice": state.dice.tolist() if state.turn >= SETUP else None,
        "tasks": tasks(box, state),
        "avenue": pieces.avenues[row] if row != ANY_AVENUE else None,
        **printed(pieces),
        "sheets": [sheet(pieces, key) for key in sheet_keys(state)],
    }


@cache
def printed(pieces: Pieces) -> dict[str, Any]:
    """Return what is printed on every sheet."""
    box = pieces.box
    return {
        "avenues": list(pieces.avenues),
        "printed": [list(box.printed[start : start + COLUMNS]) for start in range(0, CELLS, COLUMNS)],
        "legend": {face: TYPES[box.type_of[face]] for face in range(1, 7)},
        "bonus_rounds": [each for each in range(1, box.rounds + 1) if box.is_bonus[each]],
        "park_points": box.park_points,
        "solo_target": box.solo_target,
    }


def tasks(box: Box, state: State) -> list[dict[str, Any]]:
    """Return what the dice of this round ask of every seat, each with its die, or None where no die asks; nothing before the first roll.

    The rule itself says it: the same dice are rolled on an empty sheet.
    """
    if state.turn < SETUP:
        return []
    first, second = state.dice.tolist()
    fresh = State()
    fresh.seats, fresh.turn = 1, state.turn - 1
    turn.apply(box, fresh, NATURE, ROLL_MOVE + 6 * (first - 1) + second - 1)
    (key,) = sheet_keys(fresh)
    dice = {FIRST_DIE: first, SECOND_DIE: second, A_PARK: second}
    asked = [dice.get(bit) for bit in (FIRST_DIE, SECOND_DIE, A_PARK, A_BONUS, AN_AVENUE) if key.todo & bit]
    return [duty | {"die": die} for duty, die in zip(duties(box, key), asked, strict=True)]


def active_row(box: Box, turn: int, dice: tuple[int, ...]) -> int:
    """Return the avenue that the dice of this round name; ANY_AVENUE if they let the players pick, and before round 1."""
    return box.avenue_of[sum(dice)] if turn > SETUP else ANY_AVENUE


class SheetKey(NamedTuple):
    """Cache key of a seat's sheet: everything that its view depends on."""

    turn: int
    dice: tuple[int, ...]
    todo: int
    bonus: int
    parks: int
    marks: tuple[int, ...]
    avenue: tuple[int, ...]
    points: tuple[int, ...]


def sheet_keys(state: State) -> list[SheetKey]:
    numbers_of = zip(state.todo, state.bonus, state.parks, strict=True)
    rows = zip(state.marks, state.avenue, state.points, strict=True)
    now, dice = state.turn, tuple(state.dice)
    each = zip(range(state.seats), numbers_of, rows, strict=False)
    return [SheetKey(now, dice, *own, tuple(marks), tuple(avenue), tuple(points)) for _, own, (marks, avenue, points) in each]


@lru_cache(maxsize=CACHED_SHEETS)
def sheet(pieces: Pieces, key: SheetKey) -> dict[str, Any]:
    box, marks = pieces.box, int_array(len(TYPES))
    fill(marks, key.marks)
    good_parks = parks_that_count(marks)
    return {
        "cells": {cell: TYPES[kind] for kind in range(PARK + 1) for cell in cells_in(key.marks[kind])},
        "duties": duties(box, key),
        "bonus": [TYPES[kind] for kind in range(PARK) if key.bonus >> kind & 1],
        "rounds": [
            {"avenue": pieces.avenues[key.avenue[each]], "points": key.points[each]} for each in range(1, key.turn + (0 if key.todo else 1))
        ],
        "avenues": [avenue_points(box, marks, row) for row in range(ROWS)],
        "earning": {TYPES[kind]: points for kind, points in score_parts(box, marks, round_row(box, key))},
        "counted": counted_cells(box, marks, round_row(box, key)),
        "good_parks": cells_in(good_parks),
        "parks": key.parks,
        "park_points": park_points(box, marks),
        "total": key.parks + sum(key.points),
    }


def cells_in(bits: int) -> list[str]:
    return [name for cell, name in enumerate(CELL_NAMES) if bits >> cell & 1]


def round_row(box: Box, key: SheetKey) -> int:
    """Return the avenue that this round scores, or has scored, for the seat."""
    return key.avenue[key.turn] if key.turn > SETUP and not key.todo else active_row(box, key.turn, key.dice)


def score_parts(box: Box, marks: Array, row: int) -> list[tuple[int, int]]:
    """Return (type, points) for each type of project that scores on an avenue."""
    if row == ANY_AVENUE:
        return []
    earned = [(kind, printed_under(box, touching(marks[kind], box.avenues[row]))) for kind in range(PARK)]
    return [(kind, points) for kind, points in earned if points]


def counted_cells(box: Box, marks: Array, row: int) -> list[str]:
    """Return the cells of the groups that score on an avenue (V9)."""
    if row == ANY_AVENUE:
        return []
    return [cell for kind in range(PARK) for cell in cells_in(touching(marks[kind], box.avenues[row]))]


def duties(box: Box, key: SheetKey) -> list[dict[str, Any]]:
    """Return the seat's open duties of this round, for the templates to word."""
    todo, (a, b) = key.todo, key.dice
    if key.turn == SETUP:
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
