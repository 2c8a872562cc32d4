"""The twelve seat colours, each at most once per table; by default a seat has that of its number (static/seat_colours.css)."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.i18n import mark

COLOUR_NAMES = (
    *(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("ink"), mark("violet"), mark("teal"), mark("orange")),
    *(mark("pink"), mark("olive"), mark("slate"), mark("brown")),
)


def colour_classes(colours: Sequence[int]) -> str:
    """Return the CSS classes of the seats that chose another colour than their default."""
    return " ".join(f"paint-{seat}-{colour}" for seat, colour in enumerate(colours) if seat != colour)
