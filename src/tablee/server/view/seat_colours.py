"""Twelve colours, each once at a table. A seat wears its own unless it chose another: static/seat_colours.css."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.i18n import mark

COLOUR_NAMES = (
    *(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("ink"), mark("violet"), mark("teal"), mark("orange")),
    *(mark("pink"), mark("olive"), mark("slate"), mark("brown")),
)


def colour_classes(colours: Sequence[int]) -> str:
    """The classes that give each seat the colour it chose."""
    return " ".join(f"paint-{seat}-{colour}" for seat, colour in enumerate(colours) if seat != colour)
