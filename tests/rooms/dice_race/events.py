"""Events of a move for the log."""

from __future__ import annotations

from dice_race.box import Pieces
from dice_race.notation import ROLL
from dice_race.state import State
from tablee.core.game import Event, Move, Seat
from tablee.core.i18n import msg


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    if move > ROLL:
        return (Event("roll", msg("The die shows {face}", face=after.die)),)
    space, brief = after.at[seat, move], msg("Runner {runner}", runner=move + 1)
    if space < before.at[seat, move] + before.die and space < pieces.box.length:
        return (Event("slip", msg("slips with runner {runner} back to space {space}", runner=move + 1, space=space), seat, brief=brief),)
    return (Event("run", msg("runs with runner {runner} to space {space}", runner=move + 1, space=space), seat, brief=brief),)
