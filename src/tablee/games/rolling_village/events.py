"""What the table is told of a move: what was rolled and drawn, what a round scored and why, and the parks at the end."""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.i18n import Say, note, say
from tablee.games.rolling_village.box import CELLS, PARK, TYPE_NAMES, Pieces
from tablee.games.rolling_village.notation import AVENUE_MOVE, ROLL_MOVE, ROWS_NAMED, show_cell
from tablee.games.rolling_village.scoring import parks_that_count
from tablee.games.rolling_village.state import SETUP, State
from tablee.games.rolling_village.view import score_parts

DRAWS = (note("draws a House on {cell}"), note("draws a Forest on {cell}"), note("draws a Lake on {cell}"), note("draws a Park on {cell}"))

DRAW = (note("draw a House on {cell}"), note("draw a Forest on {cell}"), note("draw a Lake on {cell}"), note("draw a Park on {cell}"))


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """`before` and `after` are the states around the move."""
    if move >= ROLL_MOVE:
        return (Event("roll", say("The dice show {a} and {b}", a=after.dice[0], b=after.dice[1])),)
    told = [_drawn(seat, move // CELLS, show_cell(move % CELLS))] if move < AVENUE_MOVE else []
    if before.todo[seat] and not after.todo[seat] and after.turn > SETUP:
        told.append(_scored(pieces, after, seat))
        told += [_parks(after, seat)] if after.turn == pieces.box.rounds else []
    return tuple(told)


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Say:
    """What a seat may do, as a coach would say it: "draw a Lake on 1E"."""
    if move >= AVENUE_MOVE:
        return say("choose avenue [{avenue}]", avenue=pieces.avenues[move - AVENUE_MOVE])
    return say(DRAW[move // CELLS], cell=show_cell(move % CELLS))


def _drawn(seat: Seat, kind: int, cell: str) -> Event:
    drawn = DRAWS[kind]
    return Event("build", say(drawn, cell=cell), seat, place=cell, brief=say(TYPE_NAMES[kind]))


def _scored(pieces: Pieces, state: State, seat: Seat) -> Event:
    row, points = state.avenue[seat, state.turn], state.points[seat, state.turn]
    parts = tuple((say(TYPE_NAMES[kind]), points) for kind, points in score_parts(pieces.box, state.marks[seat], row))
    avenue = pieces.avenues[row]
    return Event("score", scores_on(avenue, points), seat, points, parts, ROWS_NAMED[row], brief=say("avenue [{avenue}]", avenue=avenue))


def scores_on(avenue: str, points: int) -> Say:
    """What an avenue gives, for behind a player's name."""
    if not points:
        return say("scores nothing on avenue [{avenue}]", avenue=avenue)
    return say("scores {count} point on avenue [{avenue}]", "scores {count} points on avenue [{avenue}]", avenue=avenue, count=points)


def _parks(state: State, seat: Seat) -> Event:
    """V10: a step of the final scoring, with the places of the parks that count."""
    points, counting = state.parks[seat], parks_that_count(state.marks[seat])
    places = tuple(show_cell(cell) for cell in range(CELLS) if counting >> cell & 1)
    parts = ((say(TYPE_NAMES[PARK]), points),) if points else ()
    return Event("final", _with_parks(points, places), seat, points, parts, " ".join(places), brief=say("Parks"))


def _with_parks(points: int, places: tuple[str, ...]) -> Say:
    if not places:
        return say("has no Park beside a House, a Forest and a Lake")
    return say(
        "scores {points} with the Park on {places}, beside a House, a Forest and a Lake",
        "scores {points} with the Parks on {places}, each beside a House, a Forest and a Lake",
        count=len(places),
        points=say("{count} point", "{count} points", count=points),
        places=places,
    )
