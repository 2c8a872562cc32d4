"""The track as text, for the terminal."""

from __future__ import annotations

from dice_race.box import RUNNERS, Pieces
from dice_race.state import State


def render(pieces: Pieces, state: State) -> str:
    track = ["~" if pieces.box.puddle[space] else "." for space in range(pieces.box.length + 1)]
    rows = [f"die {state.die or '-'}"]
    for seat in range(state.seats):
        for runner in range(RUNNERS):
            rows.append("".join(str(runner + 1) if space == state.at[seat, runner] else sign for space, sign in enumerate(track)))
    return "\n".join(rows)
