"""Events of a move for the log: the roll, the project drawn, the round's score with its parts, and the parks at the end."""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.i18n import Message, mark, msg
from tablee.games.rolling_village.box import CELLS, PARK, TYPE_NAMES, Pieces
from tablee.games.rolling_village.notation import AVENUE_MOVE, CELL_NAMES, ROLL_MOVE, ROW_LETTERS
from tablee.games.rolling_village.scoring import parks_that_count
from tablee.games.rolling_village.state import SETUP, State
from tablee.games.rolling_village.view import score_parts

BUILD_MESSAGES = (
    mark("draws a House on {cell}"),
    mark("draws a Forest on {cell}"),
    mark("draws a Lake on {cell}"),
    mark("draws a Park on {cell}"),
)

BUILD_INFINITIVES = (
    mark("draw a House on {cell}"),
    mark("draw a Forest on {cell}"),
    mark("draw a Lake on {cell}"),
    mark("draw a Park on {cell}"),
)


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    """Return the events of a move that leads from the state `before` to the state `after`."""
    if move >= ROLL_MOVE:
        return (Event("roll", msg("The dice show {a} and {b}", a=after.dice[0], b=after.dice[1])),)
    found = [_build_event(seat, move // CELLS, CELL_NAMES[move % CELLS])] if move < AVENUE_MOVE else []
    if before.todo[seat] and not after.todo[seat] and after.turn > SETUP:
        found.append(_score_event(pieces, after, seat))
        found += [_parks_event(after, seat)] if after.turn == pieces.box.rounds else []
    return tuple(found)


def infinitive(pieces: Pieces, state: State, seat: Seat, move: Move) -> Message:
    """Return the move as an infinitive for the coach: "draw a Lake on 1E"."""
    if move >= AVENUE_MOVE:
        return msg("choose avenue [{avenue}]", avenue=pieces.avenues[move - AVENUE_MOVE])
    return msg(BUILD_INFINITIVES[move // CELLS], cell=CELL_NAMES[move % CELLS])


def _build_event(seat: Seat, kind: int, cell: str) -> Event:
    drawn = BUILD_MESSAGES[kind]
    return Event("build", msg(drawn, cell=cell), seat, place=cell, brief=msg(TYPE_NAMES[kind]))


def _score_event(pieces: Pieces, state: State, seat: Seat) -> Event:
    row, points = state.avenue[seat, state.turn], state.points[seat, state.turn]
    parts = tuple((msg(TYPE_NAMES[kind]), points) for kind, points in score_parts(pieces.box, state.marks[seat], row))
    avenue = pieces.avenues[row]
    return Event(
        "score", avenue_message(avenue, points), seat, points, parts, ROW_LETTERS[row], brief=msg("avenue [{avenue}]", avenue=avenue)
    )


def avenue_message(avenue: str, points: int) -> Message:
    """Return the score of an avenue as a predicate, to follow the player's name."""
    if not points:
        return msg("scores nothing on avenue [{avenue}]", avenue=avenue)
    return msg("scores {count} point on avenue [{avenue}]", "scores {count} points on avenue [{avenue}]", avenue=avenue, count=points)


def _parks_event(state: State, seat: Seat) -> Event:
    """Return the event of the parks in the final scoring, with the cells of those that count (V10)."""
    points, counting = state.parks[seat], parks_that_count(state.marks[seat])
    places = tuple(CELL_NAMES[cell] for cell in range(CELLS) if counting >> cell & 1)
    parts = ((msg(TYPE_NAMES[PARK]), points),) if points else ()
    return Event("final", _parks_message(points, places), seat, points, parts, " ".join(places), brief=msg("Parks"))


def _parks_message(points: int, places: tuple[str, ...]) -> Message:
    if not places:
        return msg("has no Park beside a House, a Forest and a Lake")
    return msg(
        "scores {points} with the Park on {places}, beside a House, a Forest and a Lake",
        "scores {points} with the Parks on {places}, each beside a House, a Forest and a Lake",
        count=len(places),
        points=msg("{count} point", "{count} points", count=points),
        places=places,
    )
