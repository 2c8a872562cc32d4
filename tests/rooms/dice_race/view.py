"""The view: a seat's knowledge as JSON, for the API and the page."""

from __future__ import annotations

from typing import Any

from dice_race.box import RUNNERS, Pieces
from dice_race.state import State
from tablee.core.game import Observation


def view(pieces: Pieces, seen: Observation[State]) -> dict[str, Any]:
    state, box = seen.state, pieces.box
    return {
        "length": box.length,
        "puddles": [space for space in range(box.length) if box.puddle[space]],
        "active": state.active,
        "die": state.die or None,
        "runners": [[state.at[seat, runner] for runner in range(RUNNERS)] for seat in range(state.seats)],
    }
