"""What a table shows, made once for equal viewers: positions as a seat may see them, scores, narrations, messages, rendered views."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tablee.core.game import Game, Seat
from tablee.core.match import Match
from tablee.server.table.table import Table
from tablee.server.view.narration import Narration

MAX_POSITIONS = 24  # pairs of position and viewer
MAX_VIEWS = 64  # rendered views, or messages; drafts make many

T = TypeVar("T")


@dataclass(frozen=True)
class PositionView:
    view: dict[str, Any]
    scene: Any


class ViewCache:
    """Caches of one table. Where nothing is secret, a seat that is not to act sees what a spectator sees (a law of every room)."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._views: dict[Any, Any] = {}  # made since the table's signal had the generation below
        self._generation = 0
        self._narrations: dict[tuple[str, Seat | None], Narration] = {}  # by language and viewer
        self._narrated: Any = None  # what all narrations rest on besides the lines
        self._scores_of_state: tuple[Any, Sequence[int]] = (None, ())  # of the last requested state
        self._scores_by_lines: tuple[int, Sequence[int]] = (-1, ())  # number of lines, scores after them
        self._positions: OrderedDict[tuple[bytes, Seat | None, bool], PositionView] = OrderedDict()

    def made_once(self, generation: int, key: Hashable, make: Callable[[], T]) -> T:
        """Return the view with this key, made once until the table changes, which counts up the generation."""
        if self._generation != generation:
            self._generation, self._views = generation, {}
        if key not in self._views:
            if len(self._views) >= MAX_VIEWS:
                del self._views[next(iter(self._views))]
            self._views[key] = make()
        found: T = self._views[key]
        return found

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

    def narration(self, language: str, viewer: Seat | None, narrated: Any) -> Narration:
        """Return the narration for a language and viewer; where nothing is secret, all viewers share one.

        All are made anew when something in them changes that is not a new line (`narrated`): a name, or a move taken back.
        """
        if narrated != self._narrated:
            self._narrated, self._narrations = narrated, {}
        return self._narrations.setdefault((language, viewer if self._game.secrets else None), Narration(self._game.turn_opening_kinds))

    def position(self, state: Any, viewer: Seat | None, may_choose: bool = True) -> PositionView:
        """Return the view of a position; `may_choose` is whether the viewer may act, which is false in a replay."""
        game = self._game
        if not game.secrets and (not may_choose or viewer not in game.to_act(state)):
            viewer = None
        key = (state.tobytes(), viewer, may_choose)
        found = self._positions.get(key)
        if found is None:
            view = game.view(game.observe(state, viewer))
            if not may_choose and "forecast" in view:
                view = view | {"forecast": {}}
            found = self._positions[key] = PositionView(view, game.scene(view))
            if len(self._positions) > MAX_POSITIONS:
                self._positions.popitem(last=False)
        else:
            self._positions.move_to_end(key)
        return found


_caches: WeakKeyDictionary[Table, ViewCache] = WeakKeyDictionary()


def view_cache_of(table: Table) -> ViewCache:
    """Return the caches of a table, which live as long as the table is open."""
    found = _caches.get(table)
    if found is None:
        found = _caches[table] = ViewCache(table.game)
    return found
