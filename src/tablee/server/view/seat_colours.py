"""The twelve seat colours, each at most once per table; by default a seat has that of its number (styles/tokens/tokens.css)."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.i18n import mark

COLOUR_NAMES = (
    *(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("ink"), mark("violet"), mark("teal"), mark("orange")),
    *(mark("pink"), mark("olive"), mark("slate"), mark("brown")),
)


def seat_colours(colours: Sequence[int]) -> str:
    """Return the declarations of the seats that chose another colour than their default, for an attribute `style`."""
    return " ".join(f"--seat-{seat}: var(--paint-{colour});" for seat, colour in enumerate(colours) if seat != colour)
