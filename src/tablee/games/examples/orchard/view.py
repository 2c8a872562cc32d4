"""The view: a seat's own hand, and everything that lies open; and the fruits, for the templates."""

from __future__ import annotations

from typing import Any

from tablee.core.game import Observation
from tablee.games.examples.orchard.box import CARDS, FRUITS
from tablee.games.examples.orchard.kernel import row_sum
from tablee.games.examples.orchard.state import State


def view(seen: Observation[State]) -> dict[str, Any]:
    state = seen.state
    return {
        "active": state.active,
        "left": state.left,
        "held": list(state.held)[: state.seats],
        "hand": [] if seen.seat is None else CARDS.listed(state.hand[seen.seat]),
        "rows": [CARDS.listed(state.row[seat]) for seat in range(state.seats)],
        "sums": [[row_sum(state, seat, suit) for suit in range(len(FRUITS))] for seat in range(state.seats)],
        "sold": CARDS.listed(state.sold),
    }


def scene(view: dict[str, Any]) -> dict[str, Any]:
    return {"title": CARDS.title, "fruits": list(FRUITS)}
