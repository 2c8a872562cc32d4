"""What a table looks like to screens that look alike: drawn once, sent to all of them, as little as each one lacks."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any

from tablee.server.drawing import rendering
from tablee.server.drawing.parts import Memory, Part
from tablee.server.drawing.screen import Screen
from tablee.server.watch import measuring

LARGE = 2000  # characters from which a message is packed for screens that can unpack it
MOST = 64  # pictures of one table; drafts make many

memory = Memory()  # shared by all tables


@dataclass(eq=False)
class Picture:
    part: Part
    now: dict[str, Any]  # what the browser's own code may know
    _said: dict[Part | None, str] = field(default_factory=dict)  # by what a screen shows before
    _packed: dict[Part | None, bytes] = field(default_factory=dict)

    def message(self, shown: Part | None, serial: int) -> str:
        """For a screen that shows this; `serial` says which of its own words it answers."""
        if shown is None:  # a whole page is large, and seldom asked for twice
            return closed(said(self.part.since(None), self.now), serial)
        if shown not in self._said:
            self._said[shown] = said(self.part.since(shown), self.now)
        return closed(self._said[shown], serial)

    def packed(self, shown: Part | None, serial: int) -> str | bytes:
        """The same; if it is large, deflated once for all: what is said before the serial, then the serial."""
        if shown not in self._packed:
            text = self.message(shown, serial)
            if len(text) < LARGE:
                return text
            if shown is None:
                return pack(text)
            self._packed[shown] = pack(self._said[shown], more=True)
        return self._packed[shown] + pack(closed("", serial))


def said(parts: list[dict[str, str]], now: dict[str, Any]) -> str:
    """A message up to its serial."""
    return f'{{"parts": {json.dumps(parts)}, "now": {json.dumps(now)}'


def closed(text: str, serial: int) -> str:
    return f'{text}, "serial": {serial}}}'


def pack(text: str, *, more: bool = False) -> bytes:
    """A raw deflate stream; where there is `more`, another one may follow and goes on with it."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_FULL_FLUSH if more else zlib.Z_FINISH)


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
    with measuring.drawing(screen.table.game.key):
        context = screen.context()
        return Picture(rendering.render(context, remembered), rendering.now(context) | {"picture": name_of(screen)})
