"""What a player hears whose move is refused: what, where, and which rule."""

from __future__ import annotations

from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import Either, Say, say
from tablee.games.rolling_village.box import CELLS, COLUMNS, PARK, TYPE_NAMES, Pieces
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.notation import AVENUE_MOVE, NOTATION, ROLL_MOVE, show_cell
from tablee.games.rolling_village.state import A_BONUS, AN_AVENUE, BUILDING, SETUP, State


def refuse(pieces: Pieces, state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE:
        return IllegalMove(say("{move} cannot be rolled", move=NOTATION.show(move)), "V3")
    todo = state.todo[seat]
    if move >= ROLL_MOVE:
        return IllegalMove(say("players do not roll: the dice are shared"), "V3")
    if move >= AVENUE_MOVE:
        return IllegalMove(say("finish building before you pick an avenue") if todo & AN_AVENUE else _when_picked(pieces.any_avenue), "V9")
    return _refuse_build(state, seat, move // CELLS, move % CELLS)


def _when_picked(sums: tuple[int, ...]) -> Say:
    if not sums:
        return say("an avenue is never picked: the dice always name one")
    return say("an avenue is picked only when the dice add up to {sums}", sums=Either(sums))


def _refuse_build(state: State, seat: Seat, kind: int, cell: int) -> IllegalMove:
    todo, where, project = state.todo[seat], show_cell(cell), say(TYPE_NAMES[kind])
    if not empty_cells(state, seat) >> cell & 1:
        return IllegalMove(say("{cell} is already taken", cell=where), "V5")
    if state.turn == SETUP:
        if kind == PARK:
            return IllegalMove(say("no Park during set-up"), "V4")
        if (state.dice[0] - 1) != cell % COLUMNS and (state.dice[1] - 1) != cell % COLUMNS:
            return IllegalMove(say("{cell} is not in a column that was rolled", cell=where), "V4")
        if state.marks[seat, kind] and not state.free_types:
            return IllegalMove(say("the first two projects are of different types"), "R1")
        return IllegalMove(say("that column already has its project"), "V4")
    if todo & BUILDING:
        return IllegalMove(say("these dice do not put a {project} on {cell}", project=project, cell=where), "V5" if kind != PARK else "V6")
    if todo & A_BONUS:
        return IllegalMove(say("the bonus is a House, Forest or Lake not yet taken as a bonus"), "V8")
    return IllegalMove(say("pick an avenue now: everything is built"), "V9")
