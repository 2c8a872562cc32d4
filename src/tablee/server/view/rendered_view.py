"""What a table looks like to screens that look alike: drawn once, sent to all of them, as little as each one lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any, TypeVar

from tablee.server.ops import metrics
from tablee.server.view import patches, rendering
from tablee.server.view.client_view import Screen
from tablee.server.view.fragments import Memory, Part

MOST = 64  # pictures of one table; drafts make many

Said = TypeVar("Said", str, str | bytes)

memory = Memory()  # shared by all tables


@dataclass(eq=False)
class Picture:
    part: Part
    now: dict[str, Any]  # what the browser's own code may know
    _said: dict[Part, str] = field(default_factory=dict)  # by what a screen shows before
    _packed: dict[Part, str | bytes] = field(default_factory=dict)

    def message(self, shown: Part | None, serial: int) -> str:
        """For a screen that shows this; `serial` says which of its own words it answers."""
        return patches.closed(_once(self._said, shown, lambda: patches.said(self.part.changed(shown), self.now)), serial)

    def packed(self, shown: Part | None, serial: int) -> str | bytes:
        """The same; if it is large, packed."""
        return patches.closed_packed(_once(self._packed, shown, lambda: patches.packed(self.part.changed(shown), self.now)), serial)


def _once(known: dict[Part, Said], shown: Part | None, say: Callable[[], Said]) -> Said:
    """For all who show the same. A whole page is large, and seldom asked for twice."""
    if shown is None:
        return say()
    if shown not in known:
        known[shown] = say()
    return known[shown]


def name_of(screen: Screen, waiting: bool = True) -> str:
    """A picture's name says what it is drawn of, so that a screen which comes back need not be drawn for if it shows just that. Nameless
    where that is more than can be said in a word: what is tried out, and a game that is over. `waiting` is whether those count as here who
    are only expected."""
    table = screen.table
    if screen.draft or screen.look is not None or table.done:
        return ""
    here = screen.here if waiting else table.attendance.here(len(table.seating), waiting=False)
    around = (here, table.settings, table.resting, table.trouble, table.absence.seats, table.clock.mark, table.reactions.mark)
    drawn_of = repr((rendering.build(), table.id, table.version, table.chat.mark, screen.likeness, around))
    return blake2s(drawn_of.encode(), digest_size=9).hexdigest()


def picture_of(screen: Screen) -> Picture:
    table, likeness = screen.table, (screen.likeness, screen.here)
    pulse, kept = table.pictures
    if pulse != table.bell.pulse:
        table.pictures = pulse, kept = table.bell.pulse, {}
    if likeness not in kept:
        if len(kept) >= MOST:
            del kept[next(iter(kept))]
        kept[likeness] = draw(screen)
    found: Picture = kept[likeness]
    return found


def draw(screen: Screen, remembered: Memory | None = memory) -> Picture:
    with metrics.drawing(screen.table.game.key):
        context = screen.context()
        return Picture(rendering.render(context, remembered), rendering.now(context) | {"picture": name_of(screen)})
