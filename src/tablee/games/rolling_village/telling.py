"""What the table is told of a move: what was rolled and built, and what a round scored and why."""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.words import say
from tablee.games.rolling_village.box import CELLS, PARK, TYPE_NAMES, Pieces
from tablee.games.rolling_village.notation import AVENUE_MOVE, ROLL_MOVE, ROWS_NAMED, show_cell
from tablee.games.rolling_village.state import SETUP, State
from tablee.games.rolling_village.view import score_parts


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    if move >= ROLL_MOVE:
        return (Event("roll", say("The dice show {a} and {b}", a=after.dice[0], b=after.dice[1])),)
    told = []
    if move < AVENUE_MOVE:
        project = say(TYPE_NAMES[move // CELLS])
        told.append(
            Event("build", say("{project} on {cell}", project=project, cell=show_cell(move % CELLS)), seat, place=show_cell(move % CELLS))
        )
    if before.todo[seat] and not after.todo[seat] and after.turn > SETUP:
        told += _scored(pieces, after, seat)
    return tuple(told)


def _scored(pieces: Pieces, state: State, seat: Seat) -> list[Event]:
    row = state.avenue[seat, state.turn]
    parts = tuple((say(TYPE_NAMES[kind]), points) for kind, points in score_parts(pieces.box, state, seat, row))
    points = state.points[seat, state.turn]
    told = [
        Event(
            "score",
            say("Avenue [{avenue}] scores {points}", avenue=pieces.avenues[row], points=points),
            seat,
            points,
            parts,
            ROWS_NAMED[row],
        )
    ]
    if state.parks[seat]:
        parks = state.parks[seat]
        told.append(Event("score", say("Parks score {points}", points=parks), seat, parks, ((say(TYPE_NAMES[PARK]), parks),)))
    return told
