"""What the table is told of a move, and what a player hears whose move is refused."""

from __future__ import annotations

from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.words import say
from tablee.games.rolling_village.box import CELLS, COLUMNS, PARK, TYPE_NAMES, Box
from tablee.games.rolling_village.building import empty_cells
from tablee.games.rolling_village.notation import AVENUE_MOVE, ROLL_MOVE, ROWS_NAMED, show, show_cell
from tablee.games.rolling_village.sight import AVENUE_NAMES, score_parts
from tablee.games.rolling_village.state import A_BONUS, AN_AVENUE, BUILDING, SETUP, State


def events(box: Box, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    if move >= ROLL_MOVE:
        return (Event("roll", say("The dice show {a} and {b}", a=int(after.dice[0]), b=int(after.dice[1]))),)
    told = []
    if move < AVENUE_MOVE:
        project = say(TYPE_NAMES[move // CELLS])
        told.append(
            Event("build", say("{project} on {cell}", project=project, cell=show_cell(move % CELLS)), seat, place=show_cell(move % CELLS))
        )
    if before.todo[seat] and not after.todo[seat] and after.turn > SETUP:
        told += _scored(box, after, seat)
    return tuple(told)


def _scored(box: Box, state: State, seat: Seat) -> list[Event]:
    row = int(state.avenue[seat, state.turn])
    parts = tuple((say(TYPE_NAMES[kind]), points) for kind, points in score_parts(box, state, seat, row))
    points = int(state.points[seat, state.turn])
    told = [
        Event(
            "score", say("Avenue [{avenue}] scores {points}", avenue=AVENUE_NAMES[row], points=points), seat, points, parts, ROWS_NAMED[row]
        )
    ]
    if state.parks[seat]:
        parks = int(state.parks[seat])
        told.append(Event("score", say("Parks score {points}", points=parks), seat, parks, ((say(TYPE_NAMES[PARK]), parks),)))
    return told


def refuse(box: Box, state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE:
        return IllegalMove(say("{move} cannot be rolled", move=show(move)), "V3")
    todo = int(state.todo[seat])
    if move >= ROLL_MOVE:
        return IllegalMove(say("players do not roll: the dice are shared"), "V3")
    if move >= AVENUE_MOVE:
        reason = (
            say("finish building before you pick an avenue")
            if todo & AN_AVENUE
            else say("an avenue is picked only when the dice add up to 2 or 12")
        )
        return IllegalMove(reason, "V9")
    return _refuse_build(box, state, seat, move // CELLS, move % CELLS)


def _refuse_build(box: Box, state: State, seat: Seat, kind: int, cell: int) -> IllegalMove:
    todo, where, project = int(state.todo[seat]), show_cell(cell), say(TYPE_NAMES[kind])
    if not empty_cells(state, int(seat)) >> cell & 1:
        return IllegalMove(say("{cell} is already taken", cell=where), "V5")
    if state.turn == SETUP:
        if kind == PARK:
            return IllegalMove(say("no Park during set-up"), "V4")
        if (int(state.dice[0]) - 1) != cell % COLUMNS and (int(state.dice[1]) - 1) != cell % COLUMNS:
            return IllegalMove(say("{cell} is not in a column that was rolled", cell=where), "V4")
        if state.marks[seat, kind] and not state.free_types:
            return IllegalMove(say("the two first projects are of different types"), "R1")
        return IllegalMove(say("that column already has its project"), "V4")
    if todo & BUILDING:
        return IllegalMove(say("these dice do not put a {project} on {cell}", project=project, cell=where), "V5" if kind != PARK else "V6")
    if todo & A_BONUS:
        return IllegalMove(say("the bonus is a House, Forest or Lake not yet taken as a bonus"), "V8")
    return IllegalMove(say("pick an avenue now: everything is built"), "V9")
