"""What the table is told of a move."""

from __future__ import annotations

from dice_race.box import Pieces
from dice_race.notation import ROLL
from dice_race.state import State
from tablee.core.game import Event, Move, Seat
from tablee.core.i18n import say


def events(pieces: Pieces, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    if move > ROLL:
        return (Event("roll", say("The die shows {face}", face=after.die)),)
    space, brief = after.at[seat, move], say("Runner {runner}", runner=move + 1)
    if space < before.at[seat, move] + before.die and space < pieces.box.length:
        return (Event("slip", say("slips with runner {runner} back to space {space}", runner=move + 1, space=space), seat, brief=brief),)
    return (Event("run", say("runs with runner {runner} to space {space}", runner=move + 1, space=space), seat, brief=brief),)
