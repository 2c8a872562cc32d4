"""The view as JSON, for the API and the page; `view_types.py` documents every field.

Mayflower has perfect information, so all seats see the same; only the active seat has a forecast.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from tablee.core.contract import NATURE_NEXT, OVER
from tablee.core.game import Observation
from tablee.core.kernel import sorted_legal_moves
from tablee.games.mayflower import turn
from tablee.games.mayflower.box import KINDS, NONE, Pieces
from tablee.games.mayflower.compass import Cell, column_of, row_of
from tablee.games.mayflower.faces import SPACES
from tablee.games.mayflower.forecast import forecast
from tablee.games.mayflower.land import CACHE_SIZE, Land, explorer_next
from tablee.games.mayflower.notation import show_lay
from tablee.games.mayflower.scoring import score
from tablee.games.mayflower.state import AT_END, BY_LOT, LAY, PHASES, State

TRACK = 50  # M22


def moves_now(pieces: Pieces, state: State) -> list[int]:
    """Return the active player's legal moves."""
    if turn.to_act(pieces.box, state) in (OVER, NATURE_NEXT):
        return []
    return sorted_legal_moves(turn.legal, turn.MOST_MOVES, pieces.box, state, state.active)


def view(pieces: Pieces, seen: Observation[State]) -> dict[str, Any]:
    state, land = seen.state, Land(pieces, seen.state)
    moves = moves_now(pieces, state) if state.phase == LAY or seen.seat == state.active else []
    tiles = _tiles(pieces, state)
    return {
        "phase": PHASES[state.phase],
        "active": state.active if state.phase not in (BY_LOT, AT_END) else None,
        "options": {"rows": state.rows, "order": "automatic" if state.automatic else "chosen"},
        "coast": _coast(pieces),
        "tiles": tiles,
        "drawn": pieces.letters[state.drawn] if state.drawn != NONE else None,
        "last": [tiles[-1]["col"], tiles[-1]["row"]] if tiles else None,
        "places": _places(moves) if state.phase == LAY else {},
        "bag": dict(zip(pieces.letters, state.bag.tolist(), strict=False)),
        "left": state.left,
        "aside": _aside(pieces, state, tiles),
        "explorers": state.explorers.tolist(),
        "explorer_next": explorer_next(state),
        "leaving": land.leaving(),
        "seats": [_seat(pieces, state, seat) for seat in range(state.seats)],
        "settlers": land.settlers(),
        "features": land.features(),
        "forecast": forecast(pieces, state, moves) if seen.seat == state.active else {},
    }


@cache
def _coast(pieces: Pieces) -> list[dict[str, Any]]:
    return [{"row": row, "kind": space.kind, "name": space.name} for row, space in enumerate(pieces.coast.spaces)]


def _tiles(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    laid = slice(SPACES, state.tiles)
    placements = zip(state.place[laid].tolist(), state.design[laid].tolist(), state.turned[laid].tolist(), strict=True)
    return [_tile(order, cell, pieces.letters[design], turned) for order, (cell, design, turned) in enumerate(placements, 1)]


@lru_cache(maxsize=CACHE_SIZE)
def _tile(order: int, cell: Cell, letter: str, turned: int) -> dict[str, Any]:
    """Return a tile's fields; cached, because a laid tile never changes."""
    return {"col": column_of(cell), "row": row_of(cell), "letter": letter, "turns": turned, "order": order}


def _places(moves: list[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for cell, turns in map(show_lay, moves):
        found.setdefault(cell, []).append(turns)
    return found


def _aside(pieces: Pieces, state: State, tiles: list[dict[str, Any]]) -> dict[str, int]:
    """Count the tiles set aside (M5): those neither in the bag, nor on the table, nor in hand."""
    gone = {face.letter: face.count - count for face, count in zip(pieces.faces, state.bag.tolist(), strict=False)}
    for tile in tiles:
        gone[tile["letter"]] -= 1
    if state.drawn != NONE:
        gone[pieces.letters[state.drawn]] -= 1
    return {letter: count for letter, count in gone.items() if count}


def _seat(pieces: Pieces, state: State, seat: int) -> dict[str, Any]:
    points = score(pieces.box, state, seat)
    earned = {kind or "explorer": each for kind, each in zip(KINDS, state.earned[seat], strict=True)}
    return {"seat": seat, "supply": state.supply[seat], "score": points, "track": track(points), "earned": earned}


def track(points: int) -> dict[str, Any]:
    """Return the marker's space on the track: fifty spaces, then from 1 again with the marker lying down (M22)."""
    return {"space": (points - 1) % TRACK + 1 if points else 0, "lying": points > TRACK}
