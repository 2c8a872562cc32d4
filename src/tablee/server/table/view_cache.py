"""Cache of a table's views: a position as a seat may see it, with the scene derived from it, computed once for equal viewers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablee.core.game import Game, Seat
from tablee.core.match import Match

CACHE_SIZE = 24  # pairs of position and viewer


@dataclass(frozen=True)
class PositionView:
    view: dict[str, Any]
    scene: Any


class ViewCache:
    """LRU cache of views. Where nothing is secret, a seat that is not to act sees what a spectator sees (a law of every room)."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._scores_of_state: tuple[Any, Sequence[int]] = (None, ())  # of the last requested state
        self._scores_by_lines: tuple[int, Sequence[int]] = (-1, ())  # number of lines, scores after them
        self._cache: OrderedDict[tuple[bytes, Seat | None, bool], PositionView] = OrderedDict()

    def scores(self, state: Any) -> Sequence[int]:
        """Return all scores of the state, computed once."""
        if self._scores_of_state[0] is not state:
            self._scores_of_state = state, self._game.scores(state)
        return self._scores_of_state[1]

    def scores_after(self, match: Match, lines: int) -> Sequence[int]:
        """Return all scores after `lines` lines, the last of them nature's: draws are never undone, so the result can be cached."""
        if self._scores_by_lines[0] != lines:
            self._scores_by_lines = lines, self._game.scores(match.at(lines).state)
        return self._scores_by_lines[1]

    def get(self, state: Any, viewer: Seat | None, may_choose: bool = True) -> PositionView:
        """Return the view; `may_choose` is whether the viewer may act, which is false in a replay."""
        game = self._game
        if not game.secrets and (not may_choose or viewer not in game.to_act(state)):
            viewer = None
        key = (state.tobytes(), viewer, may_choose)
        found = self._cache.get(key)
        if found is None:
            view = game.view(game.observe(state, viewer))
            if not may_choose and "forecast" in view:
                view = view | {"forecast": {}}
            found = self._cache[key] = PositionView(view, game.scene(view))
            if len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(key)
        return found
