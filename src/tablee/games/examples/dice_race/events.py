"""Events of a move for the log: the die, and how far a runner came."""

from __future__ import annotations

from tablee.core.game import Event, Move, Seat
from tablee.core.i18n import msg
from tablee.games.examples.dice_race.box import Box
from tablee.games.examples.dice_race.kernel import State
from tablee.games.examples.dice_race.notation import ROLL


def events(box: Box, before: State, seat: Seat, move: Move, after: State) -> tuple[Event, ...]:
    if move > ROLL:
        return (Event("roll", msg("The die shows {face}", face=after.die)),)
    space, brief = after.at[seat, move], msg("Runner {runner}", runner=move + 1)
    if space < before.at[seat, move] + before.die and space < box.length:
        return (Event("slip", msg("slips with runner {runner} back to space {space}", runner=move + 1, space=space), seat, brief=brief),)
    return (Event("run", msg("runs with runner {runner} to space {space}", runner=move + 1, space=space), seat, brief=brief),)
