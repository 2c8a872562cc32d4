"""Twelve colours, each once at a table. A seat wears its own unless it chose another: static/seat_colours.css."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.i18n import note

COLOUR_NAMES = (
    *(note("red"), note("blue"), note("yellow"), note("green"), note("ink"), note("violet"), note("teal"), note("orange")),
    *(note("pink"), note("olive"), note("slate"), note("brown")),
)


def paints(colours: Sequence[int]) -> str:
    """The classes that give each seat the colour it chose."""
    return " ".join(f"paint-{seat}-{colour}" for seat, colour in enumerate(colours) if seat != colour)
