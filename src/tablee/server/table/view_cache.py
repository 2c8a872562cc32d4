"""A position as a seat may see it, for the templates: the room's view and what the page derives from it, made once for all who see the
same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablee.core.game import Game, Seat
from tablee.core.match import Match

REMEMBERED = 24  # positions and eyes


@dataclass(frozen=True)
class Look:
    view: dict[str, Any]
    scene: Any


class Looks:
    """Where nothing is secret, whoever is not awaited sees what a spectator sees (a law of every room)."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._points: tuple[Any, Sequence[int]] = (None, ())  # of the position that was asked for last
        self._scores: tuple[int, Sequence[int]] = (-1, ())  # after so many lines
        self._kept: OrderedDict[tuple[bytes, Seat | None, bool], Look] = OrderedDict()

    def scores(self, state: Any) -> Sequence[int]:
        """Everybody's points, worked out once for all who look."""
        if self._points[0] is not state:
            self._points = state, self._game.scores(state)
        return self._points[1]

    def scores_after(self, match: Match, lines: int) -> Sequence[int]:
        """Everybody's points after so many lines, of which the last is nature's: what it drew is never taken back, so they stay."""
        if self._scores[0] != lines:
            self._scores = lines, self._game.scores(match.at(lines).state)
        return self._scores[1]

    def of(self, state: Any, eye: Seat | None, offered: bool = True) -> Look:
        """`offered` is whether this eye may choose; who looks back is offered nothing."""
        game = self._game
        if not game.secrets and (not offered or eye not in game.to_act(state)):
            eye = None
        key = (state.tobytes(), eye, offered)
        found = self._kept.get(key)
        if found is None:
            view = game.view(game.observe(state, eye))
            if not offered and "forecast" in view:
                view = view | {"forecast": {}}
            found = self._kept[key] = Look(view, game.scene(view))
            if len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found
