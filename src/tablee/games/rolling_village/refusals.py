"""Reasons of refused moves: the fault, the cell and the rule."""

from __future__ import annotations

from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import Message, OrList, msg
from tablee.games.rolling_village.box import CELLS, COLUMNS, PARK, TYPE_NAMES, Pieces
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.notation import AVENUE_MOVE, CELL_NAMES, NOTATION, ROLL_MOVE
from tablee.games.rolling_village.state import A_BONUS, AN_AVENUE, BUILDING, SETUP, State


def refuse(pieces: Pieces, state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE:
        return IllegalMove(msg("{move} cannot be rolled", move=NOTATION.show(move)), "V3")
    todo = state.todo[seat]
    if move >= ROLL_MOVE:
        return IllegalMove(msg("players do not roll: the dice are shared"), "V3")
    if move >= AVENUE_MOVE:
        return IllegalMove(msg("finish building before you pick an avenue") if todo & AN_AVENUE else _when_picked(pieces.any_avenue), "V9")
    return _refuse_build(state, seat, move // CELLS, move % CELLS)


def _when_picked(sums: tuple[int, ...]) -> Message:
    if not sums:
        return msg("an avenue is never picked: the dice always name one")
    return msg("an avenue is picked only when the dice add up to {sums}", sums=OrList(sums))


def _refuse_build(state: State, seat: Seat, kind: int, cell: int) -> IllegalMove:
    todo, where, project = state.todo[seat], CELL_NAMES[cell], msg(TYPE_NAMES[kind])
    if not empty_cells(state, seat) >> cell & 1:
        return IllegalMove(msg("{cell} is already taken", cell=where), "V5")
    if state.turn == SETUP:
        if kind == PARK:
            return IllegalMove(msg("no Park during set-up"), "V4")
        if (state.dice[0] - 1) != cell % COLUMNS and (state.dice[1] - 1) != cell % COLUMNS:
            return IllegalMove(msg("{cell} is not in a column that was rolled", cell=where), "V4")
        if state.marks[seat, kind] and not state.free_types:
            return IllegalMove(msg("the first two projects are of different types"), "R1")
        return IllegalMove(msg("that column already has its project"), "V4")
    if todo & BUILDING:
        return IllegalMove(msg("these dice do not put a {project} on {cell}", project=project, cell=where), "V5" if kind != PARK else "V6")
    if todo & A_BONUS:
        return IllegalMove(msg("the bonus is a House, Forest or Lake not yet taken as a bonus"), "V8")
    return IllegalMove(msg("pick an avenue now: everything is built"), "V9")
