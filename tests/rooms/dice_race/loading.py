"""Box loader: read and check components.toml."""

from __future__ import annotations

from dice_race.box import MAX_LENGTH, Box, Pieces
from tablee.core.components import Components
from tablee.core.i18n import msg


def load_pieces(components: Components) -> Pieces:
    box = Box()
    box.length = components.get_int("track", "length", 6, MAX_LENGTH)
    box.slip = components.get_int("track", "slip", 1, box.length)
    puddles = components.value("track", "puddles")
    if not isinstance(puddles, list) or not all(type(space) is int and 0 < space < box.length for space in puddles):
        raise components.fault(msg("puddles must be a list of spaces between the start and the finish"), "track", "puddles")
    for space in puddles:
        box.puddle[space] = 1
    return Pieces(box)
