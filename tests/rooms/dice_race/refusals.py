"""Reasons of refused moves."""

from __future__ import annotations

from dice_race.notation import ROLL
from dice_race.state import State
from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import msg


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    if seat == NATURE or move > ROLL:
        return IllegalMove(msg("the die is thrown by nobody"), "D2")
    return IllegalMove(msg("runner {runner} is at the finish already", runner=move + 1), "D2")
