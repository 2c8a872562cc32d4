"""Tracks: pawns on spaces that count from 0, with a last space or around a ring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tablee.core.jit import jit


@jit
def ahead(space: int, steps: int, last: int) -> int:
    """Return the space so many steps ahead; the track ends at `last`."""
    return min(last, space + steps)


@jit
def around(space: int, steps: int, length: int) -> int:
    """Return the space so many steps ahead on a ring of this length."""
    return (space + steps) % length


def draw_track(length: int, pawns: Iterable[Mapping[int, str]], special: Mapping[int, str] | None = None) -> list[str]:
    """Return a line of text for each set of pawns, which maps spaces to letters; `special` spaces have signs of their own."""
    signs = [(special or {}).get(space, ".") for space in range(length)]
    return ["".join(each.get(space, signs[space]) for space in range(length)) for each in pawns]
