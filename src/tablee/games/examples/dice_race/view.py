"""The view: a seat's knowledge as JSON, for the API and the page; and the track in characters, for the terminal."""

from __future__ import annotations

from typing import Any

from tablee.core.game import Observation
from tablee.core.tracks import draw_track
from tablee.games.examples.dice_race.box import RUNNERS, Box
from tablee.games.examples.dice_race.kernel import State


def view(box: Box, seen: Observation[State]) -> dict[str, Any]:
    state = seen.state
    return {
        "length": box.length,
        "puddles": puddles(box),
        "active": state.active,
        "die": state.die or None,
        "runners": [list(state.at[seat]) for seat in range(state.seats)],
    }


def puddles(box: Box) -> list[int]:
    return [space for space in range(box.length) if box.puddle[space]]


def draw(box: Box, state: State) -> str:
    pawns = [{state.at[seat, runner]: str(runner + 1)} for seat in range(state.seats) for runner in range(RUNNERS)]
    return "\n".join([f"die {state.die or '-'}", *draw_track(box.length + 1, pawns, dict.fromkeys(puddles(box), "~"))])
